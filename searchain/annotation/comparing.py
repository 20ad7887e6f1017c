"""Compare systems on the same questions: difference, sign-flip permutation test, win / tie / loss, Holm's correction.

A question counts for two systems if both have a judged reply to it. The difference has Student's interval over
questions, with the jackknife's variance; for shares one question won and one lost are added (Agresti & Caffo 2000), so
that the interval has a width where all is right. The test recomputes the difference with the two replies of each
question swapped at random, or in every way for few questions (Fisher 1935; Good 2005). Annotators are
taken as they are.

``plan`` says how many replies and annotators show a difference, from the variances in a pilot round. Two systems answer
the same questions, and the mean difference is tested with Student's paired test. Its variance is that between questions
plus that between annotators of one reply ÷ annotators; power is exact under this model (noncentral t; Cohen 1988, ch.
2). A pooled share such as AMP is planned by its mean per reply. Small pilots know their variances badly: questions are
resampled, and the plan says between which numbers of replies it may be wrong.
"""

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt

import numpy as np

from searchain.annotation.estimates import Estimate, divided, estimated, student
from searchain.annotation.measures import Counts, counts
from searchain.annotation.study import PRIMARY, SHARES
from searchain.annotation.units import Judgement
from searchain.errors import UsageError

MEASURES: Mapping[str, tuple[str, str | None]] = {  # the count, and what it is divided by; None: the replies
    **{name: (name, None) for name in PRIMARY},
    "amp": ("right", "marks"),
    "amp_strict": ("precise", "marks"),
    "citation_recall": ("recall", None),
    "citation_precision": ("precision", None),
}
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

    ``parts`` are (questions, 4): numerator and denominator of the one system, then of the other. ``seed`` is that of
    random swaps, if there are too many for all.
    """
    questions = len(parts)
    if questions <= EXACT:
        swaps = (np.arange(2**questions)[:, None] >> np.arange(questions)) & 1
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


def pair(found: Counts, measure: str) -> tuple[float, float] | None:
    """Return the numerator and the denominator of ``measure``; ``None`` if it is not defined."""
    above, below = MEASURES[measure]
    value, over = getattr(found, above), 1.0 if below is None else getattr(found, below)
    return None if value is None or not over else (float(value), float(over))


def _replies(judgements: Iterable[Judgement]) -> dict[tuple[str, str], list[Counts]]:
    """Return (system, question) → the counts of all annotators of its replies."""
    found: dict[tuple[str, str], list[Counts]] = {}
    for one in judgements:
        question = " ".join(one.item.question.casefold().split())
        found.setdefault((one.item.system, question), []).append(counts(one.item, one.labels))
    return found


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
    """Return the difference of two ratios with its paired interval; ``parts`` are as for ``sign_flip``.

    ``reason`` is given if there is no question; ``is_share`` tells that both ratios lie between 0 and 1.
    """
    return estimated(
        parts,
        lambda sums: divided(sums[:, 0], sums[:, 1]) - divided(sums[:, 2], sums[:, 3]),
        len(parts),
        reason,
        added=np.array([[1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 1.0]]) if is_share else None,
    )


MOST = 20_000
"""Most replies of each system in a plan."""
RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class Pilot:
    """The variances in a pilot round of judging."""

    questions: int
    between: float
    """Variance of the systems' difference over questions, without annotators' disagreement."""
    within: float
    """Variance of one annotator's difference on one question around the mean of all."""
    is_paired: bool
    """Whether both systems answered the same questions; else the variances are those of unrelated systems."""
    samples: tuple[tuple[float, float], ...] = ()
    """``between`` and ``within`` of each resample of the questions."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to reach the power."""

    annotators: int
    replies: int | None
    """Replies of each system; ``None``: more than ``MOST``."""
    power: float | None
    low: int | None = None
    high: int | None = None
    """The limits of ``replies`` in 95 of 100 resampled pilots; ``high`` is ``None`` above ``MOST``."""


def pilot(judgements: Iterable[Judgement], systems: Sequence[str], measure: str, seed: int = 0) -> Pilot:
    """Compute the variances in ``judgements`` of one or two ``systems``.

    Raises ``UsageError`` if fewer than three questions are judged.
    """
    said: list[dict[str, list[float]]] = [{} for _ in systems]
    for (system, question), replies in _replies(judgements).items():
        ratios = [parts[0] / parts[1] for one in replies if (parts := pair(one, measure)) is not None]
        if system in systems and ratios:
            said[systems.index(system)][question] = ratios
    shared = sorted(set.intersection(*(set(found) for found in said)))
    if len(shared) < 3:
        raise UsageError(f"a plan takes a pilot of three judged questions or more, and there are {len(shared)}")
    every = [*shared, *sorted(set().union(*said) - set(shared))]
    counts, means, squares = (np.array([[of(found.get(one, [])) for found in said] for one in every]) for of in _PARTS)
    sign = np.array([1.0, -1.0][: len(systems)])
    draws = np.random.default_rng(seed).multinomial(len(every), np.full(len(every), 1 / len(every)), RESAMPLES)
    weights = np.concatenate([np.ones((1, len(every))), draws])
    between, within = _variances(weights, counts, means @ sign, squares, len(shared)) * (3 - len(systems))
    there = np.isfinite(between)
    samples = tuple(zip(between[1:][there[1:]].tolist(), within[1:][there[1:]].tolist(), strict=True))
    return Pilot(len(shared), float(between[0]), float(within[0]), len(systems) == 2, samples)


_PARTS = (
    len,
    lambda said: float(np.mean(said)) if said else 0.0,
    lambda said: float(np.var(said)) * len(said) if said else 0.0,
)
"""Of the judgements of one question: their number, their mean and their sum of squares."""


def _variances(
    weights: np.ndarray, counts: np.ndarray, values: np.ndarray, squares: np.ndarray, shared: int
) -> np.ndarray:
    """Return (2, samples): the variance between and within questions, for each row of ``weights`` of the questions.

    The first ``shared`` questions have all systems; ``counts`` and ``squares`` are (questions, systems).
    """
    within = np.nan_to_num(divided(weights @ squares, weights @ np.maximum(counts - 1, 0)))
    used = weights[:, :shared]
    number, total = used.sum(axis=1), used @ values[:shared]
    spread = divided(used @ values[:shared] ** 2 - divided(total**2, number), number - 1)
    sizes = np.repeat(number[:, None], counts.shape[1], axis=1)
    noise = (within * divided(used @ (1 / counts[:shared]), sizes)).sum(axis=1)
    return np.stack([np.maximum(spread - noise, 0.0), within.sum(axis=1)])


def plan(found: Pilot, difference: float, power: float = 0.8, level: float = 0.05) -> list[Plan]:
    """Return the fewest replies of each system for 1 to 5 annotators per reply."""
    return [_plan(annotators, found, difference, power, level) for annotators in range(1, 6)]


def power_of(effect: float, replies: int, level: float = 0.05) -> float:
    """Return the power of Student's two-sided paired test; ``effect``: mean difference ÷ its standard deviation."""
    from scipy.special import nctdtr  # here: the start of the desk need not pay for it

    freedom, shift = replies - 1, effect * sqrt(replies)
    critical = student(1 - level / 2, freedom)
    within, below = nctdtr(freedom, shift, [critical, -critical])  # no number where it is too small for one
    return float(1 - np.nan_to_num(within) + np.nan_to_num(below))


def _plan(annotators: int, found: Pilot, difference: float, power: float, level: float) -> Plan:
    deviations = [sqrt(between + within / annotators) for between, within in found.samples]
    low, high = np.percentile(deviations, [2.5, 97.5]) if deviations else (None, None)
    deviation = sqrt(found.between + found.within / annotators)
    number, least, most = (
        None if one is None else _fewest(float(one), difference, power, level) for one in (deviation, low, high)
    )
    reached = None if number is None else power_of(abs(difference) / deviation, number, level) if deviation else 1.0
    return Plan(annotators, number, reached, least, most)


def _fewest(deviation: float, difference: float, power: float, level: float) -> int | None:
    if deviation == 0:
        return 2
    sizes, effect = range(2, MOST + 1), abs(difference) / deviation
    at = bisect(sizes, False, key=lambda size: power_of(effect, size, level) >= power)
    return sizes[at] if at < len(sizes) else None
