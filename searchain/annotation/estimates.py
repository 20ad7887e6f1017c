"""A figure with its interval, or the reason why there is none; intervals by resampling whole replies.

What people say of one reply hangs together, so a reply is drawn, or left out, with all that was said of it (cluster
bootstrap; Efron & Tibshirani 1993, ch. 8). Every figure is a function of sums over replies, so that all resamples are
one product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np

RESAMPLES = 2_000
_CELLS = 4_000_000
"""Draws held at once: bounds the memory, whatever the number of replies."""
_FEWEST = 0.5
"""An interval needs this share of resamples in which its figure exists."""
Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, its 95 % interval and what it rests on."""

    value: float | None
    """``None`` exactly when ``reason`` says why."""
    low: float | None
    """``None`` where no interval can be given: with fewer than two replies."""
    high: float | None
    n: int
    """How many units (replies, marks, judged stretches; the figure's description says which)."""
    reason: str = ""


def absent(reason: str, n: int = 0) -> Estimate:
    """No figure, for ``reason``."""
    return Estimate(None, None, None, n, reason)


def draws(replies: int, seed: int = 0, resamples: int = RESAMPLES) -> Iterator[np.ndarray]:
    """How often each reply is drawn, with replacement, in each resample: blocks of (resamples, replies)."""
    random = np.random.default_rng(seed)
    at_once = max(1, _CELLS // replies)
    for first in range(0, resamples, at_once):
        rows = min(at_once, resamples - first)
        drawn = random.integers(0, replies, (rows, replies)) + replies * np.arange(rows)[:, None]
        yield np.bincount(drawn.ravel(), minlength=rows * replies).reshape(rows, replies)


def resampled(parts: np.ndarray, seed: int = 0) -> np.ndarray:
    """The sums over the replies of each resample: (replies, columns) → (resamples, columns)."""
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
    """The figure of the sums over all replies, with its percentile interval.

    Args:
        parts: (replies, columns); a figure is made of their sums.
        figure: (samples, columns) → (samples,), not finite where there is none.
        n: what the figure rests on.
        reason: why there is none, should it not be finite.
        value: the figure, where a library computed it.
        sums: ``resampled(parts, seed)``, where several figures are made of the same parts.
    """
    if value is None:
        value = float(figure(parts.sum(axis=0)[None, :])[0]) if len(parts) else float("nan")
    if not isfinite(value):
        return absent(reason, n)
    if len(parts) < 2:
        return Estimate(value, None, None, n)
    low, high = interval(figure(resampled(parts, seed) if sums is None else sums))
    return Estimate(value, low, high, n)


def share(hits: np.ndarray, units: np.ndarray) -> Estimate:
    """A share of units, with Wilson's interval (1927), which stays honest near 0 and 1.

    The units of one reply hang together, so the interval is that of as many independent units as all are worth: their
    number ÷ the design effect (Kish 1965), or the number of replies where all units are the same.

    Args:
        hits: (replies,) how many of each reply's units count.
        units: (replies,) how many it has, at least one each.
    """
    replies, n = len(units), int(units.sum())
    if n == 0:
        return absent("nothing to count")
    found = float(hits.sum() / n)
    if replies < 2:
        return Estimate(found, None, None, n)
    effect = float(((hits - found * units) ** 2).sum() / (n * found * (1 - found))) if 0 < found < 1 else n / replies
    worth = n / max(effect, 1.0)
    scale = 1 + Z_95**2 / worth
    middle = (found + Z_95**2 / (2 * worth)) / scale
    half = Z_95 / scale * sqrt(found * (1 - found) / worth + Z_95**2 / (4 * worth * worth))
    return Estimate(found, max(0.0, middle - half), min(1.0, middle + half), n)


def divided(numerators: np.ndarray, denominators: np.ndarray) -> np.ndarray:
    """Element by element; NaN where the denominator is 0."""
    return np.divide(numerators, denominators, out=np.full(np.shape(numerators), np.nan), where=denominators != 0)


def interval(values: np.ndarray) -> tuple[float | None, float | None]:
    """The middle 95 % of a figure's resamples; ``None`` when it does not exist in most of them."""
    there = values[np.isfinite(values)]
    if len(there) < _FEWEST * len(values):
        return None, None
    low, high = np.percentile(there, [2.5, 97.5])
    return float(low), float(high)
