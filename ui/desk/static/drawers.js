// Notices and drawers: the keys, the guidelines, one's own replies with their history, the reason of a skip.

import { make, part, time } from './dom.js';
import { sheet } from './keys.js';
import { call } from './server.js';
import { short } from './panel.js';

// One line above the work, with what can be done about it: [[name, act]]. '' takes it away.
export function notice(words, acts = []) {
  part('notice').hidden = !words;
  part('notice').replaceChildren(...(words ? [make('span', {}, words),
    ...acts.map(([name, act]) => make('button', { type: 'button', onclick: act }, name))] : []));
}

let dialog = null;

export function drawer() {
  dialog = make('dialog', { 'aria-labelledby': 'drawer-title', onclick: (event) => { if (event.target === dialog) dialog.close() } });
  document.body.append(dialog);
}

export const shut = () => dialog.close();

export function open(title, ...inner) {
  dialog.replaceChildren(make('div', { class: 'sheet' },
    make('header', {}, make('h2', { id: 'drawer-title', tabindex: -1 }, title),
      make('button', { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => dialog.close() }, '×')), ...inner));
  if (!dialog.open) dialog.showModal();
  part('drawer-title').focus();
}

// The keys for these actions.
export const sheetOfKeys = (actions) => open('Keys', make('div', { class: 'keys' }, sheet(actions)),
  make('p', { class: 'quiet' }, 'Keys rest while you write in a field; Esc leaves it.'));

// `below`: what stands under them.
export async function guidelines(...below) {
  const answer = await call('guidelines');
  const [body, more] = [answer.html, answer.more].map((html) => {
    const one = make('div', { class: 'guidelines' });
    one.innerHTML = html;  // of the program's own file, or the operator's, made and escaped on the server
    return one;
  });
  open(`Guidelines ${answer.version}`, body, make('details', { class: 'more' }, make('summary', {}, 'More: harder cases, a worked example, figures, keys'), more), ...below);
}

const REASONS = ['The language is not mine', 'The reply or a document is shown wrongly', 'I wrote it myself', 'It is too unpleasant'];

export function skipping(act) {
  const field = make('input', { id: 'reason', maxlength: 500, required: true, autocomplete: 'off' });
  const form = make('form', { onsubmit: (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    dialog.close();
    act(field.value);
  } }, make('label', { for: 'reason' }, 'Why? Somebody may be able to correct it.'), field,
  make('p', { class: 'reasons' }, REASONS.map((reason) => make('button', { type: 'button', onclick: () => {
    field.value = reason;
    field.focus();
  } }, reason))), make('p', {}, make('button', { class: 'main' }, 'Skip the reply')));
  open('Skip the reply', make('p', { class: 'quiet' }, 'Others will get it. What is merely hard is better judged, with a comment.'), form);
  field.focus();
}

const KINDS = { open: 'Begun', submitted: 'Submitted', skipped: 'Skipped' };

export function list(items, choose) {
  const line = (one) => make('li', {}, make('button', { type: 'button', class: 'reply', onclick: () => { dialog.close(); choose(one.item) } },
    make('span', { dir: 'auto' }, short(one.question, 120)), ' ',
    make('span', { class: 'quiet' }, `${one.is_begun && one.state === 'submitted' ? 'changed, not submitted again: the earlier labels count · ' : ''}`
      + `${one.is_assigned && one.state === 'open' ? 'assigned · ' : ''}${time(one.seconds)}`)),
  one.state !== 'open' && make('button', { type: 'button', class: 'past', onclick: () => past(one.item) }, 'History'));
  const groups = Object.entries(KINDS).map(([state, name]) => [name, items.filter((one) => one.state === state)]).filter(([, those]) => those.length);
  open('Your replies', ...(groups.length ? groups.map(([name, those]) => make('section', {}, make('h3', {}, `${name} (${those.length})`),
    make('ul', { class: 'replies' }, those.map(line)))) : [make('p', {}, 'Nothing yet.')]));
}

async function past(id) {
  const { entries } = await call(`items/${id}/history`);
  const judged = (labels) => (labels ? `${labels.knowledge_items.filter((one) => one.support === 'complete').length} complete of `
    + `${labels.knowledge_items.filter((one) => one.support).length} with marks, ${labels.marks.filter((one) => one.place === 'right').length} of `
    + `${labels.marks.length} marks right` : '');
  open('History', make('ol', { class: 'past' }, entries.map((one) => make('li', {},
    make('strong', {}, one.action), ` ${new Date(one.created).toLocaleString()} · ${time(one.seconds)} · ${judged(one.labels)}`,
    one.comment && make('p', { dir: 'auto' }, one.comment)))));
}

const DECIDED = { open: 'To decide', outdated: 'Decided before labels changed', decided: 'Decided' };

export function disputes(items, choose) {
  const line = (one) => make('li', {}, make('button', { type: 'button', class: 'reply', onclick: () => { dialog.close(); choose(one.item) } },
    make('span', { dir: 'auto' }, short(one.question, 120)), ' ', make('span', { class: 'quiet' }, `${one.disagreeing} of ${one.pairs} pairs differ`)));
  const groups = Object.entries(DECIDED).map(([state, name]) => [name, items.filter((one) => one.state === state)]).filter(([, those]) => those.length);
  open('Disputed replies', ...(groups.length ? groups.map(([name, those]) => make('section', {}, make('h3', {}, `${name} (${those.length})`),
    make('ul', { class: 'replies' }, those.map(line)))) : [make('p', {}, 'None.')]));
}
