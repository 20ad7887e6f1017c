"""Compute the cosine similarity of two queries by all-MiniLM-L6-v2, to find duplicates in other words."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from searchain.embedded.minilm import minilm, minilm_tokenizer

KEPT = 1_024
"""How many embeddings are kept."""
TOGETHER = 8
"""How many texts are embedded in one batch; those of similar length go together."""


class QueryEncoder:
    """Computes the cosine of two queries, −1 to 1. The model loads at first use (about 90 MB). Thread-safe.

    Raises (at first use):
        SetupError: the model's package is missing or damaged.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None
        self._tokens: Any = None
        self._known: dict[str, Any] = {}

    def __call__(self, one: str, other: str) -> float:
        return float(self._embedding(one) @ self._embedding(other))

    def embed(self, query: str) -> Any:
        """Return the query's embedding, a numpy vector of length 1."""
        return self._embedding(query).numpy()

    def prepare(self, texts: Iterable[str]) -> None:
        """Embed texts in batches, in half the time of one by one, and keep the embeddings for later comparisons."""
        unknown = sorted({text for text in texts if text not in self._known}, key=len)
        for first in range(0, len(unknown), TOGETHER):
            some = unknown[first : first + TOGETHER]
            self._keep(dict(zip(some, self._encode(some), strict=True)))

    def _embedding(self, text: str) -> Any:
        if (known := self._known.get(text)) is not None:
            return known
        (found,) = self._encode([text])
        self._keep({text: found})
        return found

    def _keep(self, found: dict[str, Any]) -> None:
        with self._lock:
            self._known = dict([*self._known.items(), *found.items()][-KEPT:])

    def _encode(self, texts: list[str]) -> Any:
        import torch

        self.load()
        rows = [self._tokens.encode(text).ids for text in texts]
        length = max(map(len, rows))
        ids = torch.tensor([[*row, *[0] * (length - len(row))] for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in rows])
        with torch.inference_mode():
            states = self._model(ids, mask).last_hidden_state
        weights = mask[..., None].to(states.dtype)
        return torch.nn.functional.normalize((states * weights).sum(dim=1) / weights.sum(dim=1), dim=1)

    def load(self) -> None:
        """Load the model, unless it is loaded, so that the first query need not wait for it."""
        with self._lock:
            if self._model is None:
                self._tokens = minilm_tokenizer()
                self._tokens.enable_truncation(max_length=128)
                self._tokens.encode_special_tokens = False
                self._model = minilm()
