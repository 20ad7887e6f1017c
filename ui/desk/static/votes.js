// The labels of several annotators beside one another: what each said of a judgement, and what they agree on.

import { citable, following, lacksSupport, marksOf, supported, needing, placed, points, text, uncitedSaid } from './rules.js';

const overlap = (one, other) => Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));
const isSame = (one, other) => one.start === other.start && one.end === other.end;

// The knowledge item of `labels` that covers most of `one`.
function nearest(labels, one) {
  const [best] = labels.knowledge_items.toSorted((a, b) => overlap(b, one) - overlap(a, one));
  return best && overlap(best, one) ? best : null;
}

// Whether two annotators mean the same knowledge items.
export const areAlike = (one, other) => one.knowledge_items.length === other.knowledge_items.length
  && one.knowledge_items.every((item, at) => isSame(item, other.knowledge_items[at]));

// What each column says of the point: [{ letter, value, isSame, words, to }]; `isSame`: of the very same words.
export function votes(item, labels, columns, point) {
  const own = labels.knowledge_items.find((one) => one.id === point.id);
  return columns.flatMap(({ letter, labels: theirs }) => {
    if (point.kind === 'mark') {
      const judged = theirs.marks.find((one) => one.mark === point.mark);
      const to = judged?.belongs_to ? theirs.knowledge_items.find((one) => one.id === judged.belongs_to) : null;
      return judged?.place ? [{ letter, value: judged.place, isSame: true, words: '', to }] : [];
    }
    const one = own && nearest(theirs, own);
    if (!one) return [];
    const bears = marksOf(item, theirs, one.id).length > 0;
    const value = point.kind === 'uncited' ? uncitedSaid(one) : point.kind === 'support' ? one.support : bears || one.missing === null ? null : one.missing ? 'missing' : 'unneeded';
    return value ? [{ letter, value, isSame: isSame(one, own), words: text(item, one), to: null }] : [];
  });
}

// Labels to begin with: the knowledge items of `column`, and every judgement on which all agree; the rest is open.
export function agreed(item, columns, column) {
  const evidence = (one) => columns.flatMap(({ labels }) => labels.knowledge_items.filter((other) => isSame(one, other))
    .flatMap((other) => other.evidence));
  let labels = {
    comment: '',
    knowledge_items: column.knowledge_items.map((one) => ({ ...one, support: null, missing: null, uncited: null,
      evidence: [...new Map(evidence(one).map((words) => [JSON.stringify(words), words])).values()] })),
    marks: column.marks.map(({ mark }) => ({ mark, place: null, belongs_to: null })),
  };
  labels = following(item, labels);
  const agree = (point) => {
    const found = votes(item, labels, columns, point), [first] = found;
    if (found.length < columns.length || found.some((one) => one.value !== first.value || !one.isSame)) return;
    if (point.follows) return;
    if (point.kind === 'support') labels = supported(item, labels, point.id, first.value);
    else if (point.kind === 'need') labels = needing(labels, point.id, first.value === 'missing');
    else if (point.kind === 'uncited') labels = citable(labels, point.id, Number(first.value.slice(1)) || 0);
    else if (first.value !== 'elsewhere') labels = placed(item, labels, point.mark, first.value);
    else {
      const to = found.every((one) => one.to && isSame(one.to, first.to)) && labels.knowledge_items.find((one) => isSame(one, first.to));
      if (to) labels = placed(item, labels, point.mark, 'elsewhere', to.id);
    }
  };
  points(item, labels).forEach(agree);
  labels.knowledge_items.filter((one) => lacksSupport(item, labels, one))
    .forEach(({ id }) => agree({ kind: 'uncited', id }));  // also where the study does not ask any more
  return labels;
}
