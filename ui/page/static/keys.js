// One key alone acts, outside of fields, unless that is turned off in the sheet that `?` opens. Arrow keys move in the
// list of conversations and in rows of buttons, each of which is one tab stop.
const byId = (id) => document.getElementById(id);
const NAME = 'searchain-keys';
const tick = byId('help').querySelector('input');
const { stored } = window.searchain;
tick.checked = stored((store) => store.getItem(NAME), 'localStorage') !== 'off';
tick.addEventListener('change', () => stored((store) => store.setItem(NAME, tick.checked ? 'on' : 'off'), 'localStorage'));
const acts = {
  '?': () => byId('help').togglePopover(),
  '/': () => document.querySelector('#question textarea').focus(),
  n: () => byId('new').click(),
  t: () => byId('new-temporary').click(),
  u: () => byId('undo').querySelector('button')?.click(),
  c: () => window.searchain.check(),
  a: () => window.searchain.askAbout(),
  s: () => {
    if (!byId('nav').checkVisibility()) byId('nav-toggle').click();
    document.querySelector('#nav .words').focus();
  },
  x: () => { if (byId('stop').checkVisibility()) byId('stop').click() },
  '.': () => {
    window.searchain.openSide();
    const cards = [...document.querySelectorAll('#side .card')].filter((one) => one.checkVisibility());
    const next = cards[(cards.indexOf(document.activeElement.closest('.card')) + 1) % cards.length];
    next?.querySelector('summary').focus();
    if (next && !next.open) next.querySelector('summary').click();
  },
};
document.querySelectorAll('.skip button').forEach((one) => one.addEventListener('click', () => {
  if (one.dataset.to.startsWith('#side')) window.searchain.openSide();
  [...document.querySelectorAll(one.dataset.to)].findLast((to) => to.checkVisibility())?.focus();
}));
const stopsOf = (group) => [...group.querySelectorAll('a, button, summary')].filter((one) => one.checkVisibility());
const along = (key, target) => {
  const group = target.closest('#nav .entries li, #chat .acts, #chat .next, #chat .ways');
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (group && step) return stopsOf(group)[stopsOf(group).indexOf(target) + step];
  const node = target.closest('#reasoning .node');
  const other = node && { ArrowDown: node.nextElementSibling, ArrowUp: node.previousElementSibling }[key];
  if (other) return other.querySelector('summary');
  const item = target.closest('#nav .entries li');
  return item && { ArrowDown: item.nextElementSibling, ArrowUp: item.previousElementSibling }[key]?.querySelector('a');
};
document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const next = along(key, target);
  const isTyping = target.closest(`input:not([type=checkbox]), textarea, select${key === 'a' ? '' : ', dialog'}`);
  if (key === 'Escape' && target.matches('#question textarea')) target.blur();
  else if (next) next.focus();
  else if (acts[key] && tick.checked && !isTyping) acts[key]();
  else return;
  event.preventDefault();
});
