"""Measure agreement: raw, Cohen's κ, Fleiss' κ, Krippendorff's α, Gwet's AC1, confusion, and the most disputed items.

Cohen 1960; Fleiss 1971; Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"; Gwet 2008. Intervals are over
whole replies. A figure that cannot be computed is ``None`` with a reason, never NaN.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import krippendorff
import numpy as np

from searchain.annotation.estimates import Estimate, absent, divided, estimated

Level = Literal["nominal", "ordinal", "interval"]
MISSING = -1

NOBODY = "nothing of this kind is judged yet"
ALONE = "no unit is judged by two annotators"
COUNTED = "a number is no category"
ON_A_SCALE = "it takes categories without an order"
NO_VARIATION = "all judgements are the same, so that agreement by chance cannot be told apart"


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """All judgements on one question, per unit and annotator."""

    name: str
    categories: tuple[str, ...]
    """The possible judgements; on a scale from the least to the greatest."""
    annotators: tuple[str, ...]
    values: np.ndarray
    """(units, annotators): a position in ``categories``, or ``MISSING``."""
    items: tuple[str, ...]
    """The item of each unit; units of one item stand together."""
    gold: np.ndarray
    """(units,): the adjudicated category, or ``MISSING``."""

    def counts(self) -> np.ndarray:
        """Return (units, categories): how many annotators chose each category."""
        return (self.values[:, :, None] == np.arange(len(self.categories))).sum(axis=1)

    def by_item(self, parts: np.ndarray) -> np.ndarray:
        """Sum (units, columns) over the units of each item: (items, columns)."""
        firsts = [place for place, item in enumerate(self.items) if place == 0 or item != self.items[place - 1]]
        return np.add.reduceat(parts, firsts, axis=0) if firsts else parts


@dataclass(frozen=True, slots=True)
class Agreement:
    """All coefficients of one question. Each ``n`` counts units."""

    name: str
    level: Level
    annotators: tuple[str, ...]
    raw: Estimate
    """Agreeing pairs of judgements of one unit ÷ all such pairs."""
    fleiss: Estimate
    """Fleiss' κ over the units with exactly ``raters`` judgements."""
    raters: int
    """The commonest number of judgements (2 or more) of a unit; 0 without ``fleiss``."""
    alpha: Estimate
    """Krippendorff's α at ``level``; units with one judgement do not count."""
    ac1: Estimate
    """Gwet's AC1 of nominal judgements, over all possible categories."""
    cohen: tuple[tuple[str, str, Estimate], ...]
    """Cohen's κ of each pair of annotators, over the units that both judged."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """One annotator's judgements against the gold labels, or without one against the majority of the others."""

    annotator: str
    categories: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    """``counts[reference][said]``."""
    against_gold: int
    """How many of the units have a gold label."""

    @property
    def units(self) -> int:
        return sum(map(sum, self.counts))

    @property
    def right(self) -> int:
        return sum(row[place] for place, row in enumerate(self.counts))


@dataclass(frozen=True, slots=True)
class Dispute:
    """How much annotators disagree on one item."""

    item: str
    disagreeing: int
    """How many pairs of judgements differ."""
    pairs: int

    @property
    def share(self) -> float:
        return self.disagreeing / self.pairs


def agreement(ratings: Ratings, level: Level = "nominal") -> Agreement:
    """Return every coefficient of ``ratings``, with 95 % intervals."""
    is_count = level == "interval"
    fleiss, raters = (absent(COUNTED), 0) if is_count else _fleiss(ratings)
    pairs = [] if is_count else combinations(range(len(ratings.annotators)), 2)
    names = ratings.annotators
    cohen = ((names[one], names[other], cohen_kappa(ratings, one, other)) for one, other in pairs)
    return Agreement(
        ratings.name,
        level,
        ratings.annotators,
        raw_agreement(ratings),
        fleiss,
        raters,
        alpha(ratings, level),
        gwet(ratings) if level == "nominal" else absent(COUNTED if is_count else ON_A_SCALE),
        tuple(cohen),
    )


def raw_agreement(ratings: Ratings) -> Estimate:
    """Return agreeing pairs ÷ pairs of judgements, over all units."""
    counts = ratings.counts()
    if reason := _unusable(counts):
        return absent(reason)
    parts = ratings.by_item(_pairs(counts))
    shared = int((counts.sum(axis=1) > 1).sum())
    pairs = float(parts[:, 1].sum())
    return estimated(parts[parts[:, 1] > 0], lambda sums: divided(sums[:, 0], sums[:, 1]), shared, ALONE, units=pairs)


def gwet(ratings: Ratings) -> Estimate:
    """Return AC1 = (observed − chance) ÷ (1 − chance); chance = Σ π (1 − π) ÷ (categories − 1) (Gwet 2008).

    π is a category's mean share. Units with one judgement do not count, as in α.
    """
    counts, size = ratings.counts(), len(ratings.categories)
    if reason := _unusable(counts):
        return absent(reason)
    judged = counts.sum(axis=1)
    is_shared = judged > 1
    agreeing = np.where(is_shared, (counts * (counts - 1)).sum(axis=1) / np.maximum(judged * (judged - 1), 1), 0.0)
    shares = np.where(is_shared[:, None], counts / np.maximum(judged, 1)[:, None], 0.0)
    parts = ratings.by_item(np.column_stack([is_shared, agreeing, shares]).astype(float))

    def figure(sums: np.ndarray) -> np.ndarray:
        means = divided(sums[:, 1:], np.repeat(sums[:, :1], size + 1, axis=1))
        by_chance = (means[:, 1:] * (1 - means[:, 1:])).sum(axis=1) / (size - 1)
        return divided(means[:, 0] - by_chance, 1 - by_chance)

    pairs = float(_pairs(counts)[:, 1].sum())
    return estimated(parts[parts[:, 0] > 0], figure, int(is_shared.sum()), ALONE, units=pairs)


def cohen_kappa(ratings: Ratings, one: int, other: int) -> Estimate:
    """Return κ of the annotators at two positions: (observed − chance) ÷ (1 − chance agreement)."""
    size = len(ratings.categories)
    mine, theirs = ratings.values[:, one], ratings.values[:, other]
    both = (mine != MISSING) & (theirs != MISSING)
    if not both.any():
        return absent("they share no unit")
    cells = (mine * size + theirs)[:, None] == np.arange(size * size)
    parts = ratings.by_item((cells & both[:, None]).astype(float))
    used, units = parts[parts.any(axis=1)], int(both.sum())
    return estimated(used, lambda sums: _kappa(sums.reshape(-1, size, size)), units, NO_VARIATION, most=1.0)


def alpha(ratings: Ratings, level: Level = "nominal") -> Estimate:
    """Return α = 1 − observed ÷ expected disagreement. The value is the library's; its interval is computed here.

    The distance of two categories is the squared difference of their mean ranks on the ordinal level, and of their
    positions on the interval level.
    """
    counts = ratings.counts()
    if reason := _unusable(counts):
        return absent(reason)
    shared = counts[counts.sum(axis=1) > 1]
    if (shared.any(axis=0)).sum() < 2:
        return absent(NO_VARIATION, len(shared))
    domain = np.arange(len(ratings.categories))
    value = float(krippendorff.alpha(value_counts=shared, value_domain=domain, level_of_measurement=level))
    size = len(ratings.categories)
    judged = counts.sum(axis=1)
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(size)
    weights = np.where(judged > 1, 1 / np.maximum(judged - 1, 1), 0)
    parts = ratings.by_item((pairs * weights[:, None, None]).reshape(-1, size * size))
    used = parts[parts.any(axis=1)]
    return estimated(
        used, lambda sums: alphas(sums.reshape(-1, size, size), level), len(shared), NO_VARIATION, value=value, most=1.0
    )


def alphas(coincidences: np.ndarray, level: Level) -> np.ndarray:
    """Return α of each coincidence matrix: (samples, categories, categories) → (samples,)."""
    totals = coincidences.sum(axis=2)
    if level == "ordinal":
        ranks = totals.cumsum(axis=1) - totals / 2
        distances = (ranks[:, :, None] - ranks[:, None, :]) ** 2
    elif level == "interval":
        values = np.arange(totals.shape[1])
        distances = (values[:, None] - values[None, :])[None] ** 2.0
    else:
        distances = 1.0 - np.eye(totals.shape[1])[None]
    observed = (coincidences * distances).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * distances).sum(axis=(1, 2))
    return 1 - divided(observed * (totals.sum(axis=1) - 1), expected)


def confusions(ratings: Ratings) -> tuple[Confusion, ...]:
    """Return every annotator's confusion. An annotator's own vote does not count for the majority.
    Units without a gold label do not count if the others are tied or nobody else judged them."""
    counts, size, found = ratings.counts(), len(ratings.categories), []
    for place, annotator in enumerate(ratings.annotators):
        said = ratings.values[:, place]
        others = counts - (said[:, None] == np.arange(size))
        most = others.max(axis=1, initial=0)
        is_clear = (most > 0) & ((others == most[:, None]).sum(axis=1) == 1)
        reference = np.where(ratings.gold != MISSING, ratings.gold, np.where(is_clear, others.argmax(axis=1), MISSING))
        used = (said != MISSING) & (reference != MISSING)
        table = np.bincount(reference[used] * size + said[used], minlength=size * size).reshape(size, size)
        rows, against_gold = tuple(tuple(map(int, row)) for row in table), (used & (ratings.gold != MISSING)).sum()
        found.append(Confusion(annotator, ratings.categories, rows, int(against_gold)))
    return tuple(found)


def disputes(questions: Sequence[Ratings]) -> tuple[Dispute, ...]:
    """Return every item with disagreement in any of the questions: the largest share of disagreeing pairs first."""
    found: dict[str, np.ndarray] = {}
    for ratings in questions:
        pairs = _pairs(ratings.counts())
        for item, (agreeing, all_pairs) in zip(ratings.items, pairs, strict=True):
            found[item] = found.get(item, np.zeros(2)) + (all_pairs - agreeing, all_pairs)
    worst = (Dispute(item, round(differ), round(pairs)) for item, (differ, pairs) in found.items() if differ > 0)
    return tuple(sorted(worst, key=lambda one: (-one.share, -one.disagreeing, one.item)))


def _fleiss(ratings: Ratings) -> tuple[Estimate, int]:
    counts = ratings.counts()
    if reason := _unusable(counts):
        return absent(reason), 0
    judged = counts.sum(axis=1)
    raters = max(range(2, judged.max() + 1), key=lambda number: ((judged == number).sum(), number))
    used = judged == raters
    agreeing = (counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))
    parts = ratings.by_item(np.column_stack([np.ones(len(counts)), agreeing, counts]) * used[:, None])

    def figure(sums: np.ndarray) -> np.ndarray:
        shares = divided(sums[:, 2:], np.repeat(sums[:, :1] * raters, sums.shape[1] - 2, axis=1))
        by_chance = (shares**2).sum(axis=1)
        return divided(divided(sums[:, 1], sums[:, 0]) - by_chance, _room(by_chance))

    found = estimated(parts[parts.any(axis=1)], figure, int(used.sum()), NO_VARIATION, most=1.0)
    return found, raters if found.value is not None else 0


def _kappa(tables: np.ndarray) -> np.ndarray:
    n = tables.sum(axis=(1, 2))
    observed = divided(np.trace(tables, axis1=1, axis2=2), n)
    by_chance = divided((tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1), n**2)
    return divided(observed - by_chance, _room(by_chance))


def _room(by_chance: np.ndarray) -> np.ndarray:
    """Return 1 − chance agreement; exactly 0 where chance agreement is 1 but for rounding."""
    return np.where(1 - by_chance < 1e-12, 0.0, 1 - by_chance)


def _pairs(counts: np.ndarray) -> np.ndarray:
    """Return (units, 2): agreeing pairs, and all pairs."""
    judged = counts.sum(axis=1)
    return np.column_stack([(counts * (counts - 1)).sum(axis=1) / 2, judged * (judged - 1) / 2])


def _unusable(counts: np.ndarray) -> str:
    if not counts.sum():
        return NOBODY
    return "" if (counts.sum(axis=1) > 1).any() else ALONE
