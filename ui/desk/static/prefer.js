// Two replies to one question side by side: which one is better? Left and right were drawn by lot.

import { isTyping, make, part } from './dom.js';
import { drawer, notice } from './drawers.js';
import { prepared, text } from './rules.js';
import { call } from './server.js';
import { Timer } from './timer.js';
import { t } from './words.js';

const CHOICES = [['left', t('The left one')], ['right', t('The right one')], ['both', t('Both are as good')], ['neither', t('Both are as bad')]];
let pair = null, isBusy = false;
const timer = new Timer(() => {});

async function doing(act) {
  if (isBusy) return;
  isBusy = true;
  try {
    await act();
  } catch (error) {
    notice(error.message, error.status === 400 || error.status === 404 ? [[t('Next pair'), () => doing(take)]] : []);
    if (error.status === undefined) throw error;
  } finally { isBusy = false }
}

// The letters as they are, marks as chips, Markdown as it is meant to look.
function reply(raw) {
  const item = prepared(raw), made = [];
  const marks = new Map(item.marks.map((mark) => [mark.start, mark]));
  for (let at = 0; at < item.letters.length;) {
    const mark = marks.get(at);
    if (mark) {
      made.push(make('span', { class: `chip${item.invented.has(mark.index) ? ' is-invented' : ''}`,
        title: item.invented.has(mark.index) ? t('No such document') : null }, text(item, mark)));
      at = mark.end;
      continue;
    }
    let to = at + 1;
    while (to < item.letters.length && item.looks[to] === item.looks[at] && !marks.has(to)) to += 1;
    made.push(make('span', { class: item.looks[at] || null }, text(item, { start: at, end: to })));
    at = to;
  }
  return made;
}

const side = (name, item) => make('section', { class: 'side', 'aria-label': name }, make('h2', {}, name),
  make('div', { class: 'text', lang: 'en', dir: 'auto' }, reply(item)),
  item.sources.map((source) => make('details', { class: 'document' }, make('summary', {}, make('span', { class: 'chip' }, `[${source.number}]`), ' ',
    make('bdi', {}, source.title || t('Without a title'))), make('p', { class: 'text', lang: 'en', dir: 'auto' }, source.text || t('The text of this document was not given.')))));

async function take() {
  const answer = await call('prefer', {});
  pair = answer.pair;
  notice('');
  part('prefer').hidden = !pair;
  part('empty').hidden = Boolean(pair);
  part('progress').textContent = pair ? (answer.left === 1 ? t('1 pair left for you') : t('{left} pairs left for you', answer)) : '';
  if (!pair) {
    part('empty').textContent = t('No pair of replies is waiting for you. Thank you!');
    return timer.stop();
  }
  part('question').textContent = pair.question;
  part('comment').value = '';
  part('sides').replaceChildren(side(t('Left'), pair.left), side(t('Right'), pair.right));
  timer.start(0);
  scrollTo(0, 0);
  return undefined;
}

const choose = (choice) => pair && doing(async () => {
  await call(`prefer/${pair.id}`, { choice, seconds: timer.seconds, comment: part('comment').value });
  await take();
});

part('choices').replaceChildren(...CHOICES.map(([value, words], index) => make('button', { type: 'button', class: 'option', 'data-choice': value,
  'aria-keyshortcuts': `${index + 1}`, onclick: () => choose(value) }, make('kbd', { 'aria-hidden': 'true' }, index + 1), words)));
document.addEventListener('keydown', (event) => {
  const found = CHOICES[Number(event.key) - 1];
  if (!found || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  choose(found[0]);
});
drawer();
doing(take);
