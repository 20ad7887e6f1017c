"""Compute figures with intervals over replies; the judgements of one reply are not independent.

Shares have Wilson's interval (1927) for the effective number of independent units; means of counts have Student's
(1908). Both treat the replies as a sample and the annotators as fixed. Other figures, such as α, have Student's
interval with the variance of the jackknife (Tukey 1958; Efron & Tibshirani 1993, ch. 11): each is a function of sums
over replies, and is computed again without each reply. Fewer than ten replies are too few for an interval.
`python -m lab.benchmarks.coverage` measures how often the intervals hold the truth.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite, sqrt

import numpy as np

FEWEST_REPLIES = 10
"""Fewest replies for an interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, its 95 % interval and the number of its units."""

    value: float | None
    """The figure; ``None`` if it does not exist, for the ``reason``."""
    low: float | None
    """The lower limit; ``None`` without an interval: with too few replies, or if all replies are equal."""
    high: float | None
    n: int
    """How many units (replies, marks, judged stretches; the figure's description says which)."""
    reason: str = ""


def absent(reason: str, n: int = 0) -> Estimate:
    """Return an estimate without a figure, for ``reason``."""
    return Estimate(None, None, None, n, reason)


def estimated(
    parts: np.ndarray,
    figure: Callable[[np.ndarray], np.ndarray],
    n: int,
    reason: str,
    *,
    value: float | None = None,
    units: float | None = None,
    added: np.ndarray | None = None,
    most: float = inf,
) -> Estimate:
    """Compute a figure from sums over all replies, with its interval.

    Args:
        parts: (replies, columns), whose sums give the figure.
        figure: (samples, columns) → (samples,), not finite where the figure does not exist.
        n: the number of units.
        reason: the reason if the figure does not exist.
        value: the figure, if a library computed it.
        units: the number of judgements, if the figure is a share of them or is 1 when all agree: then it has Wilson's
            interval where it lies between 0 and 1.
        added: (rows, columns) replies that the interval alone counts too (Agresti & Caffo 2000), so that it has a width
            when all replies are equal.
        most: the greatest possible value.
    """
    sums = parts.sum(axis=0)
    if value is None:
        value = float(figure(sums[None, :])[0]) if len(parts) else float("nan")
    if not isfinite(value):
        return absent(reason, n)
    replies = len(parts)
    if replies < FEWEST_REPLIES:
        return Estimate(value, None, None, n)
    middle, used = value, parts
    if added is not None:
        used = np.concatenate([parts, added])
        middle = float(figure(used.sum(axis=0)[None, :])[0])
    without = figure(used.sum(axis=0) - used)
    if not np.isfinite(without).all():
        return Estimate(value, None, None, n)
    variance = (1 - 1 / len(used)) * float(((without - without.mean()) ** 2).sum())
    if units is not None and 0 < value <= 1:
        worth = min(value * (1 - value) / variance, units) if variance > 0 else float(replies)
        return Estimate(value, *_wilson(value, worth, replies), n)
    half = student(0.975, len(used) - 1) * sqrt(variance)
    if half == 0:
        return Estimate(value, None, None, n)
    return Estimate(value, middle - half, min(middle + half, most), n)


def share(hits: np.ndarray, units: np.ndarray) -> Estimate:
    """Return a share of units with Wilson's interval, which is valid near 0 and 1 too.

    The units of one reply are not independent, so the interval is computed for the effective number of units: their
    number ÷ the design effect (Kish 1965), or the number of replies if all units are the same. As few replies estimate
    the design effect badly, Student's quantile replaces the normal one (Korn & Graubard 1998).

    Args:
        hits: (replies,) how many of each reply's units count.
        units: (replies,) how many units each reply has, at least one.
    """
    replies, n = len(units), round(float(units.sum()))
    if n == 0:
        return absent("nothing to count")
    found = float(hits.sum() / units.sum())
    if replies < FEWEST_REPLIES:
        return Estimate(found, None, None, n)
    effect = n / replies
    if 0 < found < 1:
        spread = float(((hits - found * units) ** 2).sum()) * replies / (replies - 1)
        effect = max(spread / (float(units.sum()) * found * (1 - found)), 1.0)
    return Estimate(found, *_wilson(found, float(units.sum()) / effect, replies), n)


def rate(rates: np.ndarray, units: np.ndarray) -> Estimate:
    """Return the mean of the replies' own shares, with Wilson's interval for the effective number of units.

    Args:
        rates: (replies,) from 0 to 1.
        units: (replies,) how many units each rate is made of.
    """
    replies = len(rates)
    if replies == 0:
        return absent("nothing to count")
    found = float(rates.mean())
    if replies < FEWEST_REPLIES:
        return Estimate(found, None, None, replies)
    worth = float(replies)
    if (variance := float(rates.var(ddof=1)) / replies) > 0:
        worth = min(found * (1 - found) / variance, float(units.sum()))
    return Estimate(found, *_wilson(found, worth, replies), replies)


def average(values: np.ndarray) -> Estimate:
    """Return the mean of counts with Student's interval, cut at 0; without an interval if all counts are equal."""
    replies = len(values)
    if replies == 0:
        return absent("nothing to count")
    found, spread = float(values.mean()), float(values.std(ddof=1)) if replies > 1 else 0.0
    if replies < FEWEST_REPLIES or spread == 0:
        return Estimate(found, None, None, replies)
    half = student(0.975, replies - 1) * spread / sqrt(replies)
    return Estimate(found, max(0.0, found - half), found + half, replies)


def _wilson(found: float, worth: float, replies: int) -> tuple[float, float]:
    t = student(0.975, replies - 1)
    scale = 1 + t**2 / worth
    middle = (found + t**2 / (2 * worth)) / scale
    half = t / scale * sqrt(max(found * (1 - found), 0.0) / worth + t**2 / (4 * worth * worth))
    return max(0.0, middle - half), min(1.0, middle + half)


def student(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t."""
    from scipy.special import stdtrit  # here: the start of the desk need not pay for it

    return float(stdtrit(freedom, probability))


def divided(numerators: np.ndarray, denominators: np.ndarray) -> np.ndarray:
    """Divide element by element; NaN where the denominator is 0."""
    return np.divide(numerators, denominators, out=np.full(np.shape(numerators), np.nan), where=denominators != 0)
