"""SKC, AMP and citation recall / precision, from what people said.

* **SKC** (scope of knowledge coverage; Xu et al., WWW '24, §4.3.4: "the number of knowledge items marked with
  supporting documents in the generated content"), per reply. ``skc_marked`` counts knowledge items with at least one
  mark: the paper's statistic, and the only one put beside its figures. ``skc_strict`` counts those that their marked
  documents support completely, ``skc_lenient`` those that they support completely or partly.
* **AMP** (accuracy of marking position; the same section): right marks ÷ marks. ``amp`` pools the marks of all replies,
  ``amp_per_reply`` is the mean over replies; replies without marks have none and are counted apart, as are the marks
  that people miss.
* **Citation recall** (Gao et al. 2023, ALCE; Liu et al. 2023): knowledge items that all their marked documents together
  support completely ÷ knowledge items that need support. An item needs support when it bears a mark, or when the
  annotator misses one there: greetings and the like do not count, as with Liu et al. (in ALCE every sentence does).
* **Citation precision** (ALCE's human evaluation): marks that are right, at an item that is supported completely ÷
  marks. A right mark's document supports its item at least partly; where the item is not recalled its marks are not
  precise. Both are the mean over replies; ALCE's script gives a reply without marks a precision of 0, here it has none.

A reply's figure is the mean over its annotators; figures are over replies, with a bootstrap over replies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby

import numpy as np

from searchain.annotation.estimates import Estimate, divided, estimated, resampled
from searchain.annotation.protocol import Backing, Item, Labels, Origin, Place, carriers
from searchain.annotation.units import Judgement
from searchain.types import Support


@dataclass(frozen=True, slots=True)
class Counts:
    """What one annotator's labels of one reply count to."""

    knowledge_items: int = 0
    marked: int = 0
    """Knowledge items with at least one mark."""
    complete: int = 0
    """… that their marked documents support completely."""
    partial: int = 0
    """… or partly."""
    missing: int = 0
    """Knowledge items that should bear a mark and have none."""
    marks: int = 0
    """Marks whose place was judged."""
    right: int = 0
    precise: int = 0
    """Right marks at completely supported knowledge items."""

    @property
    def skc_marked(self) -> int:
        return self.marked

    @property
    def skc_strict(self) -> int:
        return self.complete

    @property
    def skc_lenient(self) -> int:
        return self.complete + self.partial

    @property
    def amp(self) -> float | None:
        """``None`` without marks."""
        return self.right / self.marks if self.marks else None

    @property
    def recall(self) -> float | None:
        """``None`` when nothing needs support."""
        needing = self.marked + self.missing
        return self.complete / needing if needing else None

    @property
    def precision(self) -> float | None:
        """``None`` without marks."""
        return self.precise / self.marks if self.marks else None


FORMULAS = {
    "skc_marked": "knowledge items with a mark",
    "skc_strict": "knowledge items with a mark that the marked documents support completely",
    "skc_lenient": "knowledge items with a mark that the marked documents support completely or partly",
    "amp": "marks in the right place ÷ marks",
    "citation_recall": "completely supported knowledge items ÷ (knowledge items with a mark + those that miss one)",
    "citation_precision": "right marks at completely supported knowledge items ÷ marks",
}


@dataclass(frozen=True, slots=True)
class Measures:
    """The figures of one group of replies. Each ``n`` counts replies, that of ``amp`` marks."""

    replies: int
    labels: int
    """Replies times their annotators."""
    annotators: int
    without_marks: int
    """Replies that have no AMP."""
    skc_marked: Estimate
    skc_strict: Estimate
    skc_lenient: Estimate
    amp: Estimate
    amp_per_reply: Estimate
    citation_recall: Estimate
    citation_precision: Estimate
    missing: Estimate
    """Marks that people miss, per reply."""


NAMES = tuple(
    field.name for field in fields(Measures) if field.name not in ("replies", "labels", "annotators", "without_marks")
)


@dataclass(frozen=True, slots=True)
class Published:
    """What the paper reports of a system: Xu et al., WWW '24, §4.3.4 (SKC counted, AMP judged by three people)."""

    skc_marked: float
    amp: float


PAPER = {"SearChain": Published(2.882, 0.80), "New Bing": Published(1.143, 0.45)}


def counts(item: Item, labels: Labels, state: Support | None = None) -> Counts:
    """What ``labels``, finished or not, count to; with ``state``, in the sentences that the program gave this state.

    A knowledge item is in the sentence where it begins; a mark is where the knowledge item is that bears it. What a
    draft says of marks that the reply does not have is left out.
    """

    def is_in(place: int) -> bool:
        return state is None or state_at(item, place) is state

    bearers = carriers(item, labels)
    bearing = {one.id for one in bearers.values() if one is not None}
    items = [one for one in labels.knowledge_items if is_in(one.start)]
    backings = [one.support for one in items if one.id in bearing]
    judged = [
        (one.place, bearers[one.mark])
        for one in labels.marks
        if one.place is not None
        and one.mark in bearers
        and is_in(bearer.start if (bearer := bearers[one.mark]) else item.marks[one.mark].start)
    ]
    return Counts(
        knowledge_items=len(items),
        marked=len(backings),
        complete=backings.count(Backing.COMPLETE),
        partial=backings.count(Backing.PARTIAL),
        missing=sum(one.missing for one in items if one.id not in bearing),
        marks=len(judged),
        right=sum(place is Place.RIGHT for place, _ in judged),
        precise=sum(
            place is Place.RIGHT and one is not None and one.support is Backing.COMPLETE for place, one in judged
        ),
    )


def state_at(item: Item, place: int) -> Support | None:
    """The program's state of the sentence at ``place``; ``None`` outside of all sentences."""
    for sentence, state in zip(item.sentences, item.machine.supports, strict=False):
        if sentence.start <= place < sentence.end:
            return state
    return None


def formula(found: Counts) -> dict[str, str]:
    """SKC and AMP of one reply with their formulas and numbers, for people.

    >>> formula(Counts(marked=4, complete=3, partial=1, marks=5, right=4))["amp"]
    'AMP = marks in the right place ÷ marks = 4 ÷ 5 = 0.80'
    """
    amp = "– (no mark is judged)" if found.amp is None else f"{found.right} ÷ {found.marks} = {found.amp:.2f}"
    return {
        "skc_marked": f"SKC = {FORMULAS['skc_marked']} = {found.skc_marked}",
        "skc_strict": f"SKC strict = {FORMULAS['skc_strict']} = {found.skc_strict}",
        "skc_lenient": f"SKC lenient = {FORMULAS['skc_lenient']} = {found.complete} + {found.partial} "
        f"= {found.skc_lenient}",
        "amp": f"AMP = {FORMULAS['amp']} = {amp}",
    }


Key = Callable[[Judgement], str | None]


def measures(judgements: Iterable[Judgement], state: Support | None = None, seed: int = 0) -> Measures:
    """All figures of the judged replies; with ``state`` only what stands in sentences of that state, so that SKC adds
    up over the states."""
    ordered = sorted(judgements, key=lambda one: (one.item.id, one.annotator))
    return _measures([(one.item.id, one.annotator, counts(one.item, one.labels, state)) for one in ordered], seed)


def breakdown(judgements: Iterable[Judgement], key: Key, seed: int = 0) -> dict[str, Measures]:
    """The figures for each value of ``key``, in order; what has none (``None``) is left out."""
    found: dict[str, list[Judgement]] = {}
    for one in judgements:
        if (value := key(one)) is not None:
            found.setdefault(value, []).append(one)
    return {value: measures(found[value], seed=seed) for value in sorted(found)}


def by_state(judgements: Iterable[Judgement], seed: int = 0) -> dict[str, Measures]:
    """The figures for each of the program's support states, over its own replies."""
    own = [one for one in judgements if one.item.origin is Origin.TURN]
    return {state.value: measures(own, state, seed) for state in reversed(Support)} if own else {}


_RATIOS: Mapping[str, tuple[str, str, str]] = {  # the figure: a sum over replies ÷ another; why there is none
    "skc_marked": ("skc_marked", "replies", "no replies are judged"),
    "skc_strict": ("skc_strict", "replies", "no replies are judged"),
    "skc_lenient": ("skc_lenient", "replies", "no replies are judged"),
    "missing": ("missing", "replies", "no replies are judged"),
    "amp": ("right", "marks", "no reply has a mark"),
    "amp_per_reply": ("amp", "has_amp", "no reply has a mark"),
    "citation_recall": ("recall", "has_recall", "nothing needs support"),
    "citation_precision": ("precision", "has_precision", "no reply has a mark"),
}
_COUNTED = ("skc_marked", "skc_strict", "skc_lenient", "missing", "right", "marks")
_RATES = ("amp", "recall", "precision")
_COLUMNS = (*_COUNTED, "replies", *(name for rate in _RATES for name in (rate, f"has_{rate}")))


def _measures(rows: Sequence[tuple[str, str, Counts]], seed: int) -> Measures:
    replies = [_reply([found for *_, found in group]) for _, group in groupby(rows, key=lambda row: row[0])]
    parts = np.array(replies).reshape(-1, len(_COLUMNS))
    at = {name: place for place, name in enumerate(_COLUMNS)}
    totals = parts.sum(axis=0)
    sums = resampled(parts, seed) if len(parts) > 1 else None
    ns = {name: round(totals[at[over]]) for name, (_, over, _) in _RATIOS.items()}

    def estimate(name: str) -> Estimate:
        above, below, reason = _RATIOS[name]
        return estimated(
            parts, lambda sums: divided(sums[:, at[above]], sums[:, at[below]]), ns[name], reason, seed, sums=sums
        )

    return Measures(
        replies=len(parts),
        labels=len(rows),
        annotators=len({annotator for _, annotator, _ in rows}),
        without_marks=len(parts) - ns["amp_per_reply"],
        **{name: estimate(name) for name in _RATIOS},
    )


def _reply(found: Sequence[Counts]) -> list[float]:
    """One row of ``_COLUMNS``: the means over the annotators of a reply."""
    row = [float(np.mean([getattr(one, name) for one in found])) for name in _COUNTED] + [1.0]
    for name in _RATES:
        rates = [rate for one in found if (rate := getattr(one, name)) is not None]
        row += [float(np.mean(rates)), 1.0] if rates else [0.0, 0.0]
    return row
