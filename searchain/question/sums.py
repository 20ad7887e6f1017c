"""Recognise a question whose answer has to be computed from values of documents: a total, a ratio, a count of rows.

A linear head decides, as in ``question.head``, on the embedding of the question and on its words, among those that come
in several forms of such questions; ``lab.training.sums`` trains it and finds these words.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

import numpy as np

from searchain.files.weights import Floats, layer_of, read_weights
from searchain.language import text
from searchain.question.document_head import Encoder

WEIGHTS = Path(__file__).parent.parent / "weights" / "question" / "sums.json"
NONE = "none"
"""The label of a question that asks for no computation."""
WORD = 0.5
"""What a word counts beside the embedding, whose length is 1."""


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


class SumHead:
    """Tells what a question wants to have computed. Thread-safe if ``encoder`` is."""

    def __init__(self, encoder: Encoder, file: Path = WEIGHTS) -> None:
        """Read the weights in ``file``.

        Raises:
            SetupError: the file is missing or damaged.
        """
        self._encoder = encoder
        self._layer, self._words, self._threshold = read_weights(
            file, lambda stored: (layer_of(stored), tuple(stored["words"]), float(stored["threshold"]))
        )

    def of(self, question: str) -> Sum | None:
        """Return what ``question`` wants to have computed; ``None`` if that is not likely enough.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        embedding = np.asarray(self._encoder.embed(question), dtype=np.float64)
        shares = self._layer.shares(with_words(embedding, question, self._words))
        if 1 - shares.pop(NONE) < self._threshold:
            return None
        return Sum(max(shares, key=shares.__getitem__))


def with_words(embedding: Floats, question: str, words: Sequence[str]) -> Floats:
    """Append to the embedding which of ``words`` the question has."""
    inside = set(text.tokens(question))
    return np.append(embedding, [WORD * (word in inside) for word in words])
