// The annotator's page: takes replies out of the queue, saves what is judged, submits it.

import { drawer, guidelines, list, notice, sheetOfKeys, skipping } from './drawers.js';
import { isTyping, make, part, time } from './dom.js';
import { Judging } from './judging.js';
import { badge, button, listen } from './keys.js';
import { Saving } from './saving.js';
import { call } from './server.js';
import { Timer } from './timer.js';

const STATES = { saving: 'Saving …', saved: 'Saved', kept: 'Not saved yet: kept in this browser', refused: 'Not saved' };
const RENEW = 60_000;  // milliseconds
const SOON = 180;  // seconds before the end of a lease, when it is shown

let me = null, task = null, isBusy = false, leaseEnds = null;
const before = [], passed = new Set();  // replies looked at, and those left begun, since the page was opened

const layers = () => [...judging.actions(), deskActions];
const judging = new Judging({ reply: part('reply'), now: part('now'), points: part('points'), documents: part('documents') },
  { changed: (labels) => keep(labels), said: (words) => notice(words) }, layers);
const timer = new Timer((seconds) => {
  const left = leaseEnds === null ? null : Math.round((leaseEnds - performance.now()) / 1000);
  part('timer').textContent = time(seconds) + (left !== null && left < SOON ? ` · ${left > 0 ? `kept for you ${time(left)}` : 'no longer kept for you'}` : '');
});
const saving = new Saving({
  state: (word) => {
    part('saved').textContent = STATES[word];
    part('saved').dataset.state = word;
  },
  saved: (answer, sent) => {
    if (task?.item.id !== sent.id) return;
    measures(answer.formula);
    leased(answer.lease);
  },
  refused: (error, sent) => {
    if (error.status === 401) signedOut();
    else if (error.status === 0) notice(`${error.message} Your work is kept in this browser and saved as soon as the desk answers.`);
    else if (task?.item.id === sent.id) notice(error.message, [['Next reply', () => another()]]);
  },
});

function keep(labels) {
  notice('');
  part('foot').querySelector('[data-action=submit]')?.classList.toggle('main', judging.isComplete);
  saving.changed(task.item.id, { ...labels, comment: part('comment').value }, () => timer.seconds, task.version);
}

// One thing at a time; what goes wrong is told, and the page stays as it is.
async function doing(act) {
  if (isBusy) return;
  isBusy = true;
  document.body.classList.add('is-busy');
  try {
    await act();
  } catch (error) {
    if (error.status === 401) signedOut();
    else notice(error.message ?? String(error));
    if (error.status === undefined) throw error;
  } finally {
    isBusy = false;
    document.body.classList.remove('is-busy');
  }
}

const signedOut = () => notice('You are signed out. Your work is kept in this browser: sign in, and it is saved.',
  [['Sign in', () => location.assign(`${document.body.dataset.home}sign-in?to=%2Fannotate`)]]);

function leased(seconds) {
  leaseEnds = seconds === null ? null : performance.now() + seconds * 1000;
  if (seconds === null && task.state === 'open' && !task.is_assigned) {
    notice('Others have taken this reply meanwhile. Your work is kept as a draft; it can be submitted when a place is free again.',
      [['Next reply', () => another()]]);
  }
}

function measures(lines) {
  const of = (name) => /= ([^=]*)$/.exec(lines[name])[1];
  const amp = of('amp');
  part('measures').querySelector('summary').textContent = `SKC ${of('skc_marked')} · strict ${of('skc_strict')} · AMP ${amp}`;
  part('measures').querySelector('div').replaceChildren(...Object.values(lines).map((line) => make('p', {}, line)));
}

function progress(values) {
  part('progress').textContent = `${values.submitted} by you · ${values.judgements} of ${values.wanted} in all`
    + (values.drafts ? ` · ${values.drafts} begun` : '');
}

// Shows a task; null: there is none.
function show(next) {
  if (task && task.item.id !== next?.item.id) before.push(task.item.id);
  task = next;
  notice('');
  part('work').hidden = !task;
  part('empty').hidden = Boolean(task);
  part('saved').textContent = '';
  if (!task) {
    judging.item = null;
    leaseEnds = null;
    timer.stop();
    part('empty').textContent = passed.size ? 'No other reply is waiting for you. Those that you began are under “Your replies” (l).'
      : 'No reply is waiting for you. Thank you! New ones appear here when they are put on the desk.';
    if (me.is_admin) part('empty').append(' ', make('a', { href: part('menu').querySelector('[href*=manage]').getAttribute('href') }, 'Put replies on it'));
    return;
  }
  part('question').textContent = '';
  part('question').append(make('span', {}, task.item.question));
  part('comment').value = task.labels.comment;
  timer.start(task.seconds);
  judging.begin(task.item, task.labels);
  measures(task.formula);
  leased(task.lease);
  if (task.state !== 'open') notice(task.state === 'submitted' ? 'You submitted this reply. Submit again to change your labels; the earlier ones stay in its history.'
    : 'You skipped this reply. Submit it to judge it after all.');
  unsaved();
  part('submit').classList.toggle('main', judging.isComplete);
  scrollTo(0, 0);
  part('now').focus({ preventScroll: true });
}

// What this browser has of the reply and the desk never had: kept when there was no connection, or the page was closed.
function unsaved() {
  const found = saving.found(task.item.id);
  if (!found || JSON.stringify(found.labels) === JSON.stringify(task.labels)) return saving.done(task.item.id);
  const use = () => {
    judging.begin(task.item, found.labels);
    part('comment').value = found.labels.comment;
    keep(found.labels);
  };
  return notice(`This browser has work on this reply from ${new Date(found.at).toLocaleString()} that the desk never got.`,
    [['Use it', use], ['Discard it', () => { saving.done(task.item.id); notice('') }]]);
}

async function another() {
  await saving.flush();
  if (task?.state === 'open') passed.add(task.item.id);
  await take();
}

async function take() {
  const answer = await call('next', { without: [...passed].slice(-1000) });
  progress(answer.progress);
  show(answer.task);
}

async function open(id) {
  await saving.flush();
  show((await call(`items/${id}/open`, {})).task);
}

async function submit() {
  const missing = judging.points.find((one) => one.isOpen);
  if (missing) {
    judging.go(missing.key);
    return notice('Not everything is judged yet: this is still open.');
  }
  await saving.flush();
  const { id } = task.item, labels = { ...judging.labels, comment: part('comment').value };
  try {
    progress((await call(`items/${id}/submit`, { labels, seconds: timer.seconds, version: task.version })).progress);
  } catch (error) {
    if (error.status !== 400 && error.status !== 404) throw error;
    return notice(error.message, [['Open it again', () => doing(() => open(id))], ['Next reply', () => doing(another)]]);
  }
  saving.done(id);
  passed.delete(id);
  await take();
}

async function undo() {
  await saving.flush();
  const answer = await call('undo', {});
  progress(answer.progress);
  if (!answer.task) return notice('There is nothing to take back.');
  show(answer.task);
  return notice('Taken back: this reply is open again, with your labels as a draft.');
}

async function skip(reason) {
  await saving.flush();
  const { id } = task.item;
  progress((await call(`items/${id}/skip`, { reason, seconds: timer.seconds })).progress);
  saving.done(id);
  await take();
}

// While somebody reads, the lease is renewed; what happened meanwhile elsewhere is told.
async function renew() {
  if (!task || isBusy || !timer.isActive || saving.pending) return;
  const { id } = task.item;
  try {
    const now = (await call(`items/${id}/open`, {})).task;
    if (task?.item.id !== id) return;
    leased(now.lease);
    if (now.version !== task.version) notice('This reply was judged in another window meanwhile.', [['Open it again', () => doing(() => open(id))]]);
  } catch (error) {
    if (error.status === 401) signedOut();
    else if (error.status !== 0 && task?.item.id === id) notice(error.message, [['Next reply', () => doing(another)]]);
  }
}

const deskActions = {
  submit: () => task && doing(submit),
  undo: () => doing(undo),
  next: () => doing(another),
  previous: () => doing(async () => {
    const id = before.pop();
    if (!id) return notice('There is no reply before this one; see “Your replies” (l).');
    await open(id);
    return before.pop();
  }),
  comment: () => task && part('comment').focus(),
  skip: () => task && skipping((reason) => doing(() => skip(reason))),
  list: () => doing(async () => list((await call('mine')).items, (id) => doing(() => open(id)))),
  guidelines: () => doing(guidelines),
  sheet: () => sheetOfKeys([...Object.keys(judging.ownActions()), ...Object.keys(deskActions)]),
  leave: () => {
    if (isTyping(document.activeElement)) document.activeElement.blur();
    notice('');
    part('now').focus({ preventScroll: true });
  },
};

function foot() {
  const one = (action, name, of) => button(layers, action, null, of, name);
  part('foot').replaceChildren(one('previous', 'Before'), one('next', 'Later'), one('undo', 'Undo'), one('skip', 'Skip'),
    button(layers, 'submit', null, { id: 'submit', class: 'submit' }, 'Submit'));
  part('menu').prepend(one('list', 'Your replies'), one('guidelines', 'Guidelines'), one('sheet', 'Keys'));
}

part('comment').addEventListener('input', () => keep(judging.labels));
listen(layers);
foot();
setInterval(renew, RENEW);
addEventListener('focus', renew);
drawer();
doing(async () => {
  me = await call('me');
  saving.as(me.name);
  part('menu').querySelector('.admin').hidden = !me.is_admin;
  await take();
});
