"""Compute each annotator's figures and drift, and whether annotators knew who wrote a reply or agree with the program.

Bang's blinding index (Bang, Ni & Davis 2004) is for one system the share of right guesses beyond chance, times the
share of replies with a guess. 0 means chance, 1 that everybody recognises the system, below 0 that they take it for
another. With two systems it is Bang's own index; with k systems a guess is right by chance in 1 of k cases.

A unit of ``reliability`` is a default knowledge item with marks in a reply of this program. People's judgement of it
is the gold label, or else the majority of the annotators; ties are left out and counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from searchain.annotation.agreement import MISSING, Ratings, cohen_kappa
from searchain.annotation.estimates import Estimate, absent, share
from searchain.annotation.labels import contradictions
from searchain.annotation.measures import Measures, measures, state_at
from searchain.annotation.protocol import Backing, Labels, Origin, default_labels, documented
from searchain.annotation.units import PLACE, SUPPORT, Judgement, ratings
from searchain.types import Support


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
        theirs = (one for one in judgements if one.annotator == annotator)
        own = sorted(theirs, key=lambda one: (one.created, one.item.id))
        middle = len(own) // 2
        first, second = (_half(half, annotator, questions.values()) for half in (own[:middle], own[middle:]))
        contradictory = sum(bool(contradictions(one.labels, one.item)) for one in own)
        found.append(OneAnnotator(annotator, measures(own), first, second, contradictory))
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
    seconds, agreed = median(times) if times else None, agreeing / pairs if pairs else None
    return Half(len(own), figures.skc_strict.value, figures.amp.value, seconds, agreed)


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
    """Return the index of each system and annotator, where there are ``systems`` to choose from.

    A guess is an annotator, the system of the reply, and the system that was guessed (``None``: does not know).
    """
    found = list(guesses)

    def by(place: int) -> tuple[Guessed, ...]:
        names = sorted({str(one[place]) for one in found})
        return tuple(_guessed(name, [one for one in found if one[place] == name], systems) for name in names)

    return Blinding(by(1), by(0))


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


@dataclass(frozen=True, slots=True)
class Unit:
    """A knowledge item that both the program and people have judged."""

    item: str
    state: Support
    said: Backing
    is_gold: bool


@dataclass(frozen=True, slots=True)
class Reliability:
    """The agreement of the program's judgements with people's."""

    units: int
    gold: int
    undecided: int
    """Units on which people are tied; left out."""
    states: dict[str, Estimate]
    """State → the share of units in sentences with this state that is supported completely."""
    kappa: Estimate
    """Cohen's κ of "the source says it" with "supported completely"."""


def reliability(judgements: Iterable[Judgement], gold: Mapping[str, Labels] | None = None) -> Reliability:
    """Compute all figures of this module."""
    found, undecided = units(judgements, gold)
    is_right = np.array([one.said is Backing.COMPLETE for one in found], dtype=bool)
    replies = np.array([one.item for one in found])
    return Reliability(
        units=len(found),
        gold=sum(one.is_gold for one in found),
        undecided=undecided,
        states={
            state.value: _share(is_right[those], replies[those])
            for state in Support
            if (those := np.array([one.state is state for one in found], dtype=bool)).any()
        },
        kappa=_kappa(found),
    )


def units(judgements: Iterable[Judgement], gold: Mapping[str, Labels] | None = None) -> tuple[list[Unit], int]:
    """Return the units with a gold label or a clear majority, and the number of tied units."""
    own = [one for one in judgements if one.item.origin is Origin.TURN]
    items = {one.item.id: one.item for one in own}
    questions = ratings(own, gold, [SUPPORT])[SUPPORT]
    counts, found, undecided = questions.counts(), [], 0
    places: dict[str, int] = {}
    defaults = {id: default_labels(item) for id, item in items.items()}
    marked = {id: documented(items[id], default) for id, default in defaults.items()}
    for id, votes, decided in zip(questions.items, counts, questions.gold, strict=True):
        place = places[id] = places.get(id, -1) + 1
        one = defaults[id].knowledge_items[place]
        state = state_at(items[id], one.start) if one.id in marked[id] else None
        if state is None or (decided == MISSING and not votes.any()):
            continue
        if decided == MISSING and (votes == votes.max()).sum() > 1:
            undecided += 1
            continue
        said = questions.categories[votes.argmax() if decided == MISSING else decided]
        found.append(Unit(id, state, Backing(said), bool(decided != MISSING)))
    return found, undecided


def _share(is_right: np.ndarray, replies: np.ndarray) -> Estimate:
    _, reply, units = np.unique(replies, return_inverse=True, return_counts=True)
    return share(np.bincount(reply, weights=is_right), units)


def _kappa(found: Sequence[Unit]) -> Estimate:
    if not found:
        return absent("no knowledge item of this program's replies is judged")
    values = np.array([[one.state.is_carried, one.said is Backing.COMPLETE] for one in found], dtype=int)
    names = tuple(one.item for one in found)
    unknown = np.full(len(found), MISSING)
    return cohen_kappa(Ratings("", ("no", "yes"), ("program", "people"), values, names, unknown), 0, 1)
