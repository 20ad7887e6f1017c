// The adjudicator's page: replies on which annotators disagree, the worst first; what is decided is kept beside their labels.

import { disputes, drawer, guidelines, leave, notice, oneAtATime, sheetOfKeys } from './drawers.js';
import { make, part } from './dom.js';
import { Judging } from './judging.js';
import { button, listen } from './keys.js';
import { prepared } from './rules.js';
import { call } from './server.js';
import { agreed, areAlike, votes } from './votes.js';
import { t } from './words.js';

let name = '', items = [], number = 0, decided = 0, place = -1, open = null;

const layers = () => [...judging.actions(), deskActions];
const judging = new Judging({ reply: part('reply'), now: part('now'), points: part('points'), documents: part('documents') },
  { changed: () => keep(), said: (words) => notice(words), finished: () => open && doing(decide) }, layers);

const doing = oneAtATime(() => notice(t('You are signed out; your work is kept in this browser. Sign in in another window and go on.')));
const key = () => `searchain-desk ${name} gold ${open.item.id}`;
const labels = () => ({ ...judging.labels, comment: part('comment').value });
const reason = () => part('reason').value;

// Decisions are few: this browser keeps what is not decided yet.
function keep() {
  notice('');
  part('submit').classList.toggle('main', judging.isComplete);
  try { localStorage.setItem(key(), JSON.stringify({ ...labels(), reason: reason() })) } catch { /* a browser that keeps nothing */ }
}

function kept() {
  try { return JSON.parse(localStorage.getItem(key())) } catch { return null }
}

async function load() {
  let isAdmin = false;
  ({ name, items, number, decided, is_admin: isAdmin } = await call('adjudicate'));
  document.querySelectorAll('.admins').forEach((one) => { one.hidden = !isAdmin });
  progress();
}

const progress = () => { part('progress').textContent = t('{decided} of {number} disputed replies decided', { decided, number }) };
const undecided = () => items.find((one) => one.state !== 'decided')?.item;

async function show(id) {
  place = items.findIndex((one) => one.item === id);
  open = id === undefined ? null : await call(`adjudicate/${id}`);
  part('work').hidden = !open;
  part('empty').hidden = Boolean(open);
  if (!open) {
    judging.item = null;
    part('empty').textContent = items.length ? t('All replies with disagreement are decided. The list (l) opens them again.') : t('There is nothing to decide: on no reply that you did not judge yourself do two annotators differ. Replies appear here as soon as they do.');
    return;
  }
  notice('');
  part('question').replaceChildren(make('span', {}, open.item.question));
  const unfinished = kept();
  begin(unfinished ?? open.gold ?? null);
  if (unfinished) notice(t('This is what you had begun to decide.'), [[t('Begin anew'), () => {
    localStorage.removeItem(key());
    begin(open.gold ?? null);
    notice('');
  }]]);
  else if (open.gold) notice(items[place]?.state === 'outdated' ? t('This was decided, and labels changed since: decide again.')
    : t('This was decided. Decide again to change it; the earlier decision is kept.'));
  scrollTo(0, 0);
}

function begin(from) {
  const { columns, item } = open, [first] = columns.toSorted((a, b) => alike(b) - alike(a));
  const ready = prepared(item);
  part('comment').value = from?.comment ?? '';
  part('reason').value = from?.reason ?? '';
  judging.begin(item, from ?? agreed(ready, columns, first.labels), (point) => votes(judging.item, judging.labels, columns, point));
  part('submit').classList.toggle('main', judging.isComplete);
  part('columns').replaceChildren(make('h3', {}, t('Annotators')), make('ul', {}, columns.map((one) => make('li', {},
    make('span', { class: 'vote' }, one.letter), ' ',
    columns.some((other) => !areAlike(one.labels, other.labels)) && make('button', { type: 'button', class: 'tool', onclick: () => {
      judging.change(agreed(ready, columns, one.labels));
      judging.advance();
    } }, t('Take the {number} knowledge items of {letter}', { number: one.labels.knowledge_items.length, letter: one.letter })),
    one.labels.comment ? make('q', { dir: 'auto' }, one.labels.comment) : make('span', { class: 'quiet' }, ` ${t('no comment')}`)))));
}

const alike = (one) => open.columns.filter((other) => areAlike(one.labels, other.labels)).length;

async function decide() {
  const missing = judging.points.find((one) => one.isOpen);
  if (missing) {
    judging.go(missing.key);
    return notice(t('Not everything is decided yet: this is still open.'));
  }
  const wrong = judging.conflict;
  if (wrong) {
    judging.go(wrong.key);
    return notice(wrong.reason);
  }
  const { id } = open.item;
  try {
    await call(`adjudicate/${id}`, { labels: labels(), reason: reason(), state: open.state });
  } catch (error) {
    if (error.status !== 400) throw error;
    return notice(error.message, [[t('Open it again'), () => doing(async () => { await load(); await show(id) })]]);
  }
  try { localStorage.removeItem(key()) } catch { /* a browser that keeps nothing */ }
  const row = items.find((one) => one.item === id);
  if (row && row.state !== 'decided') {
    row.state = 'decided';
    decided += 1;
    progress();
  }
  if (!undecided() && decided < number) await load();  // the list holds the first of them alone
  return show(undecided());
}

const step = (by) => doing(async () => {
  const next = items[place + by];
  if (next) await show(next.item);
  else notice(by > 0 ? t('This is the last one of the list.') : t('This is the first one of the list.'));
});

const deskActions = {
  submit: () => open && doing(decide),
  next: () => step(1), previous: () => step(-1),
  undo: () => notice(t('There is nothing to undo.')),
  comment: () => open && part('comment').focus(),
  list: () => doing(async () => { await load(); disputes(items, (id) => doing(() => show(id))) }),
  guidelines: () => doing(guidelines),
  sheet: () => sheetOfKeys([...Object.keys(judging.item ? judging.ownActions() : {}), ...Object.keys(deskActions)]),
  leave,
};

const one = (action, words, of) => button(layers, action, null, of, words);
part('foot').replaceChildren(make('div', { class: 'acts' }, one('previous', t('Previous')), one('next', t('Next')), one('undo', t('Undo'))),
  button(layers, 'submit', null, { id: 'submit', class: 'submit' }, t('Decide')));
part('menu').prepend(one('list', t('Disputed replies')), one('guidelines', t('Guidelines')), one('sheet', t('Keys')));
for (const id of ['comment', 'reason']) part(id).addEventListener('input', keep);
listen(layers);
drawer();
doing(async () => {
  await load();
  await show(undecided());
});
