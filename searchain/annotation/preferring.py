"""Compute how often one system is preferred to another, and whether that may be chance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from searchain.annotation.comparing import sign_flip
from searchain.annotation.estimates import Estimate, rate


@dataclass(frozen=True, slots=True)
class Preferred:
    """The annotators' preferences between two systems."""

    one: str
    other: str
    pairs: int
    wins: int
    ties: int
    losses: int
    """Wins, ties and losses count answers, not pairs."""
    share: Estimate
    """The mean preference for ``one`` over pairs; a tie counts half."""
    p: float
    """The two-sided p value of the sign-flip permutation test over pairs."""


def preferred(answers: Iterable[tuple[str, str, str, float]], seed: int = 0) -> list[Preferred]:
    """Return the preferences between every two systems.

    Args:
        answers: question, the one system, the other, and the preference for the one: 1, 0.5 or 0.
        seed: the seed of the permutation test, if there are too many swaps for all.
    """
    by_systems: dict[tuple[str, str], dict[str, list[float]]] = {}
    for question, one, other, value in answers:
        by_systems.setdefault((one, other), {}).setdefault(question, []).append(value)
    found = []
    for (one, other), pairs in sorted(by_systems.items()):
        said = [value for those in pairs.values() for value in those]
        means = np.array([np.mean(those) for those in pairs.values()])
        ones = np.ones(len(means))
        found.append(
            Preferred(
                one,
                other,
                len(pairs),
                said.count(1.0),
                said.count(0.5),
                said.count(0.0),
                rate(means, ones),
                sign_flip(np.column_stack([means, ones, 1 - means, ones]), seed),
            )
        )
    return found
