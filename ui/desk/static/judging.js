// The work on one reply: its labels, where the annotator is, and what each key does to them.

import { selected } from './dom.js';
import * as rules from './rules.js';
import { showDocuments, sentences } from './documents.js';
import { showPanel } from './panel.js';
import { showPoints, showReply } from './reply.js';
import { t } from './words.js';

const MOST_UNDONE = 200;

// `parts`: reply, now, points, documents. `on`: changed(labels), said(message), finished(). `actions()`: all layers, for buttons.
export class Judging {
  constructor(parts, on, actions) {
    Object.assign(this, { parts, on, layers: actions, past: [], item: null });
    document.addEventListener('selectionchange', () => this.pick());
  }

  // `votes(point)`: [{ letter, value, isSame }] of other people, for adjudication.
  begin(item, labels, votes = () => []) {
    const ready = rules.prepared(item);
    Object.assign(this, { item: ready, labels: rules.following(ready, labels), votes, past: [], mode: null, picked: null });
    this.comment = labels.comment;
    this.cursor = null;
    this.advance();
  }

  get points() { return rules.points(this.item, this.labels) }
  get point() { return this.points.find((one) => one.key === this.cursor) ?? null }
  get isComplete() { return !this.points.some((one) => one.isOpen) }
  // The first knowledge item whose judgements cannot be true together: { key, reason }; null without any.
  get conflict() {
    for (const { id } of this.labels.knowledge_items) {
      const reason = rules.conflict(this.item, this.labels, id);
      if (reason) return { key: `support ${id}`, reason };
    }
    return null;
  }

  get current() { return this.labels.knowledge_items.find((one) => one.id === this.point?.id) ?? null }

  change(labels, cursor = this.cursor) {
    this.past.push(this.labels);
    this.past.splice(0, Math.max(0, this.past.length - MOST_UNDONE));
    this.labels = labels;
    this.go(cursor);
    this.on.changed(labels);
  }

  // To that judgement; where it is gone, to the first open one. Without a key: all is judged.
  go(key) {
    const points = this.points;
    this.cursor = key === null || points.some((one) => one.key === key) ? key
      : (points.find((one) => one.isOpen) ?? points[0])?.key ?? null;
    this.mode = null;
    this.show();
  }

  // To the next open judgement, then to the end.
  advance() {
    const points = this.points, at = points.findIndex((one) => one.key === this.cursor);
    const ahead = [...points.slice(at + 1), ...points.slice(0, at + 1)];
    this.go(ahead.find((one) => one.isOpen)?.key ?? null);
  }

  move(step) {
    const points = this.points, at = points.findIndex((one) => one.key === this.cursor);
    const to = at < 0 ? (step > 0 ? 0 : points.length - 1) : Math.min(Math.max(at + step, 0), points.length - 1);
    this.go(points[to]?.key ?? null);
  }

  moveItem(step) {
    const items = this.labels.knowledge_items, at = items.findIndex((one) => one.id === this.point?.id);
    this.goItem(items[at < 0 ? (step > 0 ? 0 : items.length - 1) : Math.min(Math.max(at + step, 0), items.length - 1)]?.id);
  }

  goItem(id) {
    const point = this.points.find((one) => one.id === id);
    if (point) this.go(point.key);
  }

  // What people selected last, in the reply or in a document.
  pick() {
    if (!this.item) return;
    const inReply = selected(this.parts.reply);
    const texts = inReply ? [] : [...this.parts.documents.querySelectorAll('[data-text]')];
    const words = texts.map((one) => ({ number: Number(one.dataset.text), ...selected(one) })).find((one) => 'start' in one);
    if (inReply || words) this.picked = inReply ?? words;
    else if (!getSelection().isCollapsed || this.parts.reply.contains(getSelection().anchorNode)
      || this.parts.documents.contains(getSelection().anchorNode)) this.picked = null;
    for (const [one, isThere] of [['has-words', this.picked?.number !== undefined], ['has-stretch', this.picked && this.picked.number === undefined]]) {
      document.body.classList.toggle(one, Boolean(isThere));
    }
  }

  picks(isOfDocument) {
    const found = this.picked && (this.picked.number !== undefined) === isOfDocument ? this.picked : null;
    if (found) {
      this.picked = null;
      getSelection().removeAllRanges();
      this.pick();
    }
    return found;
  }

  // What the keys do, the innermost layer first.
  actions() {
    return this.item ? [...(this.mode ? [this[`${this.mode.kind}Actions`]()] : []), this.ownActions()] : [];
  }

  ownActions() {
    return {
      choose: (number) => this.choose(number),
      accept: () => this.accept(),
      missing: () => this.missing(),
      clear: () => this.clear(),
      evidence: () => this.evidence(),
      down: () => this.move(1), up: () => this.move(-1),
      right: () => this.moveItem(1), left: () => this.moveItem(-1),
      split: () => this.split(), join: () => this.join(), remove: () => this.remove(), add: () => this.add(),
      ...(this.past.length ? { undo: () => this.undo() } : {}),
    };
  }

  choose(number) {
    const { point } = this;
    if (!point) return;
    if (point.follows) this.on.said(t('This follows from what else is judged: change that.'));
    else if (point.kind === 'support' && rules.BACKINGS[number - 1]) this.judge(rules.supported(this.item, this.labels, point.id, rules.BACKINGS[number - 1]));
    else if (point.kind === 'mark' && rules.PLACES[number - 1]) this.place(rules.PLACES[number - 1]);
    else if (point.kind === 'uncited' && number < this.item.uncited.length + 2) this.judge(rules.citable(this.labels, point.id, number === 1 ? 0 : this.item.uncited[number - 2].number));
    else if (point.kind === 'need' && number < 3) this.judge(rules.needing(this.labels, point.id, number === 2));
  }

  // Takes the labels and goes on; stays where they cannot be.
  judge(labels) {
    const { id } = this.point, reason = id ? rules.conflict(this.item, labels, id) : '';
    this.change(labels);
    if (reason) this.on.said(reason);
    else this.advance();
  }

  place(place) {
    const { point } = this, isAllowed = rules.places(this.item, this.labels, this.item.marks[point.mark]).includes(place);
    if (place === 'right' && point.id === null) {
      this.on.said(t('This mark stands at no knowledge item and cannot be right: choose another answer, or add a knowledge item (i).'));
    } else if (place === 'elsewhere' && !isAllowed) {
      this.on.said(t('Every other knowledge item has a mark of this document, or there is none; add one first (i).'));
    } else if (!isAllowed) this.on.said(t('Its knowledge item is not supported, so that no mark there is right. Change one of the two.'));
    else if (place !== 'elsewhere') this.judge(rules.placed(this.item, this.labels, point.mark, place));
    else {
      this.mode = { kind: 'elsewhere' };
      this.show();
    }
  }

  // The knowledge items that the current mark could belong to instead.
  others() { return rules.others(this.item, this.labels, this.item.marks[this.point.mark]) }

  elsewhereActions() {
    return {
      choose: (number) => {
        const other = this.others()[number - 1];
        if (other) this.belong(other.id);
      },
      down: () => this.focusNext(1), up: () => this.focusNext(-1), right: () => this.focusNext(1), left: () => this.focusNext(-1),
      leave: () => this.go(this.cursor),
    };
  }

  belong(id) { this.judge(rules.placed(this.item, this.labels, this.point.mark, 'elsewhere', id)) }

  // On: to the next open judgement, or the one below; when all is judged, the reply is submitted.
  accept() {
    const { point } = this;
    if (point === null && this.isComplete) this.on.finished?.();
    else if (this.points.some((one) => one.isOpen && one.key !== this.cursor) || point === null) this.advance();
    else {
      const { cursor } = this;
      this.move(1);
      if (cursor === this.cursor && !point.isOpen) this.go(null);
    }
  }

  missing() {
    const one = this.current;
    if (this.point?.kind !== 'need') this.on.said(t('This knowledge item has a mark, so that none is missing here.'));
    else this.change(rules.needing(this.labels, one.id, one.missing !== true));
  }

  clear() {
    const { point } = this;
    if (point?.kind === 'support') this.change(rules.supported(this.item, this.labels, point.id, null));
    if (point?.kind === 'mark') this.change(rules.placed(this.item, this.labels, point.mark, null));
    if (point?.kind === 'need') this.change(rules.needing(this.labels, point.id, null));
    if (point?.kind === 'uncited') this.change(rules.citable(this.labels, point.id, null));
  }

  undo() {
    this.labels = this.past.pop();
    this.go(this.cursor);
    this.on.changed(this.labels);
  }

  // evidence

  evidence() {
    const id = ['need', 'uncited'].includes(this.point?.kind) ? null : this.point?.id, words = this.picks(true);
    if (!id) this.on.said(t('Evidence belongs to a knowledge item with a mark: go to one first.'));
    else if (words) this.change(rules.withEvidence(this.labels, id, words));
    else {
      const found = sentences(this);
      if (!found.length) return;
      this.mode = { kind: 'evidence', found, at: 0 };
      this.show();
    }
  }

  evidenceActions() {
    const step = (by) => {
      this.mode.at = Math.min(Math.max(this.mode.at + by, 0), this.mode.found.length - 1);
      this.show();
    };
    return {
      down: () => step(1), right: () => step(1), up: () => step(-1), left: () => step(-1),
      accept: () => this.change(rules.withEvidence(this.labels, this.point.id, this.mode.found[this.mode.at])),
      evidence: () => this.change(rules.withEvidence(this.labels, this.point.id, this.mode.found[this.mode.at])),
      leave: () => this.go(this.cursor),
    };
  }

  // knowledge items

  split() {
    const one = this.current, places = one ? rules.gaps(this.item, one) : [];
    if (!places.length) return this.on.said(one ? t('This knowledge item is one word; it cannot be split.') : t('Go to a knowledge item first.'));
    this.mode = { kind: 'split', places, at: Math.floor(places.length / 2) };
    this.show();
  }

  splitActions() {
    const step = (by) => {
      this.mode.at = Math.min(Math.max(this.mode.at + by, 0), this.mode.places.length - 1);
      this.show();
    };
    return { right: () => step(1), down: () => step(1), left: () => step(-1), up: () => step(-1),
      accept: () => this.splitAt(this.mode.places[this.mode.at]), leave: () => this.go(this.cursor) };
  }

  splitAt(at) {
    const labels = rules.split(this.item, this.labels, this.point.id, at);
    if (labels) this.change(labels);
  }

  join() {
    const labels = this.current && rules.joined(this.item, this.labels, this.point.id), id = this.point?.id;
    if (!labels) return this.on.said(t('There is no knowledge item behind this one to join it with.'));
    this.change(labels);
    this.goItem(id);
  }

  remove() {
    if (!this.current) return this.on.said(t('Go to a knowledge item first.'));
    const at = this.labels.knowledge_items.indexOf(this.current);
    this.change(rules.without(this.item, this.labels, this.point.id));
    this.goItem(this.labels.knowledge_items[Math.min(at, this.labels.knowledge_items.length - 1)]?.id);
  }

  add() {
    const chosen = this.picks(false), from = this.current?.end ?? 0;
    const limits = chosen ? [chosen.start, chosen.end] : rules.uncovered(this.item, this.labels, from);
    const made = limits && rules.added(this.item, this.labels, ...limits);
    if (!made) return this.on.said(chosen ? t('There are no words in what is selected.') : t('Everything that the reply says is in a knowledge item; select words to cut it anew.'));
    this.change(made[0]);
    this.goItem(made[1]);
  }

  // showing

  focusNext(step) {
    const all = [...this.parts.now.querySelectorAll('.others button')], at = all.indexOf(document.activeElement);
    all[Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
  }

  show() {
    const { activeElement } = document;
    showReply(this);
    showDocuments(this);
    showPanel(this);
    showPoints(this);
    if (!activeElement || activeElement === document.body || !activeElement.isConnected || activeElement.tagName === 'BUTTON'
      || activeElement === this.parts.now) this.parts.now.focus({ preventScroll: true });
  }
}
