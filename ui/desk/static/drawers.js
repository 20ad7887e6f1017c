// Notices and drawers: the keys, the guidelines, one's own replies with their history, the reason of a skip.

import { isTyping, make, part, time } from './dom.js';
import { sheet, switchOfKeys } from './keys.js';
import { call } from './server.js';
import { short } from './panel.js';
import { t } from './words.js';

// One line above the work, with what can be done about it: [[name, act]]. '' takes it away.
export function notice(words, acts = []) {
  part('notice').hidden = !words;
  part('notice').replaceChildren(...(words ? [make('span', {}, words),
    ...acts.map(([name, act]) => make('button', { type: 'button', onclick: act }, name))] : []));
}

// One thing at a time; a fault is shown, and the page stays as it is. `signedOut()`: says what is kept.
export const isBusy = () => document.body.classList.contains('is-busy');
export const oneAtATime = (signedOut) => async (act) => {
  if (isBusy()) return;
  document.body.classList.add('is-busy');
  try {
    await act();
  } catch (error) {
    if (error.status === 401) signedOut();
    else notice(error.message ?? String(error));
    if (error.status === undefined) throw error;
  } finally {
    document.body.classList.remove('is-busy');
  }
};

// Out of a field, and back to what is judged.
export function leave() {
  if (isTyping(document.activeElement)) document.activeElement.blur();
  notice('');
  part('now').focus({ preventScroll: true });
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
      make('button', { type: 'button', class: 'close', 'aria-label': t('Close'), onclick: () => dialog.close() }, '×')), ...inner));
  if (!dialog.open) dialog.showModal();
  part('drawer-title').focus();
}

// The keys for these actions.
export const sheetOfKeys = (actions) => open(t('Keys'), make('p', {}, switchOfKeys()), make('div', { class: 'keys' }, sheet(actions)),
  make('p', { class: 'quiet' }, t('Keys rest while you write in a field; Esc leaves it.')));

// `below`: what stands under them.
export async function guidelines(...below) {
  const answer = await call('guidelines');
  const [body, more] = [answer.html, answer.more].map((html) => {
    const one = make('div', { class: 'guidelines', lang: 'en' });
    one.innerHTML = html;  // of the program's own file, or the operator's, made and escaped on the server
    return one;
  });
  open(t('Guidelines {version}', { version: answer.version }), body, make('details', { class: 'more' }, make('summary', {}, t('More: harder cases, a worked example, figures, keys')), more), ...below);
}

const REASONS = [t('The language is not mine'), t('The reply or a document is shown wrongly'), t('I wrote it myself'), t('It is too unpleasant')];

export function skipping(act) {
  const field = make('input', { id: 'reason', maxlength: 500, required: true, autocomplete: 'off' });
  const form = make('form', { onsubmit: (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    dialog.close();
    act(field.value);
  } }, make('label', { for: 'reason' }, t('Why? Somebody may be able to correct it.')), field,
  make('p', { class: 'reasons' }, REASONS.map((reason) => make('button', { type: 'button', onclick: () => {
    field.value = reason;
    field.focus();
  } }, reason))), make('p', {}, make('button', { class: 'main' }, t('Skip the reply'))));
  open(t('Skip the reply'), make('p', { class: 'quiet' }, t('Others will get it. What is merely hard is better judged, with a comment.')), form);
  field.focus();
}

const KINDS = { open: t('Begun'), submitted: t('Submitted'), skipped: t('Skipped') };

export function list(items, choose) {
  const line = (one) => make('li', {}, make('button', { type: 'button', class: 'reply', onclick: () => { dialog.close(); choose(one.item) } },
    make('span', { dir: 'auto' }, short(one.question, 120)), ' ',
    make('span', { class: 'quiet' }, [one.is_begun && one.state === 'submitted' && t('changed, not submitted again: the earlier labels count'),
      one.is_assigned && one.state === 'open' && t('assigned'), time(one.seconds)].filter(Boolean).join(' · '))),
  one.state !== 'open' && make('button', { type: 'button', class: 'past', onclick: () => past(one.item) }, t('History')));
  grouped(t('Your replies'), KINDS, items, line, t('Nothing yet.'));
}

function grouped(title, kinds, items, line, none) {
  const groups = Object.entries(kinds).map(([state, name]) => [name, items.filter((one) => one.state === state)]).filter(([, those]) => those.length);
  open(title, ...(groups.length ? groups.map(([name, those]) => make('section', {}, make('h3', {}, `${name} (${those.length})`),
    make('ul', { class: 'replies' }, those.map(line)))) : [make('p', {}, none)]));
}

const ACTIONS = { submitted: t('submitted'), skipped: t('skipped'), undone: t('taken back') };

async function past(id) {
  const { entries } = await call(`items/${id}/history`);
  const judged = (labels) => (labels ? t('{complete} complete of {marked} with marks, {right} of {marks} marks right', {
    complete: labels.knowledge_items.filter((one) => one.support === 'complete').length,
    marked: labels.knowledge_items.filter((one) => one.support).length,
    right: labels.marks.filter((one) => one.place === 'right').length, marks: labels.marks.length }) : '');
  open(t('History'), make('ol', { class: 'past' }, entries.map((one) => make('li', {},
    make('strong', {}, ACTIONS[one.action] ?? one.action), ` ${new Date(one.created).toLocaleString(document.documentElement.lang)} · ${time(one.seconds)} · ${judged(one.labels)}`,
    one.comment && make('p', { dir: 'auto' }, one.comment)))));
}

const DECIDED = { open: t('To decide'), outdated: t('Decided before labels changed'), decided: t('Decided') };

export function disputes(items, choose) {
  const line = (one) => make('li', {}, make('button', { type: 'button', class: 'reply', onclick: () => { dialog.close(); choose(one.item) } },
    make('span', { dir: 'auto' }, short(one.question, 120)), ' ', make('span', { class: 'quiet' }, t('{disagreeing} of {pairs} pairs differ', one))));
  grouped(t('Disputed replies'), DECIDED, items, line, t('None.'));
}
