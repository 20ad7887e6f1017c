"""Compute figures with intervals over replies; the judgements of one reply are not independent.

Shares have Wilson's interval (1927) for the effective number of independent units; means of counts have Student's
(1908). Both treat the replies as a sample and the annotators as fixed. Other figures, such as α, are resampled reply by
reply (cluster bootstrap; Efron & Tibshirani 1993, ch. 8): each is a function of sums over replies, so all resamples are
one product of matrices. Fewer than ten replies are too few for an interval.
`python -m lab.benchmarks.coverage` measures how often the intervals hold the truth.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np

FEWEST_REPLIES = 10
"""Fewest replies for an interval."""
RESAMPLES = 2_000
_CELLS = 4_000_000
"""Most draws in memory at once."""
_FEWEST = 0.5
"""The least share of resamples in which a figure must exist to have an interval."""


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


def draws(replies: int, seed: int = 0, resamples: int = RESAMPLES) -> Iterator[np.ndarray]:
    """Yield how often each reply is drawn, with replacement, in each resample: blocks of (resamples, replies)."""
    random = np.random.default_rng(seed)
    at_once = max(1, _CELLS // replies)
    for first in range(0, resamples, at_once):
        rows = min(at_once, resamples - first)
        drawn = random.integers(0, replies, (rows, replies)) + replies * np.arange(rows)[:, None]
        yield np.bincount(drawn.ravel(), minlength=rows * replies).reshape(rows, replies)


def resampled(parts: np.ndarray, seed: int = 0) -> np.ndarray:
    """Return the sums over the replies of each resample: (replies, columns) → (resamples, columns)."""
    return np.concatenate([times @ parts for times in draws(len(parts), seed)])


def estimated(
    parts: np.ndarray,
    figure: Callable[[np.ndarray], np.ndarray],
    n: int,
    reason: str,
    seed: int = 0,
    value: float | None = None,
    sums: np.ndarray | None = None,
) -> Estimate:
    """Compute a figure from sums over all replies, with its percentile interval.

    Args:
        parts: (replies, columns), whose sums give the figure.
        figure: (samples, columns) → (samples,), not finite where the figure does not exist.
        n: the number of units.
        reason: the reason if the figure does not exist.
        value: the figure, if a library computed it.
        sums: ``resampled(parts, seed)``, if several figures use the same parts.
    """
    if value is None:
        value = float(figure(parts.sum(axis=0)[None, :])[0]) if len(parts) else float("nan")
    if not isfinite(value):
        return absent(reason, n)
    if len(parts) < FEWEST_REPLIES:
        return Estimate(value, None, None, n)
    low, high = interval(figure(resampled(parts, seed) if sums is None else sums))
    return Estimate(value, low, high, n)


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
    from scipy.special import stdtrit  # here, because only the report needs it

    return float(stdtrit(freedom, probability))


def divided(numerators: np.ndarray, denominators: np.ndarray) -> np.ndarray:
    """Divide element by element; NaN where the denominator is 0."""
    return np.divide(numerators, denominators, out=np.full(np.shape(numerators), np.nan), where=denominators != 0)


def interval(values: np.ndarray) -> tuple[float | None, float | None]:
    """Return the middle 95 % of a figure's resamples; ``None`` when it does not exist in most of them."""
    there = values[np.isfinite(values)]
    if len(there) < _FEWEST * len(values):
        return None, None
    low, high = np.percentile(there, [2.5, 97.5])
    return float(low), float(high)
