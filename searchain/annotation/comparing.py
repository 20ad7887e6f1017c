"""Compare systems on the same questions: difference, sign-flip permutation test, win / tie / loss, Holm's correction.

A question counts for two systems if both have a judged reply to it. The difference has Student's interval over
questions, with the jackknife's variance; for shares one question won and one lost are added (Agresti & Caffo 2000), so
that the interval has a width where all is right. The test recomputes the difference with the two replies of each
question swapped at random, or in every way for few questions (Fisher 1935; Good 2005). Annotators are
taken as they are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from searchain.annotation.estimates import Estimate, divided, estimated
from searchain.annotation.measures import Counts, counts
from searchain.annotation.study import PRIMARY, SHARES
from searchain.annotation.units import Judgement

MEASURES: Mapping[str, tuple[str, str | None]] = {  # the count, and what it is divided by; None: the replies
    **{name: (name, None) for name in PRIMARY},
    "amp": ("right", "marks"),
    "amp_strict": ("precise", "marks"),
    "citation_recall": ("recall", None),
    "citation_precision": ("precision", None),
}
"""Measures that can be compared."""
EXACT, SWAPS = 16, 20_000
"""The most questions for which every swap is tried, and the number of random swaps for more questions."""
_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure of two systems."""

    measure: str
    one: str
    other: str
    questions: int
    """The number of questions that both answered and for which both have the measure."""
    first: float | None
    second: float | None
    """The figures on these questions."""
    difference: Estimate
    """``first`` − ``second``."""
    p: float | None
    """The two-sided p value of the sign-flip permutation test."""
    holm: float | None
    """``p`` corrected for all comparisons of this measure that were made together (Holm 1979)."""
    wins: int
    ties: int
    losses: int


def compare(
    judgements: Iterable[Judgement], systems: Sequence[str], measures: Sequence[str], seed: int = 0
) -> list[Comparison]:
    """Compare every two of ``systems`` in each of ``measures``."""
    replies = _replies(judgements)
    found = []
    for measure in measures:
        those = [_compared(replies, measure, one, other, seed) for one, other in combinations(systems, 2)]
        corrected = iter(holm([one.p for one in those if one.p is not None]))
        found += [replace(one, holm=next(corrected)) if one.p is not None else one for one in those]
    return found


def holm(values: Sequence[float]) -> list[float]:
    """Return Holm's corrected p values, in the same order.

    >>> holm([0.01, 0.04])
    [0.02, 0.04]
    """
    order, found, highest = np.argsort(values, kind="stable"), [0.0] * len(values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * float(values[place])))
        found[place] = highest
    return found


def sign_flip(parts: np.ndarray, seed: int = 0) -> float:
    """Return the two-sided p value of the difference of two ratios by swapping the systems within questions.

    Args:
        parts: (questions, 4): numerator and denominator of the one system, then of the other.
        seed: the seed for random swaps, if there are too many for all.
    """
    questions = len(parts)
    if questions <= EXACT:
        codes = np.arange(2**questions)[:, None]
        swaps = (codes >> np.arange(questions)) & 1
    else:
        swaps = np.random.default_rng(seed).integers(0, 2, (SWAPS, questions))
    own, theirs = parts[:, :2], parts[:, 2:]
    total = parts[:, :2].sum(axis=0) + parts[:, 2:].sum(axis=0)
    first = own.sum(axis=0) + swaps @ (theirs - own)
    second = total - first
    differences = divided(first[:, 0], first[:, 1]) - divided(second[:, 0], second[:, 1])
    seen = float(own[:, 0].sum() / own[:, 1].sum() - theirs[:, 0].sum() / theirs[:, 1].sum())
    there = differences[np.isfinite(differences)]
    extreme = int((np.abs(there) >= abs(seen) - _TIE).sum())
    return extreme / len(there) if questions <= EXACT else (extreme + 1) / (len(there) + 1)


def values(judgements: Iterable[Judgement], measure: str, system: str) -> dict[str, list[tuple[float, float]]]:
    """Return reply → numerator and denominator of ``measure`` by each annotator for whom it exists."""
    found: dict[str, list[tuple[float, float]]] = {}
    for one in judgements:
        if one.item.system == system and (parts := pair(counts(one.item, one.labels), measure)) is not None:
            found.setdefault(one.item.id, []).append(parts)
    return found


def pair(found: Counts, measure: str) -> tuple[float, float] | None:
    """Return the numerator and the denominator of ``measure``; ``None`` if it is not defined."""
    above, below = MEASURES[measure]
    value, over = getattr(found, above), 1.0 if below is None else getattr(found, below)
    return None if value is None or not over else (float(value), float(over))


def _replies(judgements: Iterable[Judgement]) -> dict[tuple[str, str], list[Counts]]:
    """Return (system, question) → the counts of all annotators of its replies."""
    found: dict[tuple[str, str], list[Counts]] = {}
    for one in judgements:
        found.setdefault((one.item.system, question(one)), []).append(counts(one.item, one.labels))
    return found


def question(one: Judgement) -> str:
    """Return the question of a judgement in the form that is compared: lower case, single spaces."""
    return " ".join(one.item.question.casefold().split())


def _compared(
    replies: Mapping[tuple[str, str], list[Counts]], measure: str, one: str, other: str, seed: int
) -> Comparison:
    rows = []
    for asked in sorted({question for system, question in replies if system == one}):
        both = []
        for system in (one, other):
            said = [part for found in replies.get((system, asked), ()) if (part := pair(found, measure)) is not None]
            if said:
                both += list(np.mean(said, axis=0))
        if len(both) == 4:
            rows.append(both)
    parts = np.array(rows).reshape(-1, 4)
    reason = f"{one} and {other} have no judged replies to the same question"
    estimate = difference(parts, reason, is_share=measure in SHARES)
    own = parts[:, 0] / parts[:, 1] - parts[:, 2] / parts[:, 3] if len(parts) else np.zeros(0)
    sums = parts.sum(axis=0)
    return Comparison(
        measure,
        one,
        other,
        len(parts),
        float(sums[0] / sums[1]) if len(parts) else None,
        float(sums[2] / sums[3]) if len(parts) else None,
        estimate,
        sign_flip(parts, seed) if len(parts) else None,
        None,
        int((own > _TIE).sum()),
        int((np.abs(own) <= _TIE).sum()),
        int((own < -_TIE).sum()),
    )


def difference(parts: np.ndarray, reason: str = "", *, is_share: bool) -> Estimate:
    """Return the difference of two ratios with its paired interval.

    Args:
        parts: (questions, 4): numerator and denominator of the one system, then of the other.
        reason: the reason if there is no question.
        is_share: whether both ratios lie between 0 and 1.
    """
    return estimated(
        parts,
        lambda sums: divided(sums[:, 0], sums[:, 1]) - divided(sums[:, 2], sums[:, 3]),
        len(parts),
        reason,
        added=np.array([[1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 1.0]]) if is_share else None,
    )
