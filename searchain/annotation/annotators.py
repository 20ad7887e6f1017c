"""Compute each annotator's own figures, and their drift between the first and the second half of the work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from searchain.annotation.agreement import MISSING, Ratings
from searchain.annotation.labels import contradictions
from searchain.annotation.measures import Measures, measures
from searchain.annotation.units import PLACE, SUPPORT, Judgement, ratings


@dataclass(frozen=True, slots=True)
class Half:
    """One half of an annotator's replies, in the order of judging."""

    replies: int
    skc_strict: float | None
    amp: float | None
    seconds: float | None
    """The median time for a reply."""
    agreeing: float | None
    """The share of other annotators' judgements (of support or place) on the same units that are the same."""


@dataclass(frozen=True, slots=True)
class OneAnnotator:
    """The figures of one annotator."""

    annotator: str
    measures: Measures
    first: Half
    second: Half
    contradictory: int
    """How many labels contradict themselves; only guidelines 1.x accepted such labels."""


def by_annotator(judgements: Iterable[Judgement]) -> tuple[OneAnnotator, ...]:
    """Return the figures of each annotator, by name."""
    judgements = list(judgements)
    questions = ratings(judgements, names=(SUPPORT, PLACE))
    found = []
    for annotator in sorted({one.annotator for one in judgements}):
        own = sorted(
            (one for one in judgements if one.annotator == annotator), key=lambda one: (one.created, one.item.id)
        )
        middle = len(own) // 2
        found.append(
            OneAnnotator(
                annotator,
                measures(own),
                _half(own[:middle], annotator, questions.values()),
                _half(own[middle:], annotator, questions.values()),
                sum(bool(contradictions(one.labels, one.item)) for one in own),
            )
        )
    return tuple(found)


def _half(own: Sequence[Judgement], annotator: str, questions: Iterable[Ratings]) -> Half:
    figures, times = measures(own), [one.seconds for one in own if one.seconds]
    items = {one.item.id for one in own}
    agreeing = pairs = 0
    for ratings_ in questions:
        said = ratings_.values[:, ratings_.annotators.index(annotator)]
        is_own = np.array([item in items for item in ratings_.items], dtype=bool) & (said != MISSING)
        counts = ratings_.counts()[is_own]
        same = counts[np.arange(len(counts)), said[is_own]] - 1
        agreeing, pairs = agreeing + int(same.sum()), pairs + int((counts.sum(axis=1) - 1).sum())
    return Half(
        len(own),
        figures.skc_strict.value,
        figures.amp.value,
        median(times) if times else None,
        agreeing / pairs if pairs else None,
    )
