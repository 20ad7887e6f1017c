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
const leave = () => {
  if (isNarrow() && nav.matches(':popover-open')) {
    nav.hidePopover();
    toggle.focus();
  }
};
toggle.addEventListener('click', () => {
  if (isNarrow()) {
    nav.togglePopover();
    if (nav.matches(':popover-open')) words.focus();
  } else {
    const isFolded = document.documentElement.classList.toggle('nav-folded');
    try { localStorage.setItem('searchain-nav', isFolded ? 'folded' : 'open') } catch { /* only not remembered */ }
  }
  announce();
});
nav.addEventListener('toggle', announce);
matchMedia('(max-width: 1099px)').addEventListener('change', () => { if (nav.matches(':popover-open')) nav.hidePopover(); announce() });
document.addEventListener('keydown', (event) => { if (event.key === 'Escape' && !document.querySelector('dialog[open]')) leave() });
document.addEventListener('click', (event) => { if (!nav.contains(event.target) && !toggle.contains(event.target)
  && !event.target.closest('dialog')) leave() });
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
  const rename = made('button', { type: 'button', className: 'rename', title: t('Rename'), ariaLabel: t('Rename {title}', { title: one.title }) }, '✎');
  const drop = made('button', { type: 'button', className: 'delete', title: t('Delete'), ariaLabel: t('Delete {title}', { title: one.title }) }, '✕');
  const item = made('li', {}, link, rename, drop);
  item.dataset.id = one.id;
  item.dataset.title = one.title;
  return item;
};
const mark = () => nav.querySelectorAll('.entries li').forEach((item) => {
  const link = item.querySelector('a');
  if (item.dataset.id === shown()) link.setAttribute('aria-current', 'page');
  else link.removeAttribute('aria-current');
});
const say = (text) => { part('.said').textContent = text };

let asked = 0;
const list = async (isMore = false) => {
  const mine = ++asked;
  const looked = words.value.trim();
  const last = isMore && part('.entries li:last-child')?.dataset.id;
  try {
    const found = await call(`conversations?${new URLSearchParams({ words: looked, ...(last && { before: last }) })}`);
    if (mine !== asked) return; // a later request was sent meanwhile
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
part('.entries').addEventListener('keydown', (event) => {
  const item = event.target.closest('li');
  const next = { ArrowDown: item.nextElementSibling, ArrowUp: item.previousElementSibling }[event.key];
  if (!next) return;
  event.preventDefault();
  next.querySelector('a').focus();
});
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

// the list follows this page's runs; runs elsewhere are polled now and then
let last = '';
watch('value', () => {
  const { conversation, state, turn } = document.getElementById('reasoning').dataset;
  const now = `${conversation} ${state} ${turn}`;
  if (now !== last) {
    last = now;
    list();
  }
});
setInterval(() => { if (!document.hidden && part('.is-running')) list() }, 5000);
document.querySelectorAll('#new, #new-short').forEach((link) => { link.href = at(null) });
list();

// the person's name, where people sign in
const person = part('.person');
if (person) {
  call('person').then(({ name }) => {
    person.hidden = false;
    person.querySelector('.name').textContent = name;
    person.querySelector('.sign-in').hidden = Boolean(name);
    person.querySelector('.sign-out').hidden = !name;
  }).catch(() => {});
  person.querySelector('.sign-out').addEventListener('click', async () => {
    await fetch('sign-out', { method: 'POST' }).catch(() => null);
    location.assign('sign-in');
  });
}
