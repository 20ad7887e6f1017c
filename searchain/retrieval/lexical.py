"""Search passages that have no vectors yet by their words, with BM25.

BM25 (Robertson and Zaragoza 2009) needs no model, so a document is searchable as soon as its text is known.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from searchain.retrieval.store import PassageStore
from searchain.types import Passage

if TYPE_CHECKING:
    import bm25s
    from torch import Tensor

_WORD = re.compile(r"\w+")


class WordsPart:
    """A part whose passages are found by the words that they share with a query; thread-safe."""

    def __init__(self, directory: Path) -> None:
        self.store = PassageStore(directory)
        self._lock = threading.Lock()
        self._model: bm25s.BM25 | None = None
        self.vectors: dict[int, Tensor] = {}
        """Row → its token vectors [tokens, dim], for rows that a search has found."""

    def search(self, query: str, k: int) -> list[tuple[float, int]]:
        """Return at most ``k`` (score, row), best first; only passages that share a word with ``query``."""
        with self._lock:
            model = self._model = self._model or _indexed(self.store)
        known = [word for word in words(query) if word in model.vocab_dict]
        if not known:
            return []
        scores = model.get_scores(known)
        best = sorted(((float(score), row) for row, score in enumerate(scores) if score > 0), reverse=True)
        return best[:k]


def nearest(query: str, passages: Sequence[Passage], k: int) -> list[Passage]:
    """Return the ``k`` passages with the best BM25 score for ``query``, best first; some may share no word."""
    model = _indexed(passages)
    known = [word for word in words(query) if word in model.vocab_dict]
    scores = model.get_scores(known) if known else [0.0] * len(passages)
    order = sorted(range(len(passages)), key=lambda row: -float(scores[row]))
    return [passages[row] for row in order[:k]]


def _indexed(passages: Iterable[Passage]) -> bm25s.BM25:
    import bm25s

    model = bm25s.BM25()
    model.index([words(f"{passage.title} {passage.text}") or [""] for passage in passages], show_progress=False)
    return model


def words(text: str) -> list[str]:
    """Return the words of ``text`` in lower case; numbers and identifiers are words too."""
    return _WORD.findall(text.casefold())
