import { looks } from './markdown.js';
import { t } from './words.js';

// The protocol's rules as searchain/annotation/protocol.py and labels.py state them, over values that never change:
// every function gives new labels. Offsets count code points.

const WORD = /[\p{L}\p{N}_█]/u;
export const BACKINGS = ['complete', 'partial', 'none', 'contradicts', 'cannot_tell'];
export const PLACES = ['right', 'elsewhere', 'superfluous'];

// The reply ready for work: its letters (one an entry), the same with blanks for marks, and the marks without a document.
export function prepared(item) {
  const letters = Array.from(item.answer), plain = [...letters], numbers = new Set(item.sources.map((one) => one.number));
  for (const mark of item.marks) plain.fill(' ', mark.start, mark.end);
  return { ...item, letters, plain, looks: looks(letters), invented: new Set(item.marks.filter((mark) => !numbers.has(mark.number)).map((mark) => mark.index)) };
}

export const text = (item, { start, end }) => item.letters.slice(start, end).join('');
const hasWord = (item, start, end) => WORD.test(item.plain.slice(start, end).join(''));

// The knowledge item that bears the mark: the last one that begins before it, unless a later sentence says something
// between the two.
export function carrier(item, labels, mark) {
  const last = labels.knowledge_items.findLast((one) => one.start <= mark.start);
  if (!last) return null;
  const own = item.sentences.find((one) => one.start < last.end && last.end <= one.end)?.end ?? last.end;
  const from = Math.max(own, last.end);
  return hasWord(item, from, Math.max(from, mark.start)) ? null : last;
}

export const marksOf = (item, labels, id) => item.marks.filter((mark) => carrier(item, labels, mark)?.id === id);
// Those of them that name a document.
const documented = (item, labels, id) => marksOf(item, labels, id).filter((mark) => !item.invented.has(mark.index));

// The knowledge items that the mark could belong to instead: those without a mark of its document.
export function others(item, labels, mark) {
  const own = carrier(item, labels, mark)?.id;
  return labels.knowledge_items.filter((one) => one.id !== own
    && !marksOf(item, labels, one.id).some((other) => other.number === mark.number));
}

// What can be said of the mark beside what is said of its knowledge item.
export function places(item, labels, mark) {
  if (item.invented.has(mark.index)) return ['invented'];
  const one = carrier(item, labels, mark), support = one?.support ?? null;
  const isAlone = one && documented(item, labels, one.id).length === 1;
  const isNotRight = !one || support === 'none' || (isAlone && support === 'contradicts');
  if (isAlone && (support === 'complete' || support === 'partial')) return ['right'];
  return PLACES.filter((place) => (place === 'right' ? !isNotRight : place === 'elsewhere' ? others(item, labels, mark).length > 0 : true));
}

// Why what is said of the knowledge item's marks cannot be, together with its support; '' when it can.
export function conflict(item, labels, id) {
  const support = labels.knowledge_items.find((one) => one.id === id)?.support, marks = documented(item, labels, id);
  const said = marks.map((mark) => labels.marks.find((one) => one.mark === mark.index).place);
  if (marks.length < 2 || said.includes(null)) return '';
  if ((support === 'complete' || support === 'partial') && !said.includes('right')) {
    return support === 'complete' ? t('It is supported completely, so that at least one of its marks is right. Change one of the two.')
      : t('It is supported partly, so that at least one of its marks is right. Change one of the two.');
  }
  return support === 'contradicts' && said.every((place) => place === 'right')
    ? t('A document contradicts it, so that at least one of its marks is not right. Change one of the two.') : '';
}

// The labels with what follows from them: the place of a mark that leaves no choice, the support of what has no document.
export function following(item, labels) {
  const bears = new Map(labels.knowledge_items.map((one) => [one.id, marksOf(item, labels, one.id)]));
  const isBare = (one) => bears.get(one.id).length > 0 && bears.get(one.id).every((mark) => item.invented.has(mark.index));
  const bare = { ...labels, knowledge_items: labels.knowledge_items.map((one) => (isBare(one) ? { ...one, support: 'none', evidence: [] } : one)) };
  const next = { ...bare, knowledge_items: bare.knowledge_items.map((one) => (lacksSupport(item, bare, one) ? one : { ...one, uncited: null })) };
  return { ...next, marks: next.marks.map((one) => {
    const mark = item.marks[one.mark], allowed = places(item, next, mark);
    if (!allowed.includes(one.place)) return { mark: one.mark, place: allowed.length === 1 ? allowed[0] : null, belongs_to: null };
    const isGone = one.place === 'elsewhere' && !others(item, next, mark).some((other) => other.id === one.belongs_to);
    return isGone ? { mark: one.mark, place: null, belongs_to: null } : one;
  }) };
}

// Only then it is asked if an uncited document would support the knowledge item, and what was said of it is kept.
export const lacksSupport = (item, labels, one) => (
  marksOf(item, labels, one.id).length ? Boolean(one.support) && one.support !== 'complete' : one.missing === true);
const isAsked = (item, labels, one) => item.uncited.length > 0 && lacksSupport(item, labels, one);
export const citable = (labels, id, uncited) => changed(labels, id, { uncited });
// As one of the answers on the page.
export const uncitedSaid = ({ uncited = null }) => (uncited === null ? null : uncited ? `U${uncited}` : 'nothing');

// Every judgement there is, in the order of judging; `isOpen`: still to be made; `follows`: it leaves no choice.
export function points(item, labels) {
  const bearers = new Map(item.marks.map((mark) => [mark.index, carrier(item, labels, mark)?.id ?? null]));
  const marked = new Set(bearers.values());
  const supports = labels.knowledge_items.filter((one) => marked.has(one.id)).map((one) => (
    { key: `support ${one.id}`, kind: 'support', id: one.id, isOpen: one.support === null, follows: !documented(item, labels, one.id).length }));
  const said = new Map(labels.marks.map((one) => [one.mark, one]));
  const marks = item.marks.map((mark) => ({ key: `mark ${mark.index}`, kind: 'mark', mark: mark.index,
    id: bearers.get(mark.index), isOpen: !said.get(mark.index)?.place, follows: places(item, labels, mark).length === 1 }));
  const needs = labels.knowledge_items.filter((one) => !marked.has(one.id)).map((one) => (
    { key: `need ${one.id}`, kind: 'need', id: one.id, isOpen: one.missing === null, follows: false }));
  const uncited = labels.knowledge_items.filter((one) => isAsked(item, labels, one)).map((one) => (
    { key: `uncited ${one.id}`, kind: 'uncited', id: one.id, isOpen: uncitedSaid(one) === null, follows: false }));
  return [...supports, ...marks, ...needs, ...uncited];
}

const changed = (labels, id, values) => ({ ...labels, knowledge_items: labels.knowledge_items.map((one) => (
  one.id === id ? { ...one, ...values } : one)) });
// Without a support the places that followed from it are open, too.
export function supported(item, labels, id, support) {
  const borne = support === null ? marksOf(item, labels, id).map((mark) => mark.index) : [];
  const marks = labels.marks.map((one) => (borne.includes(one.mark) ? { mark: one.mark, place: null, belongs_to: null } : one));
  return following(item, changed({ ...labels, marks }, id, { support }));
}
export const needing = (labels, id, missing) => changed(labels, id, missing ? { missing } : { missing, uncited: null });
export const placed = (item, labels, mark, place, belongs_to = null) => following(item, { ...labels, marks: labels.marks.map((one) => (
  one.mark === mark ? { mark, place, belongs_to } : one)) });

export function withEvidence(labels, id, words) {
  const one = labels.knowledge_items.find((other) => other.id === id);
  const isSame = (other) => other.number === words.number && other.start === words.start && other.end === words.end;
  return changed(labels, id, { evidence: one.evidence.some(isSame) ? one.evidence.filter((other) => !isSame(other))
    : [...one.evidence, words] });
}

// The labels with other knowledge items. A judgement that was made of other words or other marks is open again.
function settled(item, before, items) {
  const labels = { ...before, knowledge_items: items.toSorted((a, b) => a.start - b.start) };
  const bearers = (of) => new Map(item.marks.map((mark) => [mark.index, carrier(item, of, mark)?.id ?? null]));
  const was = bearers(before), is = bearers(labels), ids = new Set(labels.knowledge_items.map((one) => one.id));
  const borne = (by, id) => [...by].filter(([, bearer]) => bearer === id).map(([mark]) => mark).join();
  return following(item, {
    ...labels,
    knowledge_items: labels.knowledge_items.map((one) => (!borne(is, one.id) ? { ...one, support: null, evidence: [] }
      : { ...one, missing: null, support: borne(was, one.id) === borne(is, one.id) ? one.support : null })),
    marks: labels.marks.map((one) => {
      const bearer = is.get(one.mark);
      const isLost = one.place === 'right' ? bearer === null || bearer !== was.get(one.mark)
        : one.belongs_to !== null && (!ids.has(one.belongs_to) || one.belongs_to === bearer);
      return isLost ? { mark: one.mark, place: null, belongs_to: null } : one;
    }),
  });
}

function fresh(labels) {
  const used = labels.knowledge_items.map((one) => Number(/^k(\d+)$/.exec(one.id)?.[1] ?? 0));
  return `k${Math.max(0, ...used) + 1}`;
}

const stretch = (id, start, end) => ({ id, start, end, support: null, evidence: [], missing: null, uncited: null });

function trimmed(item, start, end) {
  const isEdge = (at) => /[\s,;:.!?…–—]/u.test(item.plain[at]);
  while (start < end && isEdge(start)) start += 1;
  while (start < end && isEdge(end - 1)) end -= 1;
  return [start, end];
}

// The knowledge item cut in two before the letter `at`; null when one part would hold no word.
export function split(item, labels, id, at) {
  const one = labels.knowledge_items.find((other) => other.id === id);
  const first = trimmed(item, one.start, at), second = trimmed(item, at, one.end);
  if (!hasWord(item, ...first) || !hasWord(item, ...second)) return null;
  const others = labels.knowledge_items.filter((other) => other.id !== id);
  return settled(item, labels, [...others, stretch(id, ...first), stretch(fresh(labels), ...second)]);
}

// Where words begin inside the knowledge item, but for the first.
export function gaps(item, one) {
  const found = [];
  for (let at = one.start + 1; at < one.end; at += 1) {
    if (/\s/u.test(item.plain[at - 1]) && !/\s/u.test(item.plain[at]) && hasWord(item, one.start, at)) found.push(at);
  }
  return found.filter((at) => hasWord(item, at, one.end));
}

// Joined with the next one; null when it is the last.
export function joined(item, labels, id) {
  const at = labels.knowledge_items.findIndex((one) => one.id === id), next = labels.knowledge_items[at + 1];
  if (!next) return null;
  const others = labels.knowledge_items.filter((one) => one.id !== id && one.id !== next.id);
  return settled(item, labels, [...others, stretch(id, labels.knowledge_items[at].start, next.end)]);
}

export const without = (item, labels, id) => settled(item, labels,
  labels.knowledge_items.filter((one) => one.id !== id));

// A new knowledge item; others give way. [labels, its id], or null when there are no words.
export function added(item, labels, start, end) {
  [start, end] = trimmed(item, start, end);
  if (!hasWord(item, start, end)) return null;
  const kept = [];
  let names = labels;
  const fresher = () => {
    const id = fresh(names);
    names = { knowledge_items: [...names.knowledge_items, { id }] };
    return id;
  };
  for (const one of labels.knowledge_items) {
    if (one.end <= start || end <= one.start) kept.push(one);
    else [[one.start, start], [end, one.end]].map(([from, to]) => trimmed(item, from, Math.max(from, to)))
      .filter(([from, to]) => from < to && hasWord(item, from, to))
      .forEach((limits, index) => kept.push(stretch(index ? fresher() : one.id, ...limits)));
  }
  const id = fresher();
  return [settled(item, labels, [...kept, stretch(id, start, end)]), id];
}

// The first stretch behind `from` (or else the first of all) that says something and is in no knowledge item.
export function uncovered(item, labels, from) {
  const found = [];
  for (const { start, end } of item.sentences) {
    let at = start;
    for (const one of [...labels.knowledge_items, { start: end, end }].filter((other) => start <= other.start && other.start <= end)) {
      const limits = trimmed(item, at, Math.max(at, Math.min(one.start, end)));
      if (limits[0] < limits[1] && hasWord(item, ...limits)) found.push(limits);
      at = Math.max(at, one.end);
    }
  }
  return found.find(([start]) => start >= from) ?? found[0] ?? null;
}
