"""Plan how many replies and annotators show a difference, from the variances in a pilot round.

Two systems answer the same questions, and the mean difference is tested with Student's paired test. Its variance is the
variance between questions plus the variance between annotators of one reply ÷ annotators. Power is exact under this
model (noncentral t; Cohen 1988, ch. 2). A pooled share such as AMP is planned by its mean per reply. Small pilots know
their variances badly: questions are resampled, and the plan says between which numbers of replies it may be wrong.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erf, exp, lgamma, log, sqrt

import numpy as np

from searchain.annotation.comparing import question, values
from searchain.annotation.estimates import divided, student
from searchain.annotation.units import Judgement
from searchain.errors import UsageError

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
    """The power with this number of replies."""
    low: int | None = None
    high: int | None = None
    """The limits of ``replies`` in 95 of 100 resampled pilots; ``high`` is ``None`` above ``MOST``."""


def pilot(judgements: Iterable[Judgement], systems: Sequence[str], measure: str, seed: int = 0) -> Pilot:
    """Compute the variances in ``judgements`` of one or two ``systems``.

    Raises:
        UsageError: fewer than three questions are judged.
    """
    judgements = list(judgements)
    asked = {one.item.id: question(one) for one in judgements}
    said: list[dict[str, list[float]]] = []
    for system in systems:
        found: dict[str, list[float]] = {}
        for item, pairs in values(judgements, measure, system).items():
            found.setdefault(asked[item], []).extend(above / below for above, below in pairs)
        said.append(found)
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
    noise = (within * divided(used @ (1 / counts[:shared]), np.repeat(number[:, None], counts.shape[1], axis=1))).sum(
        axis=1
    )
    return np.stack([np.maximum(spread - noise, 0.0), within.sum(axis=1)])


def plan(found: Pilot, difference: float, power: float = 0.8, level: float = 0.05, most: int = 5) -> list[Plan]:
    """Return the fewest replies of each system for 1 … ``most`` annotators per reply."""
    return [_plan(annotators, found, difference, power, level) for annotators in range(1, most + 1)]


def power_of(effect: float, replies: int, level: float = 0.05) -> float:
    """Return the power of Student's two-sided paired test; ``effect``: mean difference ÷ its standard deviation."""
    freedom = replies - 1
    critical, shift = student(1 - level / 2, freedom), effect * sqrt(replies)
    return _noncentral_above(critical, shift, freedom) + _noncentral_above(critical, -shift, freedom)


def _plan(annotators: int, found: Pilot, difference: float, power: float, level: float) -> Plan:
    deviations = [sqrt(between + within / annotators) for between, within in found.samples]
    low, high = np.percentile(deviations, [2.5, 97.5]) if deviations else (None, None)
    deviation = sqrt(found.between + found.within / annotators)
    number, least, most = (
        None if one is None else _replies(float(one), difference, power, level) for one in (deviation, low, high)
    )
    reached = None if number is None else power_of(abs(difference) / deviation, number, level) if deviation else 1.0
    return Plan(annotators, number, reached, least, most)


def _replies(deviation: float, difference: float, power: float, level: float) -> int | None:
    if deviation == 0:
        return 2
    effect, low, high = abs(difference) / deviation, 2, MOST
    if power_of(effect, high, level) < power:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of(effect, middle, level) >= power else (middle + 1, high)
    return low


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(400)


def _noncentral_above(critical: float, shift: float, freedom: int) -> float:
    """Return P(T > ``critical``), noncentral T: the mean of P(Z > critical · s − shift) over s = √(χ² ÷ freedom)."""
    middle, half = 1.0, min(12 / sqrt(2 * freedom), 12.0)
    low, high = max(middle - half, 0.0), middle + half
    points = (high - low) / 2 * _NODES + (high + low) / 2
    scale = freedom / 2 * log(freedom / 2) - lgamma(freedom / 2) + log(2)
    densities = [exp(scale + (freedom - 1) * log(s) - freedom * s * s / 2) if s > 0 else 0.0 for s in points]
    tails = [0.5 * (1 - erf((critical * s - shift) / sqrt(2))) for s in points]
    return float((high - low) / 2 * np.sum(_WEIGHTS * np.array(densities) * np.array(tails)))
