"""Cosine similarity of two queries by all-MiniLM-L6-v2, for telling duplicates that words do not."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

from searchain.embedded.minilm import minilm, minilm_tokenizer


class QueryEncoder:
    """``encoder(one, other)`` is the cosine of two queries, −1 to 1. Loaded at first use (about 90 MB); thread-safe.

    Raises (at first use):
        SetupError: the model's package is missing or damaged.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None
        self._tokens: Any = None
        self._embed = lru_cache(maxsize=1_024)(self._encode)

    def __call__(self, one: str, other: str) -> float:
        return float(self._embed(one) @ self._embed(other))

    def embed(self, query: str) -> Any:
        """The query's embedding, a numpy vector of length 1."""
        return self._embed(query).numpy()

    def _encode(self, query: str) -> Any:
        import torch

        self.load()
        ids = torch.tensor([self._tokens.encode(query).ids])
        with torch.inference_mode():
            states = self._model(ids, torch.ones_like(ids)).last_hidden_state[0]
        return torch.nn.functional.normalize(states.mean(dim=0), dim=0)  # one text, so there is no padding to leave out

    def load(self) -> None:
        """Load the model now, once; the first query would wait for it."""
        with self._lock:
            if self._model is None:
                self._tokens = minilm_tokenizer()
                self._tokens.enable_truncation(max_length=128)
                self._tokens.encode_special_tokens = False
                self._model = minilm()
