// The one table of keys: what listens, the badges on buttons and the sheet all come from it.

import { isTyping, make } from './dom.js';

// [key, action, its argument, what it does, group]; the sheet lists those with a group
export const KEYS = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => [`${number}`, 'choose', number, 'choose the answer with this number', number < 6 ? 'Judging' : '']),
  ['Enter', 'accept', null, 'go on; when all is judged, submit', 'Judging'],
  ['m', 'missing', null, 'a mark is missing here, or not', 'Judging'],
  ['e', 'evidence', null, 'take the selected words of a document as evidence; without any, choose a sentence with ↑ ↓', 'Judging'],
  ['Backspace', 'clear', null, 'take this judgement back', 'Judging'],
  ['c', 'comment', null, 'write a comment', 'Judging'],
  ['ArrowDown', 'down', null, 'next judgement', 'Moving'],
  ['ArrowUp', 'up', null, 'judgement before', 'Moving'],
  ['ArrowRight', 'right', null, 'next knowledge item', 'Moving'],
  ['ArrowLeft', 'left', null, 'knowledge item before', 'Moving'],
  ['n', 'next', null, 'next reply; this one stays begun', 'Moving'],
  ['p', 'previous', null, 'reply before', 'Moving'],
  ['Escape', 'leave', null, 'leave a field or what was begun', 'Moving'],
  ['s', 'split', null, 'split this knowledge item: ← → to the place, Enter', 'Knowledge items'],
  ['j', 'join', null, 'join it with the next one', 'Knowledge items'],
  ['x', 'remove', null, 'remove it: it says nothing that can be checked', 'Knowledge items'],
  ['i', 'add', null, 'make the selected words one; without any, the next words in none', 'Knowledge items'],
  ['Ctrl+Enter', 'submit', null, 'submit, and take the next reply', 'The reply'],
  ['u', 'undo', null, 'undo what was done to this reply', 'The reply'],
  ['t', 'takeBack', null, 'take back the reply that was submitted or skipped last', 'The reply'],
  ['k', 'skip', null, 'skip the reply, with a reason', 'The reply'],
  ['l', 'list', null, 'your replies', 'The reply'],
  ['g', 'guidelines', null, 'the guidelines', 'The reply'],
  ['?', 'sheet', null, 'these keys', 'The reply'],
].map(([key, action, argument, about, group]) => ({ key, action, argument, about, group }));

const SIGNS = { ArrowDown: '↓', ArrowUp: '↑', ArrowRight: '→', ArrowLeft: '←', Escape: 'Esc', Backspace: 'Bksp' };
const ALWAYS = ['Escape', 'Ctrl+Enter'];  // also while something is being typed

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
    const found = KEYS.find((one) => one.key === key);
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
