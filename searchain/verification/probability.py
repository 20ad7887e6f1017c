"""Say how likely an answer is right: the one figure that decides what is ticked, corrected, kept back and chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from searchain.types import Evidence, Judgement, Node, Step


class Probability(Protocol):
    """A calibrated model: of the answers with probability p, a share p is right. ``None``: that was never measured."""

    @property
    def threshold(self) -> float:
        """From which probability on nine of ten answers are right, 0–1."""

    def of_step(self, step: Step, evidence: Evidence, judgement: Judgement) -> float | None:
        """Return how likely the answer in force of a judged step is right, 0–1."""

    def of_reply(self, question: str, path: Sequence[Node], final_answer: str) -> float | None:
        """Return how likely ``final_answer`` is right, 0–1, given the correct path that it was taken from."""
