// The judgement that is being made, always in the same place.

import { make } from './dom.js';
import { badge, button } from './keys.js';
import { places, text, uncitedSaid } from './rules.js';
import { t } from './words.js';

export const WORDS = {
  complete: t('Complete'), partial: t('Partial'), none: t('No support'), contradicts: t('Contradicts'), cannot_tell: t('Cannot tell'),
  right: t('Right place'), elsewhere: t('Belongs elsewhere'), superfluous: t('Superfluous'),
  unneeded: t('Needs no mark'), missing: t('A mark is missing'), invented: t('No such document'), nothing: t('None of them'),
};
const ASKED = {
  support: t('Do its marked documents, taken together, support it?'),
  mark: t('Does the mark stand where it belongs?'),
  need: t('It bears no mark. Does it need one?'),
  uncited: t('It lacks support. Would one of the documents that were found, but not cited, support all of it?'),
};

export const short = (words, length = 90) => {
  const letters = Array.from(words.replace(/\s+/gu, ' ').trim());
  return letters.length <= length ? letters.join('') : `${letters.slice(0, length - 1).join('').trimEnd()}…`;
};

export function showPanel(judging) {
  const { point, parts, mode } = judging;
  parts.now.replaceChildren(...(point === null ? finished(judging) : mode?.kind === 'split' ? splitting(judging)
    : mode?.kind === 'elsewhere' ? placing(judging) : asking(judging)));
  parts.now.dataset.kind = mode?.kind ?? point?.kind ?? 'finished';
}

function head(judging, ask) {
  const { points, point, item, current } = judging;
  const same = points.filter((one) => one.kind === point.kind);
  const mark = point.kind === 'mark' ? item.marks[point.mark] : null;
  const what = mark ? [make('span', { class: 'chip' }, `[${mark.number}]`), ` ${current ? t('after') : t('which stands at no knowledge item')} `] : [];
  return [
    make('h2', { id: 'now-title' }, `${{ support: t('Support'), mark: t('Mark'), need: t('Missing marks'), uncited: t('Not cited') }[point.kind]} `,
      make('span', { class: 'quiet' }, t('{one} of {all}', { one: same.indexOf(same.find((one) => one.key === point.key)) + 1, all: same.length }))),
    make('p', { class: 'what' }, ...what, current && make('q', { lang: 'en', dir: 'auto' }, text(item, current))),
    make('p', { class: 'ask' }, ask),
  ];
}

function asking(judging) {
  const { point, labels, current, layers, item } = judging;
  const allowed = point.kind === 'mark' ? places(item, labels, item.marks[point.mark]) : null;
  const titles = new Map(item.uncited.map((one) => [`U${one.number}`, `U${one.number} ${short(one.title || t('Without a title'), 60)}`]));
  const options = (values, value) => make('div', { class: point.kind === 'uncited' ? 'others' : 'options', role: 'group', 'aria-label': ASKED[point.kind] },
    values.map((one, index) => button(layers, 'choose', index + 1, { 'aria-pressed': String(one === value), class: `option is-${one}`,
      disabled: point.follows || (allowed && !allowed.includes(one)) },
      make('span', { dir: 'auto' }, WORDS[one] ?? titles.get(one)), votes(judging, one))));
  const inner = point.kind === 'support' ? options(['complete', 'partial', 'none', 'contradicts', 'cannot_tell'], current.support)
    : point.kind === 'uncited' ? options(['nothing', ...titles.keys()], uncitedSaid(current))
    : point.kind === 'mark' ? options(['right', 'elsewhere', 'superfluous'], labels.marks.find((one) => one.mark === point.mark).place)
      : options(['unneeded', 'missing'], current.missing === null ? null : current.missing ? 'missing' : 'unneeded');
  return [...head(judging, ASKED[point.kind]), ...reason(judging), inner, ...belongs(judging), tools(judging)];
}

// Why there is nothing to choose.
function reason({ point, item }) {
  if (!point.follows) return [];
  const words = point.kind === 'support' ? t('None of its marks names a document that exists: nothing supports it.')
    : item.invented.has(point.mark) ? t('There is no such document: the mark is invented, and never right.')
      : t('This follows from the support: there is no other place for it to be judged.');
  return [make('p', { class: 'follows' }, words)];
}

function votes(judging, value) {
  const found = judging.votes(judging.point).filter((one) => one.value === value);
  return found.length ? make('span', { class: 'votes' }, found.map((one) => make('span', {
    class: 'vote', title: one.isSame ? t('Annotator {letter}', one) : t('Annotator {letter}, of other words: “{words}”', one) },
  one.letter, one.isSame ? '' : '≈'))) : null;
}

function belongs({ point, labels, item }) {
  const to = point.kind === 'mark' && labels.marks.find((one) => one.mark === point.mark).belongs_to;
  const one = to && labels.knowledge_items.find((other) => other.id === to);
  return one ? [make('p', { class: 'belongs' }, `${t('It belongs to')} `, make('q', { lang: 'en', dir: 'auto' }, text(item, one)))] : [];
}

function tools({ point, current, layers }) {
  const one = (action, name, of = {}) => button(layers, action, null, { class: 'tool', ...of }, name);
  return make('div', { class: 'tools', role: 'group', 'aria-label': t('This knowledge item') },
    current && [one('split', t('Split')), one('join', t('Join'), { title: t('With the next one') }), one('remove', t('Remove')), one('add', t('Add')),
      ['support', 'mark'].includes(point.kind) && one('evidence', t('Evidence'))],
    !current && one('add', t('Add')));
}

function placing(judging) {
  const { item, layers } = judging;
  return [...head(judging, t('To which knowledge item does it belong?')),
    make('div', { class: 'others', role: 'group', 'aria-label': t('Knowledge items') }, judging.others().map((one, index) => (
      make('button', { type: 'button', class: 'option', onclick: () => judging.belong(one.id) }, badge('choose', index + 1),
        make('span', { dir: 'auto' }, short(text(item, one))))))),
    make('div', { class: 'tools' }, button(layers, 'leave', null, { class: 'tool' }, t('Never mind')))];
}

function splitting(judging) {
  const { item, current, mode, layers } = judging;
  const ends = [current.start, ...mode.places, current.end];
  const words = ends.slice(0, -1).map((start, index) => [
    index > 0 && make('button', { type: 'button', class: 'gap', 'aria-current': index - 1 === mode.at && 'true',
      'aria-label': t('Split before “{words}”', { words: short(text(item, { start, end: ends[index + 1] }), 30) }), onclick: () => judging.splitAt(start) }),
    make('span', {}, text(item, { start, end: ends[index + 1] }).trimEnd())]);
  return [make('h2', { id: 'now-title' }, t('Split the knowledge item')),
    make('p', { class: 'ask' }, t('Where does the second one begin? Click between two words, or use ← → and Enter.')),
    make('p', { class: 'words', lang: 'en', dir: 'auto' }, words),
    make('div', { class: 'tools' }, button(layers, 'accept', null, { class: 'tool main' }, t('Split here')),
      button(layers, 'leave', null, { class: 'tool' }, t('Never mind')))];
}

function finished({ layers, isComplete, points }) {
  return [make('h2', { id: 'now-title' }, isComplete ? t('All is judged') : t('Something is still open')),
    make('p', { class: 'ask' }, !points.length ? t('This reply has no knowledge items and no marks.') : isComplete ? t('Look over it, then submit: Enter, or the button below.') : t('Look over it.')),
    make('div', { class: 'tools' }, button(layers, 'add', null, { class: 'tool' }, t('Add a knowledge item')))];
}
