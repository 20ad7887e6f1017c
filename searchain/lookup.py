"""One query → evidence: search, read the hits in one batch, choose the passage that can answer it."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from searchain.answer_kinds import fits
from searchain.reader import Reader
from searchain.retrieval.base import Retriever
from searchain.stance import Opinion, Stance
from searchain.types import Node, Reading, Step, TaskKind
from searchain.verification import Evidence, wants_label


def look_up(
    query: str,
    retriever: Retriever,
    reader: Reader,
    k: int,
    *,
    stance: Stance | None = None,
    task: TaskKind = TaskKind.MULTIHOP,
) -> Evidence:
    """Search ``k`` passages and choose the one the Reader finds most relevant: among those with a span that can answer
    the query, if any has one. Where the query wants a label, ``stance`` says what each passage makes of it."""
    started = time.perf_counter()
    hits = tuple(retriever.search(query, k))
    searched = time.perf_counter()
    if not hits:
        return Evidence((), None, None, retrieval_seconds=searched - started)
    readings = reader.read(query, [hit.passage for hit in hits])
    # paired in rank order, so that max keeps the better-ranked of two equals
    chosen, reading = max(zip(hits, readings, strict=True), key=lambda pair: _rank(query, pair[1]))
    opinions: tuple[Opinion, ...] = ()
    if stance is not None and wants_label(Step(query, None), task):
        opinions = tuple(stance.judge(query, [hit.passage for hit in hits]))
    seconds = time.perf_counter() - searched
    return Evidence(hits, chosen, reading, tuple(readings), opinions, searched - started, seconds)


def _rank(query: str, reading: Reading) -> tuple[bool, bool, float]:
    return bool(reading.answer), bool(reading.answer) and fits(query, reading.answer), reading.confidence


class Lookups:
    """Evidence by query, each looked up once, in a worker thread."""

    def __init__(
        self, retriever: Retriever, reader: Reader, k: int, pool: ThreadPoolExecutor, stance: Stance | None = None
    ) -> None:
        self._retriever, self._reader, self._k, self._pool, self._stance = retriever, reader, k, pool, stance
        self.task = TaskKind.MULTIHOP
        """The kind of the run's question, known before the first query."""
        self._futures: dict[str, Future[Evidence]] = {}

    def start(self, query: str) -> Future[Evidence]:
        """The future of this query's evidence; a second call gives the same one."""
        if query not in self._futures:
            self._futures[query] = self._pool.submit(
                look_up, query, self._retriever, self._reader, self._k, stance=self._stance, task=self.task
            )
        return self._futures[query]

    def found(self, node: Node) -> list[Node]:
        """``node`` with each passage that its query found, the chosen one first."""
        evidence = self.start(node.query).result()
        pairs = sorted(zip(evidence.hits, evidence.readings, strict=True), key=lambda pair: pair[0] != evidence.chosen)
        return [
            replace(node, passage=hit.passage, rank=hit.rank, span=reading.span, confidence=reading.confidence)
            for hit, reading in pairs
        ]
