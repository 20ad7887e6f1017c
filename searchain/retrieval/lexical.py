"""Lexical search: BM25 over the words of passages, for those that no vectors exist of yet.

BM25 (Robertson and Zaragoza 2009) needs no model, so a document is searchable as soon as its text is known.
"""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from searchain.retrieval.store import PassageStore

if TYPE_CHECKING:
    import bm25s

RANK_CONSTANT = 60
"""Cormack, Clarke and Büttcher 2009: how fast the weight of a rank falls."""
_WORD = re.compile(r"\w+")
Hit = TypeVar("Hit", bound=tuple[float, Hashable, int])


class WordsPart:
    """The passages of a part, found by the words they share with a query; thread-safe."""

    def __init__(self, directory: Path) -> None:
        self.store = PassageStore(directory)
        self._lock = threading.Lock()
        self._model: bm25s.BM25 | None = None

    def search(self, query: str, k: int) -> list[tuple[float, int]]:
        """At most ``k`` (score, position), best first; only passages that share a word with ``query``."""
        with self._lock:
            model = self._model = self._model or self._indexed()
        known = [word for word in words(query) if word in model.vocab_dict]
        if not known:
            return []
        scores = model.get_scores(known)
        best = sorted(((float(score), row) for row, score in enumerate(scores) if score > 0), reverse=True)
        return best[:k]

    def _indexed(self) -> bm25s.BM25:
        import bm25s

        model = bm25s.BM25()
        model.index([words(f"{passage.title} {passage.text}") or [""] for passage in self.store], show_progress=False)
        return model


def words(text: str) -> list[str]:
    """The words of ``text`` in lower case; numbers and identifiers are words too."""
    return _WORD.findall(text.casefold())


def fuse(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Join rankings whose scores do not compare, by reciprocal rank; each hit scores what its ranks are worth.

    >>> a, b, c = (9.0, "x", 0), (8.0, "x", 1), (0.3, "y", 0)
    >>> [hit[1:] for hit in fuse([[a, b], [c]])]
    [('x', 0), ('y', 0), ('x', 1)]
    """
    worth: dict[tuple[Hashable, int], float] = defaultdict(float)
    for ranking in rankings:
        for rank, (_, part, row) in enumerate(ranking, 1):
            worth[part, row] += 1 / (RANK_CONSTANT + rank)
    best = sorted(worth.items(), key=lambda item: -item[1])
    return [(score, part, row) for (part, row), score in best]  # type: ignore[misc]
