// The one table of keys: what listens, the badges on buttons and the sheet all come from it.

import { isTyping, make } from './dom.js';
import { t } from './words.js';

// [key, action, its argument, what it does, group]; the sheet lists those with a group
export const KEYS = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => [`${number}`, 'choose', number, t('choose the answer with this number'), number < 6 ? t('Judging') : '']),
  ['Enter', 'accept', null, t('go on; when all is judged, submit'), t('Judging')],
  ['m', 'missing', null, t('a mark is missing here, or not'), t('Judging')],
  ['e', 'evidence', null, t('take the selected words of a document as evidence; without any, choose a sentence with ↑ ↓'), t('Judging')],
  ['Backspace', 'clear', null, t('take this judgement back'), t('Judging')],
  ['c', 'comment', null, t('write a comment'), t('Judging')],
  ['ArrowDown', 'down', null, t('next judgement'), t('Moving')],
  ['ArrowUp', 'up', null, t('judgement before'), t('Moving')],
  ['ArrowRight', 'right', null, t('next knowledge item'), t('Moving')],
  ['ArrowLeft', 'left', null, t('knowledge item before'), t('Moving')],
  ['n', 'next', null, t('next reply; this one stays begun'), t('Moving')],
  ['p', 'previous', null, t('reply before'), t('Moving')],
  ['Escape', 'leave', null, t('leave a field or what was begun'), t('Moving')],
  ['s', 'split', null, t('split this knowledge item: ← → to the place, Enter'), t('Knowledge items')],
  ['j', 'join', null, t('join it with the next one'), t('Knowledge items')],
  ['x', 'remove', null, t('remove it: it says nothing that can be checked'), t('Knowledge items')],
  ['i', 'add', null, t('make the selected words one; without any, the next words in none'), t('Knowledge items')],
  ['Ctrl+Enter', 'submit', null, t('submit, and take the next reply'), t('The reply')],
  ['u', 'undo', null, t('undo what was done to this reply'), t('The reply')],
  ['t', 'takeBack', null, t('take back the reply that was submitted or skipped last'), t('The reply')],
  ['k', 'skip', null, t('skip the reply, with a reason'), t('The reply')],
  ['l', 'list', null, t('your replies'), t('The reply')],
  ['g', 'guidelines', null, t('the guidelines'), t('The reply')],
  ['?', 'sheet', null, t('these keys'), t('The reply')],
].map(([key, action, argument, about, group]) => ({ key, action, argument, about, group }));

const SIGNS = { ArrowDown: '↓', ArrowUp: '↑', ArrowRight: '→', ArrowLeft: '←', Escape: 'Esc', Backspace: 'Bksp' };
const ALWAYS = ['Escape', 'Ctrl+Enter'];  // also while something is being typed

// Whether letters, digits and signs act as keys; dictation and slips of the hand press them unasked.
const SINGLE = 'searchain-desk single keys';
const areSingle = () => { try { return localStorage.getItem(SINGLE) !== 'off' } catch { return true } };
export const switchOfKeys = () => make('label', {}, make('input', { type: 'checkbox', id: 'single', checked: areSingle(), onchange: (event) => {
  try { localStorage.setItem(SINGLE, event.target.checked ? 'on' : 'off') } catch { event.target.checked = true }
} }), ' ', t('Letters, digits and signs are keys'));

const sign = (key) => SIGNS[key] ?? key;
const entry = (action, argument = null) => KEYS.find((one) => one.action === action && one.argument === argument);

export const badge = (action, argument) => {
  const found = entry(action, argument);
  return found ? make('kbd', { 'aria-hidden': 'true' }, sign(found.key)) : null;
};

// A button that does what its key does. `actions()` as for `listen`.
export function button(actions, action, argument, of, ...inner) {
  const found = entry(action, argument ?? null);
  return make('button', { type: 'button', 'data-action': action, 'data-argument': argument,
    'aria-keyshortcuts': found && found.key.replace('Ctrl', 'Control'),
    onclick: () => perform(actions(), action, argument ?? null), ...of }, badge(action, argument ?? null), ...inner);
}

// The first of the layers that knows the action performs it; whether one did.
export function perform(layers, action, argument) {
  const layer = layers.find((one) => one[action]);
  layer?.[action](argument);
  return Boolean(layer);
}

export function listen(actions) {
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.isComposing || event.defaultPrevented) return;
    const key = (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if ((isTyping(event.target) || document.querySelector('dialog[open]')) && !ALWAYS.includes(key)) return;
    if (document.querySelector('dialog[open]')) return;
    if (key === 'Enter' && event.target.closest?.('button, a, summary')) return;  // the browser presses it
    const found = (key.length > 1 || areSingle()) && KEYS.find((one) => one.key === key);
    if (found && perform(actions(), found.action, found.argument)) event.preventDefault();
  });
}

// The sheet of the keys for these actions.
export function sheet(actions) {
  const listed = KEYS.filter((one) => one.group && actions.includes(one.action));
  const groups = [...new Set(listed.map((one) => one.group))];
  const lines = (group) => Object.entries(Object.groupBy(listed.filter((one) => one.group === group), (one) => one.about));
  return groups.map((group) => make('section', {}, make('h3', {}, group), make('dl', {}, lines(group).map(([about, those]) => (
    make('div', {}, make('dt', {}, those.map((one) => make('kbd', {}, sign(one.key)))), make('dd', {}, about)))))));
}
