"""Embed short texts, and their tokens, by all-MiniLM-L6-v2: to find duplicates in other words, and words of the same
meaning."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from searchain.embedded.minilm import SEP, minilm, minilm_tokenizer

KEPT = 1_024
"""How many embeddings are kept."""
TOGETHER = 8
"""How many texts are embedded in one batch; those of similar length go together."""
KEPT_TOKENS = 128
"""Of how many texts the token states are kept, about 100 kB each."""
LONGEST = 128
"""Most tokens of an embedded text."""
MOST_TOKENS = 512
"""Most tokens of a text whose states are computed: those that the model has positions for."""


@dataclass(frozen=True, slots=True)
class TokenStates:
    """The states of the tokens of a text, in order."""

    vectors: Any
    """A numpy array: [tokens, dimensions]."""
    offsets: tuple[tuple[int, int], ...]
    """Where each token stands in the text, half-open."""


class QueryEncoder:
    """Computes the cosine of two queries, −1 to 1. The model loads at first use (about 90 MB). Thread-safe.

    Raises ``SetupError`` at first use if the model's package is missing or damaged.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None
        self._tokens: Any = None
        self._known: dict[str, Any] = {}
        self._states: dict[str, TokenStates] = {}

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

    def token_states(self, texts: Sequence[str]) -> list[TokenStates]:
        """Return the states of the first ``MOST_TOKENS`` tokens of each text; those of the last texts are kept."""
        found = {text: self._states[text] for text in texts if text in self._states}
        unknown = sorted({text for text in texts if text not in found}, key=len)
        for first in range(0, len(unknown), TOGETHER):
            some = unknown[first : first + TOGETHER]
            rows, states, _ = self._run(some, MOST_TOKENS)
            for text, row, vectors in zip(some, rows, states.numpy(), strict=True):
                last = min(len(row.ids), MOST_TOKENS) - 1
                found[text] = TokenStates(vectors[1:last].copy(), tuple(row.offsets[1:last]))
        with self._lock:
            self._states = dict([*self._states.items(), *found.items()][-KEPT_TOKENS:])
        return [found[text] for text in texts]

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

        _, states, mask = self._run(texts, LONGEST)
        weights = mask[..., None].to(states.dtype)
        return torch.nn.functional.normalize((states * weights).sum(dim=1) / weights.sum(dim=1), dim=1)

    def _run(self, texts: Sequence[str], longest: int) -> tuple[list[Any], Any, Any]:
        """Return the encodings of the texts, the states of their tokens, and a mask without the padding.

        Tokens beyond ``longest`` are left out.
        """
        import torch

        self.load()
        rows = [self._tokens.encode(text) for text in texts]
        cut = [row.ids if len(row.ids) <= longest else [*row.ids[: longest - 1], SEP] for row in rows]
        length = max(map(len, cut))
        ids = torch.tensor([[*row, *[0] * (length - len(row))] for row in cut])
        mask = torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in cut])
        with torch.inference_mode():
            return rows, self._model(ids, mask), mask

    def load(self) -> None:
        """Load the model, unless it is loaded, so that the first query need not wait for it."""
        with self._lock:
            if self._model is None:
                self._tokens = minilm_tokenizer()
                self._tokens.encode_special_tokens = False
                self._model = minilm()
