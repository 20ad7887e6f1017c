"""A search that leaves some titles out, so that their questions cannot be answered from the corpus."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lab.evaluation.metrics import same_title
from searchain.retrieval.base import Retriever
from searchain.types import Hit


class LeavingOut:
    """Searches ``retriever``, and drops the passages that have one of ``titles``. Thread-safe when that is."""

    def __init__(self, retriever: Retriever, titles: Iterable[str]) -> None:
        self._retriever, self._titles = retriever, frozenset(map(same_title, titles))

    def search(self, query: str, k: int) -> list[Hit]:
        """Return the ``k`` best of the other passages, ranked anew; fewer when the corpus is smaller."""
        wanted = k
        while True:
            hits = self._retriever.search(query, wanted)
            others = [hit for hit in hits if same_title(hit.passage.title) not in self._titles]
            if len(others) >= k or len(hits) < wanted:
                return [replace(hit, rank=rank) for rank, hit in enumerate(others[:k], 1)]
            wanted = 2 * wanted
