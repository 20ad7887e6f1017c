"""Sample other first steps than the likeliest one, and keep the one with the best evidence."""

from __future__ import annotations

import queue
from collections.abc import Collection, Iterator
from typing import Any

from searchain.chain.context import RunContext
from searchain.chain.dialogue import Ended
from searchain.chain.guards import objection
from searchain.chain.parser import ChainParser, QueryRead
from searchain.language.same_query import asks_all, same_query
from searchain.llm.base import Form, Sampling

SAMPLES = 4
TEMPERATURE = 1.2
"""At 0.7 all samples of a small model are the same (measured on its first steps)."""
TOKENS = 120


def better_step(run: RunContext, known: Collection[str]) -> str | None:
    """Return the sampled query with the likeliest reading; ``None`` if no sample belongs to the question.

    ``known`` holds the queries asked before. A sample that repeats one of them, or the whole question, does not count.

    Raises:
        ModelError, RetrievalError, ReaderError, Cancelled, BudgetSpent.
    """
    assert run.lookups is not None
    path = run.tree.path()
    queries = {query for query in _samples(run, known) if not objection(query, run.question, path)}
    found = [(run.wait(run.lookups.start(query)).reading, query) for query in sorted(queries)]
    likely = [
        (reading.probability or 0.0, reading.confidence, query)
        for reading, query in found
        if reading is not None and reading.answer
    ]
    return max(likely)[-1] if likely else None


def _samples(run: RunContext, known: Collection[str]) -> Iterator[str]:
    for seed in range(1, SAMPLES + 1):
        query = _first_query(run, known, Sampling(TEMPERATURE, seed))
        if query is not None and not asks_all(query, run.question):
            yield query


def _first_query(run: RunContext, known: Collection[str], sampling: Sampling) -> str | None:
    """Generate until the first query that is not in ``known``, and return it."""
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    parser = ChainParser()
    generation = run.dialogue.generate(Form.CHAIN, max_tokens=TOKENS, inbox=inbox, sampling=sampling)
    try:
        with run.cancel.on_set(lambda: inbox.put(None)):
            while not isinstance(item := run.dialogue.take(inbox), Ended):
                for read in parser.feed(item) if isinstance(item, str) else ():
                    if isinstance(read, QueryRead) and not any(
                        same_query(read.query, one, run.similarity) for one in known
                    ):
                        return read.query
        return None
    finally:
        run.dialogue.book(generation.close())
