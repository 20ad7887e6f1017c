"""Recognise a question whose answer has to be computed from values of documents: a total, a count of rows,
which of two is greater.

``lab.training.sums`` trains the head, whose words are those that come in several forms of such questions.
"""

from __future__ import annotations

from enum import StrEnum

from searchain.question.document_head import Encoder
from searchain.question.worded import FOLDER, WordedHead

WEIGHTS = FOLDER / "sums.json"


class Sum(StrEnum):
    """What is computed."""

    TOTAL = "total"
    AVERAGE = "average"
    COUNT = "count"
    LARGEST = "largest"
    SMALLEST = "smallest"
    LATEST = "latest"
    EARLIEST = "earliest"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    SHARE = "share"
    DAYS = "days"
    """The days between two dates."""
    GREATER = "greater"
    """Which of two values is the greater or later one, or whether the first is."""
    LESS = "less"
    """The same for the smaller or earlier one."""


class SumHead(WordedHead):
    """Tells what a question wants to have computed. Thread-safe if ``encoder`` is."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder, WEIGHTS)

    def of(self, question: str) -> Sum | None:
        """Return what ``question`` wants to have computed; ``None`` if that is not likely enough.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        kind = self.kind_of(question)
        return None if kind is None else Sum(kind)
