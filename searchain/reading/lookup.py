"""Look up a query: search passages, read them in one batch, choose the one that answers it."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from searchain.language import text
from searchain.language.answer_kinds import AnswerKind, fits, kind_asked
from searchain.language.questions import wants_label
from searchain.reading.lists import whole
from searchain.reading.reader import Reader
from searchain.reading.stance import Stance
from searchain.retrieval.base import Retriever
from searchain.types import Evidence, Hit, Node, Opinion, Passage, Reading, Span, Step, TaskKind, Verdict

Rate = Callable[[str, Sequence[Hit], Sequence[Reading]], Sequence[Reading]]
"""(query, hits, readings) → for each hit the likeliest reading of its passage, with its probability."""


def look_up(
    query: str,
    retriever: Retriever,
    reader: Reader,
    k: int,
    *,
    stance: Stance | None = None,
    rate: Rate | None = None,
    task: TaskKind = TaskKind.MULTIHOP,
    reads_kinds: bool = True,
    before: str = "",
    question: str = "",
) -> Evidence:
    """Search ``k`` passages and choose the one whose reading has the greatest probability by ``rate``.

    Without ``rate``, and for long answers, the passage with the greatest relevance logit f is chosen; passages with a
    span go first. With ``reads_kinds`` a span of another kind than the query asks for counts for less, and a span
    within an enumeration is widened to all of it. Where the query wants a label, ``stance`` judges each passage.
    ``before`` is what the query refers to: half of the passages are those of both together. ``question`` is that of the
    run."""
    started = time.perf_counter()
    hits = tuple(_search(query, before, retriever, k))
    searched = time.perf_counter()
    if not hits:
        return Evidence((), None, None, retrieval_seconds=searched - started)
    readings = reader.read(query, [hit.passage for hit in hits])
    # paired in rank order, so that max keeps the better-ranked of two equals
    if rate is not None and task is not TaskKind.LONGFORM:
        readings = list(rate(query, hits, readings))
    is_for_person = reads_kinds and kind_asked(query) is AnswerKind.PERSON
    readings = [replace(_named(reading) if is_for_person else reading, others=()) for reading in readings]
    pairs = list(zip(hits, readings, strict=True))
    chosen, reading = max(pairs, key=lambda pair: _rank(query if reads_kinds else "", pair[1]))
    if reads_kinds:
        chosen, reading = _most_relevant(pairs, reading)
        reading = _owner(query, _whole(query, chosen.passage, reading))
    opinions: tuple[Opinion, ...] = ()
    if stance is not None and task is not TaskKind.LONGFORM and wants_label(Step(query, None), task, question):
        opinions = tuple(stance.judge(query, [hit.passage for hit in hits]))
    seconds = time.perf_counter() - searched
    return Evidence(hits, chosen, reading, tuple(readings), opinions, searched - started, seconds)


def _search(query: str, before: str, retriever: Retriever, k: int) -> list[Hit]:
    """Return the ``k`` best hits; with ``before`` those of both together and of the query alone, in turn."""
    if not before:
        return retriever.search(query, k)
    both = zip(retriever.search(f"{before} {query}", k), retriever.search(query, k), strict=False)
    by_passage = {hit.passage: hit for pair in reversed(list(both)) for hit in reversed(pair)}
    return [replace(hit, rank=rank) for rank, hit in enumerate([*reversed(by_passage.values())][:k], 1)]


def _whole(query: str, passage: Passage, reading: Reading) -> Reading:
    """Return the reading widened to its whole enumeration, if that can answer the query."""
    every = whole(query, passage, reading)
    return every if fits(query, every.answer) else reading


NAMED = 0.8
"""The least share of an answer's probability that a name must have to take its place; set by one question."""
NEAR = 0.1
"""How much less probable a reading with the same answer may be whose more relevant passage is chosen instead."""


def _most_relevant(pairs: Sequence[tuple[Hit, Reading]], best: Reading) -> tuple[Hit, Reading]:
    """Return the hit and reading with the greatest f among those with the answer of ``best``.

    "Who wrote Hamlet?" is better shown by the article Hamlet than by another play of its author.
    """
    said, least = text.tokens(best.answer), (best.probability or 0.0) - NEAR
    same = [one for one in pairs if text.tokens(one[1].answer) == said and (one[1].probability or 0.0) >= least]
    return max(same, key=lambda pair: pair[1].confidence)


def _named(reading: Reading) -> Reading:
    """Return the name of a person that ends with the common noun read: "Genghis Khan" instead of "khan"."""
    said, least = text.tokens(reading.answer), NAMED * (reading.probability or 1.0)
    if not reading.answer.islower():
        return reading
    names = [
        one
        for one in reading.others
        if (one.probability or 0.0) >= least
        and said == text.tokens(one.answer)[-len(said) :] != text.tokens(one.answer)
        and one.answer.split()[-1][:1].isupper()
    ]
    return max(names, key=lambda one: one.probability or 0.0, default=reading)


def _owner(query: str, reading: Reading) -> Reading:
    """Return the owner alone where the query names the thing owned: "Homer" instead of "Homer's Iliad"."""
    owner, found, owned = reading.answer.replace("’", "'").rpartition("'s ")
    if not found or reading.span is None or not text.content_words(owned) <= text.content_words(query):
        return reading
    span = Span(reading.span.start, reading.span.start + len(owner))
    return replace(reading, answer=reading.answer[: len(owner)], span=span)


UNFIT = 2.0
"""How many logits are subtracted from f for an answer of another kind than the query asks for."""


def _rank(query: str, reading: Reading) -> tuple[bool, float, float]:
    is_unfit = bool(reading.answer) and not fits(query, reading.answer)
    return bool(reading.answer), reading.probability or 0.0, reading.confidence - UNFIT * is_unfit


def _with_option(reading: Reading, passage: Passage, span: Span) -> Reading:
    """Return the reading with ``span`` as one more option."""
    if any(option.span == span for option in reading.options):
        return reading
    added = Reading(passage.text[span.start : span.end], span, reading.confidence)
    return replace(reading, others=(*reading.others, added)) if reading.answer else added


class Lookups:
    """Looks queries up in worker threads, each query once."""

    def __init__(
        self,
        retriever: Retriever,
        reader: Reader,
        pool: ThreadPoolExecutor,
        *,
        k: int,
        task: TaskKind,
        stance: Stance | None = None,
        rate: Rate | None = None,
        reads_kinds: bool = True,
        before: str = "",
        question: str = "",
    ) -> None:
        """``k`` passages are looked up per query, for a ``question`` of the kind ``task``.

        ``before`` is what the queries refer to, the last question of the conversation; ``""``: they stand alone."""
        of_run = partial(look_up, retriever=retriever, reader=reader, k=k, stance=stance, rate=rate)
        self._look_up = partial(of_run, task=task, reads_kinds=reads_kinds, question=question)
        self._reader, self._pool, self._before = reader, pool, before
        self._rate = rate
        self.has_stance = stance is not None
        """Whether a stance model judges the passages."""
        self._futures: dict[str, Future[Evidence]] = {}

    def start(self, query: str, before: str = "") -> Future[Evidence]:
        """Start to look ``query`` up, unless that was done; return the future of its evidence.

        ``before``: what it refers to, if not what all queries do.
        """
        if query not in self._futures:
            self._futures[query] = self._pool.submit(self._look_up, query, before=before or self._before)
        return self._futures[query]

    def read(self, query: str, hits: Sequence[Hit]) -> Sequence[Reading]:
        """Read the passages of ``hits`` again, each as it is rated among these hits alone."""
        readings = self._reader.read(query, [hit.passage for hit in hits])
        return self._rate(query, hits, readings) if self._rate else readings

    def rated(self, query: str, passage: Passage, span: Span) -> float | None:
        """Return how likely ``span`` answers ``query``, which was looked up; ``None`` if it did not find it."""
        hits = self._futures[query].result().hits
        place = next((place for place, hit in enumerate(hits) if hit.passage.id == passage.id), None)
        if self._rate is None or place is None:
            return None
        readings = self._reader.read(query, [hit.passage for hit in hits])
        readings[place] = _with_option(readings[place], passage, span)
        options = self._rate(query, hits, readings)[place].options
        return next((option.probability for option in options if option.span == span), None)

    def found(self, node: Node) -> list[Node]:
        """Return ``node``, and one node per other passage that its query found, with that passage's reading."""
        future = self._futures.get(node.query)
        if future is None or not future.done() or future.cancelled() or future.exception() is not None:
            return [node]
        evidence = future.result()
        pairs = zip(evidence.hits, evidence.readings, strict=True)
        return [node, *(as_read(node, hit, reading) for hit, reading in pairs if hit.passage != node.passage)]


def as_read(node: Node, hit: Hit, reading: Reading) -> Node:
    """Return ``node`` with the passage of ``hit``, and what was read there, as its evidence."""
    return replace(
        node,
        passage=hit.passage,
        rank=hit.rank,
        span=reading.span,
        confidence=reading.confidence,
        probability=reading.probability,
        verdict=Verdict.COMPLETED if reading.answer else Verdict.UNCONFIRMED,
        rule="read",
    )
