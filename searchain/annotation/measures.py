"""Compute SKC, AMP and citation recall / precision from people's judgements.

* **SKC** (scope of knowledge coverage; Xu et al., WWW '24, §4.3.4: "the number of knowledge items marked with
  supporting documents in the generated content"), per reply. ``skc_marked`` counts knowledge items with at least one
  mark of a document: the paper's statistic, and the only one put beside its figures. ``skc_strict`` counts those that
  their marked documents support completely, ``skc_lenient`` those that they support completely or partly. SKC grows
  with the length of a reply: ``coverage`` is SKC ÷ knowledge items.
* **AMP** (accuracy of marking position; the same section): right marks ÷ marks. The paper's sentence can be read as one
  of position alone; here a mark is right where its document supports the knowledge item, which is a choice of ours:
  AMP by support. ``amp`` is lenient (the document supports the item at least partly) and pools the marks of all
  replies, ``amp_strict`` asks that the item is supported completely, ``amp_per_reply`` is the mean over replies;
  replies without marks have none and are counted apart, as are the marks that people miss. Invented marks are marks,
  and never right.
* **Citation recall** (Gao et al. 2023, ALCE; Liu et al. 2023): knowledge items that all their marked documents together
  support completely ÷ knowledge items that need support. An item needs support when it bears a mark, or when the
  annotator misses one there: greetings and the like do not count, as with Liu et al.
* **Citation precision** (ALCE's human evaluation): marks that are right, at an item that is supported completely ÷
  marks. A right mark's document supports its item at least partly; where the item is not recalled its marks are not
  precise. Both are the mean over replies that have such items or marks.
* ``alce_recall`` and ``alce_precision`` count as ALCE's script does: every statement needs support, and a reply without
  marks has a precision of 0.

A reply's figure is the mean over its annotators; figures and intervals are over replies. Without people ``by_system``
counts the default knowledge items that bear a mark of a document: the paper calls SKC a statistic. Annotators start
from the same default items, so both figures can be compared.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

import numpy as np

from searchain.annotation.estimates import Estimate, absent, average, rate, share
from searchain.annotation.protocol import Backing, Item, Labels, Place, bearing, carriers, default_labels, documented
from searchain.annotation.units import Judgement
from searchain.types import Support


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts in one annotator's labels of one reply."""

    knowledge_items: int = 0
    skc_marked: int = 0
    """Knowledge items with at least one mark of a document that exists."""
    skc_strict: int = 0
    """Marked knowledge items that their marked documents support completely."""
    partial: int = 0
    """Marked knowledge items that their marked documents support partly."""
    missing: int = 0
    """Knowledge items without a mark that need one."""
    marks: int = 0
    """Marks whose place was judged, and invented ones."""
    right: int = 0
    precise: int = 0
    """Right marks at completely supported knowledge items."""
    bare: int = 0
    """Knowledge items all of whose marks are invented."""
    invented: int = 0
    """Marks without a document, including those removed before anybody saw them; never right."""
    lacking: int = 0
    """Knowledge items that lack support, of which was judged whether an uncited document would give it."""
    citable: int = 0
    """Those that one would support completely."""

    @property
    def skc_lenient(self) -> int:
        return self.skc_strict + self.partial

    @property
    def amp(self) -> float | None:
        """Right marks ÷ marks; ``None`` without marks."""
        return self.right / self.marks if self.marks else None

    @property
    def coverage(self) -> float | None:
        """SKC ÷ knowledge items; ``None`` without knowledge items."""
        return self.skc_marked / self.knowledge_items if self.knowledge_items else None

    @property
    def needing(self) -> int:
        """Knowledge items that need support."""
        return self.skc_marked + self.bare + self.missing

    @property
    def recall(self) -> float | None:
        """Completely supported knowledge items ÷ those that need support; ``None`` if none needs it."""
        return self.skc_strict / self.needing if self.needing else None

    @property
    def precision(self) -> float | None:
        """Right marks at completely supported knowledge items ÷ marks; ``None`` without marks."""
        return self.precise / self.marks if self.marks else None

    @property
    def alce_recall(self) -> float | None:
        """Completely supported knowledge items ÷ knowledge items; ``None`` without knowledge items."""
        return self.skc_strict / self.knowledge_items if self.knowledge_items else None

    @property
    def alce_precision(self) -> float:
        return self.precision or 0.0


FORMULAS = {
    "skc_marked": "knowledge items with a mark",
    "skc_strict": "knowledge items with a mark that the marked documents support completely",
    "skc_lenient": "knowledge items with a mark that the marked documents support completely or partly",
    "coverage": "knowledge items with a mark ÷ knowledge items",
    "amp": "marks in the right place ÷ marks",
    "amp_strict": "marks in the right place, at completely supported knowledge items ÷ marks",
    "citation_recall": "completely supported knowledge items ÷ (knowledge items with a mark + those that miss one)",
    "citation_precision": "right marks at completely supported knowledge items ÷ marks",
    "citable": "knowledge items that an uncited document would support ÷ those of which that was asked",
}


@dataclass(frozen=True, slots=True)
class Measures:
    """The figures of one group of replies. Each ``n`` counts replies, but for that of a pooled share (``_SHARES``)."""

    replies: int
    labels: int
    """Pairs of a reply and an annotator who judged it."""
    annotators: int
    without_marks: int
    """Replies without marks, and so without AMP."""
    skc_marked: Estimate
    skc_strict: Estimate
    skc_lenient: Estimate
    knowledge_items: Estimate
    """Per reply."""
    coverage: Estimate
    amp: Estimate
    amp_strict: Estimate
    amp_per_reply: Estimate
    citation_recall: Estimate
    citation_precision: Estimate
    alce_recall: Estimate
    alce_precision: Estimate
    missing: Estimate
    """Marks that people miss, per reply."""
    invented: Estimate
    """Marks that name no document, per reply."""
    citable: Estimate
    """Citation recall errors: its ``n`` counts the knowledge items of which that was asked."""


@dataclass(frozen=True, slots=True)
class Published:
    """The figures of a system in the paper: Xu et al., WWW '24, §4.3.4 (SKC counted, AMP judged by three people)."""

    skc_marked: float
    amp: float


PAPER = {"SearChain": Published(2.882, 0.80), "New Bing": Published(1.143, 0.45)}


def counts(item: Item, labels: Labels) -> Counts:
    """Count the judgements in ``labels``, finished or not.

    Judgements of marks that the reply does not have are left out.
    """
    bears, has_document, bearers = bearing(item, labels), documented(item, labels), carriers(item, labels)
    items = labels.knowledge_items
    backings = [one.support for one in items if one.id in has_document]
    judged = [(one.place, bearers[one.mark]) for one in labels.marks if one.place is not None and one.mark in bearers]
    return Counts(
        knowledge_items=len(items),
        skc_marked=len(backings),
        skc_strict=backings.count(Backing.COMPLETE),
        partial=backings.count(Backing.PARTIAL),
        missing=sum(bool(one.missing) for one in items if one.id not in bears),
        marks=len(judged),
        right=sum(place is Place.RIGHT for place, _ in judged),
        precise=sum(
            place is Place.RIGHT and one is not None and one.support is Backing.COMPLETE for place, one in judged
        ),
        bare=sum(one.id in bears - has_document for one in items),
        invented=sum(place is Place.INVENTED for place, _ in judged) + item.dropped,
        lacking=sum(one.uncited is not None for one in items),
        citable=sum(bool(one.uncited) for one in items),
    )


def state_at(item: Item, place: int) -> Support | None:
    """Return the program's state of the sentence at ``place``; ``None`` outside of all sentences."""
    for sentence, state in zip(item.sentences, item.machine.supports, strict=False):
        if sentence.start <= place < sentence.end:
            return state
    return None


def measures(judgements: Iterable[Judgement]) -> Measures:
    """Return all figures of the judged replies."""
    ordered = sorted(judgements, key=lambda one: (one.item.id, one.annotator))
    return _measures([(one.item.id, one.annotator, counts(one.item, one.labels)) for one in ordered])


def breakdown(judgements: Iterable[Judgement]) -> dict[str, Measures]:
    """Return the figures of each system, by name."""
    system = attrgetter("item.system")
    return {name: measures(those) for name, those in groupby(sorted(judgements, key=system), key=system)}


NO_REPLIES, NO_MARKS = "no replies are judged", "no reply has a mark"
_COUNTS = ("skc_marked", "skc_strict", "skc_lenient", "knowledge_items", "missing", "invented")
_RATES: Mapping[str, tuple[str, str, str]] = {  # the figure: the counts' rate, what it is made of, why there is none
    "coverage": ("coverage", "knowledge_items", "no reply has a knowledge item"),
    "amp_per_reply": ("amp", "marks", NO_MARKS),
    "citation_recall": ("recall", "needing", "nothing needs support"),
    "citation_precision": ("precision", "marks", NO_MARKS),
    "alce_recall": ("alce_recall", "knowledge_items", "no reply has a knowledge item"),
    "alce_precision": ("alce_precision", "replies", NO_REPLIES),
}
_SHARES = {  # the same of pooled counts
    "amp": ("right", "marks", NO_MARKS),
    "amp_strict": ("precise", "marks", NO_MARKS),
    "citable": ("citable", "lacking", "no uncited document was judged"),
}


def _measures(rows: Sequence[tuple[str, str, Counts]]) -> Measures:
    replies = [[found for *_, found in group] for _, group in groupby(rows, key=lambda row: row[0])]
    return Measures(
        replies=len(replies),
        labels=len(rows),
        annotators=len({annotator for _, annotator, _ in rows}),
        without_marks=int((_means(replies, "marks") == 0).sum()),
        **{name: average(_means(replies, name)) if replies else absent(NO_REPLIES) for name in _COUNTS},
        **{name: _share(replies, *parts) for name, parts in _SHARES.items()},
        **{name: _rated(replies, name) for name in _RATES},
    )


def _means(replies: Sequence[Sequence[Counts]], name: str) -> np.ndarray:
    """Return the mean of the count ``name`` over annotators, for each reply: (replies,)."""
    return np.array([np.mean([getattr(one, name) for one in those]) for those in replies], dtype=float)


def _share(replies: Sequence[Sequence[Counts]], hits: str, made_of: str, reason: str) -> Estimate:
    units = _means(replies, made_of)
    has_units = units > 0
    return share(_means(replies, hits)[has_units], units[has_units]) if has_units.any() else absent(reason)


def _rated(replies: Sequence[Sequence[Counts]], name: str) -> Estimate:
    value, made_of, reason = _RATES[name]
    pairs = []
    for those in replies:
        said = [one for one in those if getattr(one, value) is not None]
        if said:
            units = [1 if made_of == "replies" else getattr(one, made_of) for one in said]
            pairs.append((np.mean([getattr(one, value) for one in said]), np.mean(units)))
    return rate(*np.array(pairs).T) if pairs else absent(reason)


@dataclass(frozen=True, slots=True)
class Automatic:
    """The figures of one system over all its replies, judged or not."""

    replies: int
    skc: Estimate
    knowledge_items: Estimate
    coverage: Estimate
    """SKC ÷ knowledge items, the mean over replies."""
    marks: Estimate
    """Per reply."""
    invented: Estimate
    """Per reply."""
    invented_share: Estimate
    """Invented marks ÷ marks of a reply, the mean over replies with marks."""


def skc(item: Item) -> int:
    """Return the reply's SKC."""
    return len(documented(item, default_labels(item)))


def by_system(items: Iterable[Item]) -> dict[str, Automatic]:
    """Return the figures of each system, by name."""
    system = attrgetter("system")
    return {name: _figures(list(those)) for name, those in groupby(sorted(items, key=system), key=system)}


def _figures(items: list[Item]) -> Automatic:
    found = [[counts(one, default_labels(one))] for one in items]
    skc, sizes, invented = (_means(found, name) for name in ("skc_marked", "knowledge_items", "invented"))
    marks = np.array([len(one.marks) for one in items], dtype=float)
    written = marks + np.array([one.dropped for one in items], dtype=float)
    has_items, has_marks = sizes > 0, written > 0
    return Automatic(
        len(items),
        average(skc),
        average(sizes),
        rate(skc[has_items] / sizes[has_items], sizes[has_items]),
        average(marks),
        average(invented),
        rate(invented[has_marks] / written[has_marks], written[has_marks]) if has_marks.any() else absent(NO_MARKS),
    )
