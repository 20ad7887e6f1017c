// The reply with its knowledge items underlined and its marks as chips, and the list of all judgements.

import { make } from './dom.js';
import { WORDS, short } from './panel.js';
import { carrier, text, uncitedSaid } from './rules.js';
import { t } from './words.js';

const NOT_JUDGED = t('not judged');

// Its text content is the reply's own, letter for letter, so that a selection can be counted: what is said of it stands
// in attributes.
export function showReply(judging) {
  const { item, labels, point, parts } = judging;
  const places = new Map(labels.marks.map((one) => [one.mark, one.place]));
  const chip = (mark) => make('button', { type: 'button', tabindex: -1, class: `mark is-${places.get(mark.index) ?? 'open'}`,
    title: item.invented.has(mark.index) && WORDS.invented,
    'aria-current': point?.kind === 'mark' && point.mark === mark.index && 'true',
    'aria-label': t('Mark {place}, [{number}]: {judged}', { place: mark.index + 1, number: mark.number, judged: WORDS[places.get(mark.index)] ?? NOT_JUDGED }),
    'data-mark': mark.index, onclick: () => judging.go(`mark ${mark.index}`) }, text(item, mark));
  // The letters as Markdown means them to look: signs of its own are there, but not shown.
  const plain = (start, end) => {
    const made = [];
    for (let at = start; at < end;) {
      const look = item.looks[at];
      let to = at + 1;
      while (to < end && item.looks[to] === look) to += 1;
      const words = text(item, { start: at, end: to });
      made.push(look ? make('span', { class: look }, words) : words);
      at = to;
    }
    return made;
  };
  const run = (start, end) => {
    const inside = item.marks.filter((mark) => start <= mark.start && mark.end <= end), made = [];
    let at = start;
    for (const mark of inside) {
      made.push(...plain(at, mark.start), chip(mark));
      at = mark.end;
    }
    return [...made, ...plain(at, end)];
  };
  const made = [];
  let at = 0;
  for (const one of labels.knowledge_items) {
    made.push(...run(at, one.start), make('span', { class: `item ${said(judging, one)}`, 'data-item': one.id,
      'data-current': point?.id === one.id && 'true',
      onclick: (event) => { if (getSelection().isCollapsed && !event.target.closest('.mark')) judging.goItem(one.id) } },
    run(one.start, one.end)));
    at = one.end;
  }
  parts.reply.replaceChildren(...[...made, ...run(at, item.letters.length)].map((one) => (one instanceof Node ? one : make('span', {}, one))));
  parts.reply.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest' });
}

// Whether a knowledge item's own judgement is made, as a class.
function said({ item, labels }, one) {
  const bears = item.marks.some((mark) => carrier(item, labels, mark)?.id === one.id);
  return bears ? (one.support ? `is-${one.support}` : 'is-open') : one.missing ? 'is-missing' : one.missing === null ? 'is-open' : 'is-unmarked';
}

const TITLES = { support: t('Support'), mark: t('Places of the marks'), need: t('Without a mark'), uncited: t('Could it have been cited?') };

export function showPoints(judging) {
  const { parts, points } = judging;
  const groups = Object.keys(TITLES).map((kind) => points.filter((one) => one.kind === kind)).filter((those) => those.length);
  parts.points.replaceChildren(...groups.map((those) => make('section', {},
    make('h3', {}, TITLES[those[0].kind], ' ', make('span', { class: 'quiet' }, t('{one} of {all}', { one: those.filter((one) => !one.isOpen).length, all: those.length }))),
    make('ul', {}, those.map((one) => make('li', {}, line(judging, one)))))));
}

function line(judging, point) {
  const { item, labels } = judging;
  const one = labels.knowledge_items.find((other) => other.id === point.id);
  const mark = point.kind === 'mark' ? labels.marks.find((other) => other.mark === point.mark) : null;
  const value = point.kind === 'uncited' ? uncitedSaid(one) : point.kind === 'support' ? one.support : point.kind === 'mark' ? mark.place : one.missing === null ? null : one.missing ? 'missing' : 'unneeded';
  const words = WORDS[value] ?? value ?? t('to judge');
  const to = mark?.belongs_to && labels.knowledge_items.find((other) => other.id === mark.belongs_to);
  const votes = judging.votes(point), isDisputed = new Set(votes.map((other) => other.value)).size > 1;
  return make('button', { type: 'button', class: 'point', 'data-point': point.key, 'aria-current': judging.cursor === point.key && 'true',
    onclick: () => judging.go(point.key) },
  make('span', { class: `value is-${value ?? 'open'}` }, words),
  make('span', { class: 'words', lang: 'en', dir: 'auto' }, point.kind === 'mark' && make('span', { class: 'chip' }, `[${item.marks[point.mark].number}]`),
    ' ', one ? short(text(item, one)) : t('at no knowledge item'), to ? ` → ${short(text(item, to), 40)}` : ''),
  votes.length > 0 && make('span', { class: `votes${isDisputed ? ' is-disputed' : ''}` }, votes.map((other) => (
    make('span', { class: 'vote' }, `${other.letter} ${(WORDS[other.value] ?? other.value).replace(/^./, (first) => first.toLowerCase())}${other.isSame ? '' : ' ≈'}`)))));
}
