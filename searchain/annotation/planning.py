"""Plan how many replies and annotators show a difference, from the variances in a pilot round.

Two systems answer the same questions, and the mean difference is tested with Student's paired test. Its variance is the
variance between questions plus the variance between annotators of one reply ÷ annotators. Power is exact under this
model (noncentral t; Cohen 1988, ch. 2). A pooled share such as AMP is planned by its mean per reply.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erf, exp, lgamma, log, sqrt

import numpy as np

from searchain.annotation.comparing import question, values
from searchain.annotation.estimates import student
from searchain.annotation.units import Judgement
from searchain.errors import UsageError

MOST = 20_000
"""Most replies of each system in a plan."""


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


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to reach the power."""

    annotators: int
    replies: int | None
    """Replies of each system; ``None``: more than ``MOST``."""
    power: float | None
    """The power with this number of replies."""


def pilot(judgements: Iterable[Judgement], systems: Sequence[str], measure: str) -> Pilot:
    """Compute the variances in ``judgements`` of one or two ``systems``.

    Raises:
        UsageError: fewer than three questions are judged.
    """
    judgements = list(judgements)
    by_question: list[dict[str, list[float]]] = []
    asked = {one.item.id: question(one) for one in judgements}
    for system in systems:
        found: dict[str, list[float]] = {}
        for item, pairs in values(judgements, measure, system).items():
            found.setdefault(asked[item], []).extend(above / below for above, below in pairs)
        by_question.append(found)
    spread = [_within(found) for found in by_question]
    if len(systems) == 2:
        shared = sorted(by_question[0].keys() & by_question[1].keys())
        _must_suffice(len(shared))
        differences = [np.mean(by_question[0][one]) - np.mean(by_question[1][one]) for one in shared]
        noise = float(
            np.mean([sum(w / len(f[one]) for w, f in zip(spread, by_question, strict=True)) for one in shared])
        )
        between = max(float(np.var(differences, ddof=1) - noise), 0.0)
        return Pilot(len(shared), between, sum(spread), True)
    _must_suffice(len(by_question[0]))
    means = [float(np.mean(said)) for said in by_question[0].values()]
    noise = float(np.mean([spread[0] / len(said) for said in by_question[0].values()]))
    return Pilot(len(means), 2 * max(float(np.var(means, ddof=1)) - noise, 0.0), 2 * spread[0], False)


def plan(found: Pilot, difference: float, power: float = 0.8, level: float = 0.05, most: int = 5) -> list[Plan]:
    """Return the fewest replies of each system for 1 … ``most`` annotators per reply."""
    return [_plan(annotators, found, difference, power, level) for annotators in range(1, most + 1)]


def power_of(effect: float, replies: int, level: float = 0.05) -> float:
    """Return the power of Student's two-sided paired test; ``effect``: mean difference ÷ its standard deviation."""
    freedom = replies - 1
    critical, shift = student(1 - level / 2, freedom), effect * sqrt(replies)
    return _noncentral_above(critical, shift, freedom) + _noncentral_above(critical, -shift, freedom)


def _plan(annotators: int, found: Pilot, difference: float, power: float, level: float) -> Plan:
    deviation = sqrt(found.between + found.within / annotators)
    if deviation == 0:
        return Plan(annotators, 2, 1.0)
    effect, low, high = abs(difference) / deviation, 2, MOST
    if power_of(effect, high, level) < power:
        return Plan(annotators, None, None)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of(effect, middle, level) >= power else (middle + 1, high)
    return Plan(annotators, low, power_of(effect, low, level))


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


def _within(found: dict[str, list[float]]) -> float:
    """Return the variance among annotators of one reply, over replies with several annotators; 0 without any."""
    several = [said for said in found.values() if len(said) > 1]
    freedom = sum(len(said) - 1 for said in several)
    return sum(float(np.var(said)) * len(said) for said in several) / freedom if freedom else 0.0


def _must_suffice(questions: int) -> None:
    if questions < 3:
        raise UsageError(f"a plan takes a pilot of three judged questions or more, and there are {questions}")
