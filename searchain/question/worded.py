"""Classify a question by a linear head on its embedding and on its words, among those that the head was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from searchain.files.weights import Floats, layer_of, read_weights
from searchain.language import text
from searchain.question.document_head import Encoder

FOLDER = Path(__file__).parent.parent / "weights" / "question"
NOW = FOLDER / "now.json"
"""The head that recognises a question for what holds now, which ``lab.training.now`` trains."""
YES_NO = FOLDER / "yes_no.json"
"""The head that recognises a yes/no question without its form, which ``lab.training.yes_no`` trains."""
NONE = "none"
"""The label of a question of no kind that the head recognises."""
WORD = 0.5
"""What a word counts beside the embedding, whose length is 1."""


class WordedHead:
    """Tells the kind of a question. Thread-safe if ``encoder`` is."""

    def __init__(self, encoder: Encoder, file: Path) -> None:
        """Read the weights in ``file``.

        Raises:
            SetupError: the file is missing or damaged.
        """
        self._encoder = encoder
        self._layer, self._words, self._threshold = read_weights(
            file, lambda stored: (layer_of(stored), tuple(stored["words"]), float(stored["threshold"]))
        )

    def kind_of(self, question: str, least: float | None = None) -> str | None:
        """Return the kind of ``question``; ``None`` if all kinds together are less likely than ``least``.

        Without ``least`` the threshold counts that was chosen when the head was trained.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        embedding = np.asarray(self._encoder.embed(question), dtype=np.float64)
        shares = self._layer.shares(with_words(embedding, question, self._words))
        if 1 - shares.pop(NONE) < (self._threshold if least is None else least):
            return None
        return max(shares, key=shares.__getitem__)


def with_words(embedding: Floats, question: str, words: Sequence[str]) -> Floats:
    """Append to the embedding which of ``words`` the question has."""
    inside = set(text.tokens(question))
    return np.append(embedding, [WORD * (word in inside) for word in words])
