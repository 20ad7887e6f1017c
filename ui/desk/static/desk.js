// The annotator's page: takes replies out of the queue, saves what is judged, submits it.

import { drawer, guidelines, isBusy, leave, list, notice, oneAtATime, sheetOfKeys, skipping } from './drawers.js';
import { make, part, time } from './dom.js';
import { short } from './panel.js';
import { ask } from './guesses.js';
import { Judging } from './judging.js';
import { button, listen } from './keys.js';
import { Practice } from './practice.js';
import { Saving } from './saving.js';
import { call } from './server.js';
import { Timer } from './timer.js';
import { t } from './words.js';

const STATES = { saving: t('Saving …'), saved: t('Saved'), kept: t('Not saved yet: kept in this browser'), refused: t('Not saved') };
const RENEW = 60_000;  // milliseconds
const SOON = 180;  // seconds before the end of a lease, when it is shown

let wanted = new URLSearchParams(location.search).get('item');  // a reply that the chat put on the desk
let me = null, task = null, leaseEnds = null, changedBefore = 0;
const before = [], passed = new Set();  // replies looked at, and those left begun, since the page was opened

const layers = () => [...judging.actions(), deskActions];
const judging = new Judging({ reply: part('reply'), now: part('now'), points: part('points'), documents: part('documents') },
  { changed: (labels) => keep(labels), said: (words) => notice(words), finished: () => doing(submit) }, layers);
const practice = new Practice({ isAdmin: () => me.is_admin, show: (next) => show(next), doing: (act) => doing(act),
  through: () => { notice(t('You are ready: this is the first reply that counts.')); return take(true); } });
const timer = new Timer((seconds) => {
  const left = leaseEnds === null ? null : Math.round((leaseEnds - performance.now()) / 1000);
  const kept = left > 0 ? t('kept for you {time}', { time: time(left) }) : t('no longer kept for you');
  part('timer').textContent = left !== null && left < SOON ? `${time(seconds)} · ${kept}` : time(seconds);
});
const saving = new Saving({
  state: (word) => {
    part('saved').textContent = STATES[word];
    part('saved').dataset.state = word;
  },
  saved: (answer, sent) => {
    if (task?.item.id === sent.id) leased(answer.lease, answer.state);
  },
  refused: (error, sent) => {
    if (error.status === 401) signedOut();
    else if (error.status === 0) notice(`${error.message} ${t('Your work is kept in this browser and saved as soon as the desk answers.')}`);
    else if (task?.item.id === sent.id) notice(error.message, [[t('Next reply'), () => another()]]);
  },
});

function keep(labels) {
  notice('');
  part('foot').querySelector('[data-action=submit]')?.classList.toggle('main', judging.isComplete);
  if (practice.isOn) return;
  saving.changed(task.item.id, { ...labels, comment: part('comment').value }, () => timer.seconds, task.version);
}

const signedOut = () => notice(t('You are signed out. Your work is kept in this browser: sign in, and it is saved.'),
  [[t('Sign in'), () => location.assign(`${document.body.dataset.home}sign-in?to=%2Fannotate`)]]);
const doing = oneAtATime(signedOut);

function leased(seconds, state = task.state) {
  leaseEnds = seconds === null ? null : performance.now() + seconds * 1000;
  if (task.state === 'open' && state !== 'open') {
    notice(t('This reply was judged in another window meanwhile.'), [[t('Open it again'), () => doing(() => open(task.item.id))]]);
  } else if (seconds === null && state === 'open' && !task.is_assigned) {
    notice(t('The time for this reply was over, and others have taken it. Your work is kept as a draft: whoever runs the desk sees it, and can give one place more. Go on with another one.'), [[t('Next reply'), () => doing(another)]]);
  }
}

function progress(values) {
  part('progress').replaceChildren([values.share ? t('{submitted} of {share} replies judged by you', values) : values.submitted === 1 ? t('1 reply judged by you') : t('{submitted} replies judged by you', values),
    !values.share && t('{judgements} of {wanted} judgements by all', values), values.drafts && t('{drafts} left for later', values)].filter(Boolean).join(' · '), ...(values.changed ? [' · ',
    make('button', { type: 'button', class: 'changed', onclick: deskActions.list }, t('{changed} changed and not submitted again', values))] : []));
  changedBefore = values.changed;
}

// Shows a task; null: there is none.
function show(next) {
  if (task && task.item.id !== next?.item.id && !task.item.id.startsWith('example-')) before.push(task.item.id);
  task = next;
  notice('');
  part('work').hidden = !task;
  part('empty').hidden = Boolean(task);
  part('saved').textContent = '';
  if (!task) {
    judging.item = null;
    leaseEnds = null;
    timer.stop();
    part('empty').textContent = changedBefore ? (changedBefore === 1
      ? t('No other reply is waiting for you. One reply that you changed is not submitted again, and the earlier labels count: see “Your replies” (l).')
      : t('No other reply is waiting for you. {number} replies that you changed are not submitted again, and the earlier labels count: see “Your replies” (l).', { number: changedBefore })) : passed.size ? t('No other reply is waiting for you. Those that you left for later are under “Your replies” (l).')
      : t('No reply is waiting for you. Thank you! New ones appear here when they are put on the desk.');
    if (me.is_admin && !practice.isOn) part('empty').append(' ', ...begin());
    return;
  }
  part('question').textContent = '';
  part('question').append(make('span', {}, task.item.question));
  part('comment').value = task.labels.comment;
  timer.start(task.seconds);
  judging.begin(task.item, task.labels);
  leased(task.lease);
  if (practice.isOn) notice('');
  else if (task.state !== 'open') notice(task.state === 'submitted' ? t('You submitted this reply. Submit again to change your labels; the earlier ones stay in its history.')
    : t('You skipped this reply. Submit it to judge it after all.'));
  if (!practice.isOn) unsaved();
  part('submit').classList.toggle('main', judging.isComplete);
  scrollTo(0, 0);
  part('now').focus({ preventScroll: true });
}

// What whoever runs the desk can put on it at once. Afterwards the guidelines come first, for those who are new here.
function begin() {
  const put = (path, values, words) => make('button', { type: 'button', onclick: () => doing(async () => {
    const { added, skipped } = await call(path, values);
    if (!added) return notice(skipped ? t('They are on the desk already.') : t('There is no reply yet: ask something in the chat first.'));
    return take();
  }) }, words);
  return [put('manage/turns', { latest: 10 }, t('Judge my last ten replies')), ' ', put('manage/samples', {}, t('Try it with 24 sample answers')), ' ',
    make('a', { href: part('menu').querySelector('[href*=manage]').getAttribute('href') }, t('Import a file')),
    make('p', { class: 'quiet' }, t('What comes out: how often each system cites rightly, how far the annotators agree, and the labels as a file.'))];
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
  return notice(t('This browser has work on this reply from {time} that the desk never got.', { time: new Date(found.at).toLocaleString(document.documentElement.lang) }),
    [[t('Use it'), use], [t('Discard it'), () => { saving.done(task.item.id); notice('') }]]);
}

async function another() {
  if (practice.isOn) return notice(t('The examples come one after the other; submit this one to go on.'));
  await saving.flush();
  if (task?.state === 'open') passed.add(task.item.id);
  const left = task, before = changedBefore;
  await take();
  if (left?.state === 'submitted' && changedBefore > before) {
    notice(t('What you changed in the reply before is not submitted: its earlier labels count until you submit it again.'),
      [[t('Open it'), () => doing(() => open(left.item.id))]]);
  }
  return undefined;
}

// `isFirst`: what is said above stays.
async function take(isFirst = false) {
  const answer = await call('next', { without: [...passed].slice(-1000) });
  if (answer.practice) return practice.go(answer.practice);
  if (answer.has_ended) return location.assign(`${document.body.dataset.home}join`);
  if (wanted) {
    const id = wanted;
    wanted = null;
    progress(answer.progress);
    return open(id);
  }
  const said = isFirst ? part('notice').textContent : '';
  progress(answer.progress);
  show(answer.task);
  if (said && answer.task) notice(said);
  if (answer.guesses) ask(answer.guesses, (guesses) => doing(async () => { await call('guesses', { guesses }); notice(t('Thank you.')); await take(true); }));
  return undefined;
}

async function open(id) {
  await saving.flush();
  show((await call(`items/${id}/open`, {})).task);
}

async function submit() {
  const missing = judging.points.find((one) => one.isOpen);
  if (missing) {
    judging.go(missing.key);
    return notice(t('Not everything is judged yet: this is still open.'));
  }
  const wrong = judging.conflict;
  if (wrong) {
    judging.go(wrong.key);
    return notice(wrong.reason);
  }
  const { id } = task.item, labels = { ...judging.labels, comment: part('comment').value };
  if (practice.isOn) return practice.submit(labels, timer.seconds);
  await saving.flush();
  try {
    progress((await call(`items/${id}/submit`, { labels, seconds: timer.seconds, version: task.version })).progress);
  } catch (error) {
    if (error.status !== 400 && error.status !== 404) throw error;
    const isTaken = /others have judged it/.test(error.message);
    return notice(isTaken ? `${error.message}. ${t('Whoever runs the desk sees the draft, and can give one place more.')}` : error.message,
      [...(isTaken ? [] : [[t('Open it again'), () => doing(() => open(id))]]), [t('Next reply'), () => doing(another)]]);
  }
  saving.done(id);
  passed.delete(id);
  await take();
}

// Says which reply would be taken back, and takes it back when the person says so.
async function takeBack() {
  if (practice.isOn) return notice(t('There is nothing to take back among the examples.'));
  await saving.flush();
  const [last] = (await call('mine')).items.filter((one) => one.state !== 'open');
  if (!last) return notice(t('There is nothing to take back: you submitted and skipped no reply.'));
  return notice((last.state === 'skipped' ? t('Take back “{question}”, which you skipped last? It counts no longer until you submit it again.', { question: short(last.question, 80) })
    : t('Take back “{question}”, which you submitted last? It counts no longer until you submit it again.', { question: short(last.question, 80) })),
    [[t('Take it back'), () => doing(undo)], [t('Leave it'), () => notice('')]]);
}

async function undo() {
  const answer = await call('undo', {});
  progress(answer.progress);
  if (!answer.task) return notice(t('There is nothing to take back.'));
  show(answer.task);
  return notice(t('Taken back: this reply is open again, with your labels as a draft.'));
}

async function skip(reason) {
  await saving.flush();
  const { id } = task.item;
  progress((await call(`items/${id}/skip`, { reason, seconds: timer.seconds })).progress);
  saving.done(id);
  await take();
}

// While somebody reads, the lease is renewed; what happened elsewhere meanwhile is shown.
async function renew() {
  if (!task || practice.isOn || isBusy() || !timer.isActive || saving.pending) return;
  const { id } = task.item;
  try {
    const now = (await call(`items/${id}/open`, {})).task;
    if (task?.item.id !== id) return;
    leased(now.lease, now.state);
    if (now.version !== task.version) notice(t('This reply was judged in another window meanwhile.'), [[t('Open it again'), () => doing(() => open(id))]]);
  } catch (error) {
    if (error.status === 401) signedOut();
    else if (error.status !== 0 && task?.item.id === id) notice(error.message, [[t('Next reply'), () => doing(another)]]);
  }
}

const deskActions = {
  submit: () => task && doing(submit),
  undo: () => notice(t('There is nothing to undo on this reply. To take back the reply that you submitted or skipped last, use “Take back” (t).')),
  takeBack: () => doing(takeBack),
  next: () => doing(another),
  previous: () => doing(async () => {
    const id = before.pop();
    if (!id) return notice(t('There is no reply before this one; see “Your replies” (l).'));
    await open(id);
    return before.pop();
  }),
  comment: () => task && part('comment').focus(),
  skip: () => task && !practice.isOn && skipping((reason) => doing(() => skip(reason))),
  list: () => doing(async () => list((await call('mine')).items, (id) => doing(() => open(id)))),
  guidelines: () => doing(guidelines),
  sheet: () => sheetOfKeys([...Object.keys(judging.ownActions()), ...Object.keys(deskActions)]),
  leave,
};

function foot() {
  const one = (action, name, of) => button(layers, action, null, of, name);
  part('foot').replaceChildren(make('div', { class: 'acts' }, one('previous', t('Previous')), one('next', t('Leave for later')), one('undo', t('Undo')), one('takeBack', t('Take back')), one('skip', t('Skip'))),
    button(layers, 'submit', null, { id: 'submit', class: 'submit' }, t('Submit')));
  part('menu').prepend(one('list', t('Your replies')), one('guidelines', t('Guidelines')), one('sheet', t('Keys')));
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
  part('menu').querySelector('.admin').hidden = !me.decides;
  part('menu').querySelectorAll('.admins').forEach((one) => { one.hidden = !me.is_admin });
  if (!me.may_chat) document.querySelector('.home').removeAttribute('href');
  if (me.is_admin && !me.progress.items) return show(null);
  return take();
});
