"""One query → evidence: search, read the hits in one batch, choose the passage that can answer it."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor

from searchain.reader import Reader
from searchain.retrieval.base import Retriever
from searchain.verification import Evidence


def look_up(query: str, retriever: Retriever, reader: Reader, k: int) -> Evidence:
    """Search ``k`` passages and choose the one the Reader finds most relevant: among those with a span, if any has
    one."""
    started = time.perf_counter()
    hits = tuple(retriever.search(query, k))
    searched = time.perf_counter()
    if not hits:
        return Evidence((), None, None, retrieval_seconds=searched - started)
    readings = reader.read(query, [hit.passage for hit in hits])
    # paired in rank order, so that max keeps the better-ranked of two equals
    chosen, reading = max(zip(hits, readings, strict=True), key=lambda pair: (bool(pair[1].answer), pair[1].confidence))
    return Evidence(hits, chosen, reading, tuple(readings), searched - started, time.perf_counter() - searched)


class Lookups:
    """Evidence by query, each looked up once, in a worker thread."""

    def __init__(self, retriever: Retriever, reader: Reader, k: int, pool: ThreadPoolExecutor) -> None:
        self._retriever, self._reader, self._k, self._pool = retriever, reader, k, pool
        self._futures: dict[str, Future[Evidence]] = {}

    def start(self, query: str) -> Future[Evidence]:
        """The future of this query's evidence; a second call gives the same one."""
        if query not in self._futures:
            self._futures[query] = self._pool.submit(look_up, query, self._retriever, self._reader, self._k)
        return self._futures[query]
