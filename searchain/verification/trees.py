"""Gradient-boosted decision trees, stored as JSON; the log-odds are the sum over the trees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Split = tuple[int, float, int, int]
"""A feature's index, the limit, and the index of the next split for values up to the limit and above it. A negative
index −1 − n stands for leaf n."""


@dataclass(frozen=True, slots=True)
class Tree:
    splits: tuple[Split, ...]
    leaves: tuple[float, ...]
    """The log-odds that each leaf adds."""

    def value(self, features: Sequence[float]) -> float:
        """Return the log-odds that the tree adds for ``features``."""
        at = 0 if self.splits else -1
        while at >= 0:
            feature, limit, low, high = self.splits[at]
            at = low if features[feature] <= limit else high
        return self.leaves[-1 - at]


@dataclass(frozen=True, slots=True)
class Trees:
    start: float
    """Log-odds before any tree."""
    trees: tuple[Tree, ...]

    @property
    def last_feature(self) -> int:
        """The greatest index of a feature in any split; -1 without splits."""
        return max((split[0] for tree in self.trees for split in tree.splits), default=-1)

    def log_odds(self, features: Sequence[float]) -> float:
        """Return the log-odds that the trees add up to."""
        return self.start + sum(tree.value(features) for tree in self.trees)

    def probability(self, features: Sequence[float]) -> float:
        """Return the probability, between 0 and 1."""
        return sigmoid(self.log_odds(features))

    def as_json(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "trees": [{"splits": [list(split) for split in t.splits], "leaves": list(t.leaves)} for t in self.trees],
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Trees:
        """Read what ``as_json`` wrote. Raises ``KeyError``, ``TypeError`` or ``ValueError`` for another form."""
        trees = []
        for one in stored["trees"]:
            splits = tuple((int(f), float(limit), int(low), int(high)) for f, limit, low, high in one["splits"])
            leaves = tuple(float(value) for value in one["leaves"])
            places = [place for split in splits for place in split[2:]]
            if not leaves or any(not -len(leaves) <= place < len(splits) for place in places):
                raise ValueError("a tree leads nowhere")
            trees.append(Tree(splits, leaves))
        return cls(float(stored["start"]), tuple(trees))


def sigmoid(value: float) -> float:
    """Return 1 / (1 + e^−value) without overflow."""
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    return math.exp(value) / (1 + math.exp(value))
