// The list of conversations. They are links, so that the back button and a new tab work as usual.
const { call, locale, made, question: askPerson, shown, t } = window.searchain;
const nav = document.getElementById('nav');
const toggle = document.getElementById('nav-toggle');
const part = (selector) => nav.querySelector(selector);
const words = part('.words');
const isNarrow = () => matchMedia('(max-width: 1099px)').matches;
const at = (conversation) => {
  const url = new URL(location);
  url.searchParams.delete('c');
  if (conversation) url.searchParams.set('c', conversation);
  return `${url.pathname}?${url.searchParams}`;
};

// folding: beside the chat where there is room, above it elsewhere
const isOpen = () => (isNarrow() ? nav.matches(':popover-open') : !document.documentElement.classList.contains('nav-folded'));
const announce = () => toggle.setAttribute('aria-expanded', isOpen());
toggle.addEventListener('click', (event) => {
  if (isNarrow()) return; // it is a popover there
  event.preventDefault();
  const isFolded = document.documentElement.classList.toggle('nav-folded');
  try { localStorage.setItem('searchain-nav', isFolded ? 'folded' : 'open') } catch { /* only not remembered */ }
  announce();
});
nav.addEventListener('toggle', announce);
matchMedia('(max-width: 1099px)').addEventListener('change', () => { if (nav.matches(':popover-open')) nav.hidePopover(); announce() });
announce();

const when = (time) => {
  const then = new Date(time);
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(then).setHours(0, 0, 0, 0)) / 864e5);
  if (days === 0) return then.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
  if (days === 1) return t('yesterday');
  return then.toLocaleDateString(locale, { day: 'numeric', month: 'short', ...(days > 300 && { year: 'numeric' }) });
};
const entry = (one) => {
  const link = made('a', { href: at(one.id) }, made('bdi', { className: 'title' }, one.title));
  if (one.found.length) link.append(made('span', { className: 'found' }, ...one.found.flatMap(
    ([text, marked]) => (marked ? [made('mark', {}, marked), text] : [text]))));
  link.append(one.is_running ? made('span', { className: 'when is-running' }, t('being answered'))
    : made('time', { className: 'when', dateTime: one.updated, title: new Date(one.updated).toLocaleString(locale) }, when(one.updated)));
  const rename = made('button', { type: 'button', className: 'rename', tabIndex: -1, title: t('Rename'), ariaLabel: t('Rename {title}', { title: one.title }) }, '✎');
  const drop = made('button', { type: 'button', className: 'delete', tabIndex: -1, title: t('Delete'), ariaLabel: t('Delete {title}', { title: one.title }) }, '✕');
  const item = made('li', {}, link, rename, drop);
  item.dataset.id = one.id;
  item.dataset.title = one.title;
  return item;
};
// The list is one tab stop, at the conversation that is shown; `keys.js` moves in it.
const mark = () => {
  const items = [...nav.querySelectorAll('.entries li')];
  const current = items.find((item) => item.dataset.id === shown());
  items.forEach((item) => {
    const link = item.querySelector('a');
    if (item === current) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    link.tabIndex = item === (current || items[0]) ? 0 : -1;
  });
};
const say = (text) => { part('.said').textContent = text };

let asked = 0;
let drawn = '';
let hasOlder = false; // what was loaded by "more" is not drawn over by what is looked for now and then
// Another tab, or another browser, may ask in the conversation that is shown: this page follows that run, too.
const follow = (found) => {
  const { state, turn } = document.getElementById('reasoning').dataset;
  const last = found.conversations.find((one) => one.id === shown())?.last;
  if (last && last !== turn && state !== 'running') trigger('follow');
};
const list = async (isMore = false, isOwn = true) => {
  const mine = ++asked;
  const looked = words.value.trim();
  const last = isMore && part('.entries li:last-child')?.dataset.id;
  try {
    const found = await call(`conversations?${new URLSearchParams({ words: looked, ...(last && { before: last }) })}`);
    if (mine !== asked) return; // a later request was sent meanwhile
    follow(found);
    const now = JSON.stringify(found);
    if (!isOwn && now === drawn) return;
    drawn = now;
    hasOlder = isMore;
    const focused = document.activeElement.closest?.('.entries li')?.dataset.id;
    const button = document.activeElement.className;
    const items = found.conversations.map(entry);
    if (isMore) part('.entries').append(...items);
    else part('.entries').replaceChildren(...items);
    if (focused && !isMore) nav.querySelector(`.entries li[data-id="${CSS.escape(focused)}"] ${button ? `.${button}` : 'a'}`)?.focus();
    if (isMore) items[0]?.querySelector('a').focus();
    part('.more').hidden = !found.is_more;
    say(nav.querySelector('.entries li') ? '' : looked ? t('Nothing found. Try fewer words, or the beginning of one.')
      : t('Your conversations appear here. Ask a question to begin the first one.'));
    mark();
  } catch (error) {
    if (mine === asked) say(error.message);
  }
};
let typing;
words.addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(list, 150) });
part('.more').addEventListener('click', () => list(true));
part('.entries').addEventListener('click', async (event) => {
  const { id, title } = event.target.closest('li')?.dataset || {};
  const path = `conversations/${encodeURIComponent(id)}`;
  if (event.target.closest('.rename')) {
    const done = await askPerson({ title: t('Rename the conversation'), label: t('Title'), text: title, limit: 80, action: t('Rename'),
      act: (text) => call(path, 'PATCH', { title: text }) });
    if (done) await list();
  } else if (event.target.closest('.delete')) {
    const done = await askPerson({ title: t('Delete the conversation?'), action: t('Delete'), isDangerous: true,
      about: t('“{title}” with its questions, replies and evidence will be gone for good.', { title }), act: () => call(path, 'DELETE') });
    if (done && id === shown()) return location.replace(at(null)); // so that "back" does not lead to the deleted conversation
    if (!done) return;
    const item = nav.querySelector(`.entries li[data-id="${CSS.escape(id)}"]`); // it may have been rebuilt meanwhile
    (item?.nextElementSibling || item?.previousElementSibling)?.querySelector('a').focus();
    await list();
    if (!nav.contains(document.activeElement)) words.focus();
  }
});

// the list follows this page's runs; what happens elsewhere is asked for now and then
let last = '';
watch('value', () => {
  const { conversation, state, turn } = document.getElementById('reasoning').dataset;
  const now = `${conversation} ${state} ${turn}`;
  if (now !== last) {
    last = now;
    list();
  }
});
const look = () => { if (!document.hidden && !hasOlder) list(false, false) };
setInterval(look, 5000);
window.addEventListener('focus', look);
document.querySelectorAll('#new, #new-short').forEach((link) => { link.href = at(null) });
list();
