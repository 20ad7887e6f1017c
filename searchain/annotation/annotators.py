"""Compute each annotator's own figures and drift, and whether annotators could tell who wrote a reply.

The latter is Bang's blinding index (Bang, Ni & Davis 2004). For one system it is the share of right guesses beyond
chance, times the share of replies with a guess. 0 means chance, 1 that everybody recognises the system, below 0 that
they take it for another. With two systems it is Bang's own index; with k systems a guess is right by chance in 1 of k
cases.
"""

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


@dataclass(frozen=True, slots=True)
class Guessed:
    """The guesses about the replies of one system, or by one annotator."""

    name: str
    right: int
    wrong: int
    unknown: int
    index: float | None
    """The blinding index; ``None`` if no reply was asked about."""


@dataclass(frozen=True, slots=True)
class Blinding:
    """All guesses, once per system and once per annotator."""

    systems: tuple[Guessed, ...]
    annotators: tuple[Guessed, ...]


def blinding(guesses: Iterable[tuple[str, str, str | None]], systems: int) -> Blinding:
    """Return the index of each system and annotator.

    Args:
        guesses: annotator, system of the reply, system that was guessed (``None``: does not know).
        systems: the number of systems to choose from.
    """
    found = list(guesses)
    return Blinding(
        tuple(_guessed(name, [one for one in found if one[1] == name], systems) for name in _names(found, 1)),
        tuple(_guessed(name, [one for one in found if one[0] == name], systems) for name in _names(found, 0)),
    )


def index(right: int, wrong: int, unknown: int, systems: int = 2) -> float | None:
    """Compute Bang's index.

    >>> index(8, 2, 10)
    0.3
    """
    asked, guessed = right + wrong + unknown, right + wrong
    if not asked or systems < 2:
        return None
    if not guessed:
        return 0.0
    return round((systems * right / guessed - 1) / (systems - 1) * guessed / asked, 12)


def _guessed(name: str, those: list[tuple[str, str, str | None]], systems: int) -> Guessed:
    right = sum(guess == system for _, system, guess in those)
    unknown = sum(guess is None for *_, guess in those)
    wrong = len(those) - right - unknown
    return Guessed(name, right, wrong, unknown, index(right, wrong, unknown, systems))


def _names(found: list[tuple[str, str, str | None]], at: int) -> list[str]:
    return sorted({str(one[at]) for one in found})
