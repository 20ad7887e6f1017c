"""Estimate figures over all replies from a machine's judgements, corrected by replies that people judged too.

Prediction-powered inference (Angelopoulos et al. 2023), with the weight of the machine chosen from the data (PPI++,
Angelopoulos, Duchi & Zrnic 2023): the machine's weighted mean over all other replies, plus the mean difference of
people and machine. A useless machine gets weight 0, which leaves the people's mean. People must have judged a random
part of the replies.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from searchain.annotation.estimates import FEWEST_REPLIES, Estimate, absent, rate, student


@dataclass(frozen=True, slots=True)
class Powered:
    """One figure of one system."""

    measure: str
    system: str
    judge: str
    judged: int
    """Replies that people and the machine judged."""
    others: int
    """Replies that the machine alone judged."""
    people: Estimate
    """The figure from people's judgements alone."""
    machine: float | None
    """The machine's own mean over all replies, uncorrected."""
    powered: Estimate
    weight: float
    """The weight of the machine, 0 to 1."""


def powered_mean(
    said: np.ndarray, predicted: np.ndarray, others: np.ndarray, *, top: float = 1.0, units: float = 1.0
) -> tuple[Estimate, float]:
    """Return the prediction-powered mean with its 95 % interval, and the weight of the machine.

    The differences of people and machine are mostly 0 and rarely large, which a normal interval does not fit. So the
    positive and the negative ones have Wilson's interval each, and both are combined (MOVER; Zou & Donner 2008).

    Args:
        said: (n,) people's values of the replies that they judged.
        predicted: (n,) the machine's values of the same replies.
        others: (N,) its values of the replies that people did not judge.
        top: the greatest possible value; the least is 0.
        units: the average number of judgements per value.
    """
    n, more = len(said), len(others)
    if n < 2 or more < 2:
        return absent("it takes replies that people judged, and others that the machine alone did", n), 0.0
    variance = float(np.var(np.concatenate([predicted, others]), ddof=1))
    shared = float(np.cov(said, predicted, ddof=1)[0, 1])
    weight = min(max(shared / ((1 + n / more) * variance), 0.0), 1.0) if variance > 0 else 0.0
    beyond = said - weight * predicted
    value = weight * float(others.mean()) + float(beyond.mean())
    above, below = (rate(np.clip(side, 0, None) / top, np.full(n, units)) for side in (beyond, -beyond))
    limits = (above.value, above.low, above.high, below.value, below.low, below.high)
    if n < FEWEST_REPLIES or any(limit is None for limit in limits):
        return Estimate(value, None, None, n + more), weight
    up, up_low, up_high, down, down_low, down_high = (top * float(limit or 0.0) for limit in limits)
    machine = student(0.975, more - 1) * weight * float(np.std(others, ddof=1)) / sqrt(more)
    low = value - sqrt((up - up_low) ** 2 + (down_high - down) ** 2 + machine**2)
    high = value + sqrt((up_high - up) ** 2 + (down - down_low) ** 2 + machine**2)
    return Estimate(value, max(0.0, low), min(top, high), n + more), weight
