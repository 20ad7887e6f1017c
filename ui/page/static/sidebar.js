// The list of conversations. They are links, so that the back button and a new tab work as usual.
const { call, locale, made, now, onChange, question: askPerson, shown, t } = window.searchain;
const nav = document.getElementById('nav');
const toggle = document.getElementById('nav-toggle');
const part = (selector) => nav.querySelector(selector);
const words = part('.words');
const isNarrow = () => matchMedia('(max-width: 1099px)').matches;
const at = (conversation) => {
  const url = new URL(location);
  url.searchParams.delete('c');
  url.searchParams.delete('temporary');
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
  window.searchain.stored((store) => store.setItem('searchain-nav', isFolded ? 'folded' : 'open'), 'localStorage');
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
  const button = (className, sign, title, label) => made('button', { type: 'button', className, tabIndex: -1, title, ariaLabel: label.replace('{title}', () => one.title) }, sign);
  const pin = one.is_pinned ? button('pin', '↧', t('Unpin'), t('Unpin {title}')) : button('pin', '↥', t('Pin'), t('Pin {title}'));
  const item = made('li', { className: one.is_pinned && !words.value.trim() ? 'is-pinned' : '' }, link, pin,
    button('rename', '✎', t('Rename'), t('Rename {title}')), button('delete', '✕', t('Delete'), t('Delete {title}')));
  Object.assign(item.dataset, { group: t('Pinned'), pinned: one.is_pinned });
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
// What was deleted last can be brought back for some seconds, which the server counts.
const undo = document.getElementById('undo');
let ends;
const offer = (gone) => {
  clearTimeout(ends);
  if (gone) ends = setTimeout(() => offer(null), gone.seconds * 1000);
  if ((gone?.id || '') === (undo.dataset.id || '')) return;
  undo.dataset.id = gone?.id || '';
  undo.togglePopover(Boolean(gone));
  undo.replaceChildren(...(gone ? [made('span', {}, t('“{title}” is deleted.', gone)), made('button', { type: 'button', className: 'act' }, t('Undo'))] : []));
};
undo.addEventListener('click', async (event) => {
  const { id } = undo.dataset;
  if (!event.target.closest('button')) return;
  const problem = await call(`conversations/${encodeURIComponent(id)}`, 'PATCH', { deleted: false }).catch((error) => error.message);
  await list();
  if (typeof problem === 'string') say(problem);
  nav.querySelector(`.entries li[data-id="${CSS.escape(id)}"] a`)?.focus();
});

let asked = 0;
let drawn = '', documents = '';
let hasOlder = false; // what was loaded by "more" is not drawn over by what is looked for now and then
// Another tab, or another browser, may ask in the conversation that is shown: this page follows that run, too.
const follow = (found) => {
  const { state, turn } = now();
  const last = found.conversations.find((one) => one.id === shown())?.last;
  if (last && last !== turn && state !== 'running') trigger('follow');
};
const list = async (isMore = false, isOwn = true) => {
  const mine = ++asked;
  const looked = words.value.trim();
  const last = isMore && part('.entries li:last-child')?.dataset.id;
  try {
    const found = await call(`conversations?${new URLSearchParams({ words: looked, ...(last && { before: last }), ...(isOwn && { documents: true }) })}`);
    if (mine !== asked) return; // a later request was sent meanwhile
    follow(found);
    offer(found.deleted);
    const now = JSON.stringify(found.conversations);
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
    if (isOwn && found.documents !== documents) {
      const { place } = document.activeElement.dataset;
      part('.documents').innerHTML = documents = found.documents;
      if (place) part(`.documents [data-place="${CSS.escape(place)}"]`)?.focus();
    }
    say(nav.querySelector('.entries li, .documents li') ? '' : looked ? t('Nothing found. Try fewer words, or the beginning of one; in documents, words must be whole.')
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
  const { id, title, pinned } = event.target.closest('li')?.dataset || {};
  const path = `conversations/${encodeURIComponent(id)}`;
  if (event.target.closest('.pin')) {
    await call(path, 'PATCH', { pinned: pinned === 'false' }).then(() => list(), (error) => say(error.message));
  } else if (event.target.closest('.rename')) {
    const done = await askPerson({ title: t('Rename the conversation'), label: t('Title'), text: title, limit: 80, action: t('Rename'),
      act: (text) => call(path, 'PATCH', { title: text }) });
    if (done) await list();
  } else if (event.target.closest('.delete')) {
    const done = await askPerson({ title: t('Delete the conversation?'), action: t('Delete'), isDangerous: true,
      about: t('“{title}” with its questions, replies and evidence is erased after ten seconds. Until then Undo brings it back.', { title }), act: () => call(path, 'DELETE') });
    if (done && id === shown()) return location.replace(at(null)); // so that "back" does not lead to the deleted conversation
    if (!done) return;
    const item = nav.querySelector(`.entries li[data-id="${CSS.escape(id)}"]`); // it may have been rebuilt meanwhile
    (item?.nextElementSibling || item?.previousElementSibling)?.querySelector('a').focus();
    await list();
    if (!nav.contains(document.activeElement)) words.focus();
  }
});

// the list follows this page's runs; what happens elsewhere is asked for now and then
onChange(({ conversation, state, turn }) => `${conversation} ${state} ${turn}`, () => list());
const look = () => { if (!document.hidden && !hasOlder) list(false, false) };
setInterval(look, 5000);
window.addEventListener('focus', look);
document.querySelectorAll('#new, #new-short').forEach((link) => { link.href = at(null) });
document.getElementById('new-temporary').addEventListener('click', () => location.assign(`${at(null)}&temporary=1`));
list();
