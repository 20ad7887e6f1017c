"""Passages of several queries as one ranking, and the one of them that holds the answer."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lab.systems.run import Run
from searchain.events import Event
from searchain.language.same_answer import agreement
from searchain.types import Evidence, Hit, Judgement, Node, Verdict


def fused(rankings: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """The ``k`` best passages over all rankings: each adds the softmax of its scores (Khattab et al. 2023)."""
    scores: dict[str, float] = {}
    hits: dict[str, Hit] = {}
    for ranking in rankings:
        top = max((hit.score for hit in ranking), default=0.0)
        total = sum(math.exp(hit.score - top) for hit in ranking)
        for hit in ranking:
            hits.setdefault(hit.passage.id, hit)
            scores[hit.passage.id] = scores.get(hit.passage.id, 0.0) + math.exp(hit.score - top) / total
    best = sorted(scores, key=lambda one: -scores[one])[:k]
    return [replace(hits[one], score=scores[one], rank=rank) for rank, one in enumerate(best, 1)]


def confirmed(run: Run, node: Node, answer: str) -> Iterator[Event]:
    """Let the Reader look for ``answer`` in the passages of a step that has none; the first one where it reads it
    becomes the step's source.

    Raises:
        ReaderError: the Reader failed.
    """
    reader, hits = run.parts.reader, run.hits[node.id]
    assert reader is not None
    started = time.perf_counter()
    readings = reader.read(run.question, [hit.passage for hit in hits]) if answer and hits else []
    pairs = zip(hits, readings, strict=False)
    found = next(
        (pair for pair in pairs if pair[1].answer and agreement(answer, pair[1].answer, pair[0].passage)[0] == "agree"),
        None,
    )
    chosen, reading = found or (None, None)
    seconds = time.perf_counter() - started
    evidence = Evidence(tuple(hits), chosen, reading, tuple(readings), reader_seconds=seconds)
    verdict = Verdict.AGREED if found else Verdict.UNCONFIRMED
    yield from run.settled(node, evidence, Judgement(verdict, "read", answer if found else None))
