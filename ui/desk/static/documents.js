// The documents: those that the current judgement is about open and first, the others folded.

import { make, part } from './dom.js';
import { button } from './keys.js';
import { marksOf } from './rules.js';
import { short } from './panel.js';
import { t } from './words.js';

const SEGMENTS = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'sentence' }) : null;

// The numbers of the documents that the current judgement is about, the mark's own first.
function numbers({ item, labels, point }) {
  const own = point?.kind === 'mark' ? [item.marks[point.mark]] : [];
  const others = point?.id ? marksOf(item, labels, point.id) : [];
  return [...new Set([...own, ...others].filter((mark) => !item.invented.has(mark.index)).map((mark) => mark.number))];
}

// The sentences of these documents, in code points of each text: { number, start, end }.
export function sentences(judging) {
  return numbers(judging).flatMap((number) => cut(judging.item.sources.find((one) => one.number === number)));
}

function cut(source) {
  const found = [];
  let at = 0;
  for (const { segment } of SEGMENTS ? SEGMENTS.segment(source.text) : [{ segment: source.text }]) {
    const letters = Array.from(segment), words = Array.from(segment.trim());
    const start = at + letters.length - Array.from(segment.trimStart()).length;
    if (words.length) found.push({ number: source.number, start, end: start + words.length });
    at += letters.length;
  }
  return found;
}

export function showDocuments(judging) {
  const { item, parts, current, mode, point } = judging;
  const wanted = numbers(judging), evidence = current?.evidence ?? [];
  const key = JSON.stringify([item.id, wanted, evidence, current?.id, mode?.kind === 'evidence' ? mode.found[mode.at] : null, point === null, point?.kind === 'uncited']);
  if (parts.documents.dataset.shown === key) return;
  parts.documents.dataset.shown = key;
  const others = item.sources.filter((one) => !wanted.includes(one.number));
  const cards = wanted.map((number) => card(judging, item.sources.find((one) => one.number === number), true));
  const before = parts.documents.scrollTop, isSame = parts.documents.dataset.wanted === `${item.id} ${wanted}`;
  parts.documents.dataset.wanted = `${item.id} ${wanted}`;
  parts.documents.replaceChildren(...[
    ...(point?.kind === 'uncited' ? uncited(item, true) : []),
    make('h2', {}, wanted.length ? t('Marked documents') : item.sources.length ? t('Documents') : t('There are no documents')),
    mode?.kind === 'evidence' && make('p', { class: 'hint' }, t('↑ ↓ chooses a sentence, Enter takes it or leaves it, Esc ends.')),
    make('p', { class: 'take' }, button(judging.layers, 'evidence', null, {}, t('Take the selected words as evidence'))),
    ...cards,
    ...(others.length && wanted.length ? [make('h3', {}, t('Other documents of the reply'))] : []),
    ...others.map((source) => card(judging, source, point === null)),
    ...(point?.kind === 'uncited' ? [] : uncited(item, false))].filter(Boolean));
  parts.documents.scrollTop = isSame ? before : 0;
  parts.documents.querySelector('.is-chosen')?.scrollIntoView({ block: 'nearest' });
}

// What was found and is not cited: folded unless asked about, and no evidence.
function uncited({ uncited: found }, isOpen) {
  return found.length ? [make('details', { class: 'uncited', open: isOpen }, make('summary', {}, t('Found, but not cited: {number}', { number: found.length })),
    !isOpen && make('p', { class: 'quiet' }, t('These do not count for support.')),
    found.map((source) => make('details', { class: 'document', open: isOpen }, make('summary', {}, make('span', { class: 'chip' }, `U${source.number}`), ' ', make('bdi', {}, source.title || t('Without a title'))),
      address(source.url), make('p', { class: 'text', lang: 'en', dir: 'auto' }, source.text || NO_TEXT))))] : [];
}

// Finds words in a long document: Enter goes to the next place, and selects it.
function finder() {
  let at = -1;
  const find = (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const box = event.target.closest('.document').querySelector('.text'), wanted = event.target.value.toLowerCase();
    const whole = box.textContent.toLowerCase();
    at = wanted ? whole.indexOf(wanted, at + 1) : -1;
    if (at < 0 && wanted) at = whole.indexOf(wanted);
    event.target.classList.toggle('is-wrong', at < 0 && wanted !== '');
    if (at >= 0) choose(box, at, at + wanted.length);
  };
  return make('p', {}, make('input', { type: 'search', class: 'find', placeholder: t('Find in this document'), 'aria-label': t('Find in this document'), onkeydown: find }));
}

function choose(box, start, end) {
  const range = document.createRange(), walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(), at = 0; node; at += node.length, node = walker.nextNode()) {
    if (at <= start && start < at + node.length) range.setStart(node, start - at);
    if (at < end && end <= at + node.length) range.setEnd(node, end - at);
  }
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  const panel = part('documents'), place = range.getBoundingClientRect().top, seen = panel.getBoundingClientRect();
  if (panel.scrollHeight > panel.clientHeight + 1) panel.scrollTop += place - seen.top - 80;
  else scrollBy(0, place - innerHeight / 3);
}

const LONG = 1500;  // letters
const NO_TEXT = t('The text of this document was not given.');

function card(judging, source, isOpen) {
  const head = [make('span', { class: 'chip' }, `[${source.number}]`), ' ', make('bdi', {}, source.title || t('Without a title'))];
  return make('details', { class: 'document', open: isOpen, 'data-number': source.number },
    make('summary', {}, head), address(source.url), source.text.length > LONG && finder(), source.text
      ? make('p', { class: 'text', lang: 'en', dir: 'auto', 'data-text': source.number }, body(judging, source)) : make('p', { class: 'quiet' }, NO_TEXT));
}

// Only a plain web address becomes a link.
function address(url) {
  if (!url) return null;
  const shown = short(url, 80);
  return make('p', { class: 'address' }, /^https?:\/\/[^\s]+$/i.test(url)
    ? make('a', { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' }, shown) : shown);
}

function body({ current, mode }, source) {
  const letters = Array.from(source.text), evidence = (current?.evidence ?? []).filter((one) => one.number === source.number);
  const chosen = mode?.kind === 'evidence' && mode.found[mode.at].number === source.number ? mode.found[mode.at] : null;
  const limits = [...evidence, ...(chosen ? [chosen] : [])].flatMap((one) => [one.start, one.end]);
  const ends = [...new Set([0, ...limits, letters.length])].sort((a, b) => a - b);
  const isIn = (one, start) => one.start <= start && start < one.end;
  return ends.slice(0, -1).map((start, index) => {
    const words = letters.slice(start, ends[index + 1]).join('');
    const classes = [evidence.some((one) => isIn(one, start)) && 'is-evidence', chosen && isIn(chosen, start) && 'is-chosen'].filter(Boolean);
    return classes.length ? make('mark', { class: classes.join(' ') }, words) : words;
  });
}
