"""One query → evidence: search, read the hits in one batch, choose the passage that can answer it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from searchain.language import text
from searchain.language.answer_kinds import fits
from searchain.language.proposals import proposal
from searchain.language.questions import as_question, wants_label
from searchain.reading.articles import is_person
from searchain.reading.lists import whole
from searchain.reading.proposed import confirms
from searchain.reading.reader import Reader
from searchain.reading.stance import Stance
from searchain.reading.stated.class_questions import is_namesake, speaks_of, with_subject
from searchain.reading.stated.classed import classed
from searchain.reading.stated.counted import with_counted
from searchain.reading.stated.described import with_titled
from searchain.reading.stated.lying import lying
from searchain.reading.stated.makers import with_maker
from searchain.reading.stated.measures import with_measured
from searchain.reading.stated.ranked import with_ranked
from searchain.reading.stated.rules import stated
from searchain.reading.trimmed import trimmed
from searchain.retrieval.base import Retriever
from searchain.types import Evidence, Hit, Node, Opinion, Passage, Reading, Step, TaskKind, Verdict

_ASKS_OPENLY = (TaskKind.YESNO, TaskKind.MULTIHOP)
Rate = Callable[[str, Sequence[Hit], Sequence[Reading]], Sequence[Reading]]
"""Gives for each hit the likeliest reading of its passage, with its probability."""


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
) -> Evidence:
    """Search ``k`` passages and choose the one whose reading ``rate`` finds most likely right.

    Without ``rate``, and for long answers, it is the one that the Reader finds most relevant, among those with a span
    if any has one. With ``reads_kinds`` a span that can hardly answer the query counts for less, and one that is a part
    of an enumeration stands for all of it. Where the query wants a label, ``stance``
    says whether each passage supports or refutes it, unless it proposes an answer to an open question that is read
    surely enough."""
    asked = _open_question(query, task) if rate is not None and stance is not None else None
    proposed = proposal(asked) if asked else None
    if proposed is not None:
        found = look_up(proposed.question, retriever, reader, k, rate=rate, reads_kinds=reads_kinds)
        answer = confirms(found, proposed)
        if answer or answer is False and not _IS_OVER.search(proposed.question):
            return replace(found, confirms=answer)
    started = time.perf_counter()
    hits = tuple(retriever.search(query, k))
    is_plain = rate is not None and task is TaskKind.MULTIHOP
    if asked:
        hits = with_subjects(asked, hits, retriever)
    elif is_plain:
        hits = with_titled(query, hits, retriever)
    searched = time.perf_counter()
    if not hits:
        return Evidence((), None, None, retrieval_seconds=searched - started)
    readings = reader.read(query, [hit.passage for hit in hits])
    # paired in rank order, so that max keeps the better-ranked of two equals
    if rate is not None and task is not TaskKind.LONGFORM:
        readings = list(rate(query, hits, readings))
    readings = [replace(reading, others=()) for reading in readings]
    known = classed(asked, hits) or lying(asked, hits) if asked else None
    if asked and known and (known[2] or not _is_past(asked, known[0].passage)):
        hit, span, is_so = known
        said = Reading(hit.passage.text[span.start : span.end], span, readings[hits.index(hit)].confidence)
        seconds = time.perf_counter() - searched
        return Evidence(hits, hit, said, tuple(readings), (), searched - started, seconds, confirms=is_so)
    chosen_by_rule = stated(query, hits, readings) if is_plain else None
    chosen, reading = chosen_by_rule or max(
        zip(hits, readings, strict=True), key=lambda pair: _rank(query if reads_kinds else "", pair[1])
    )
    if reads_kinds:
        reading = trimmed(query, _whole(query, chosen.passage, reading))
    opinions: tuple[Opinion, ...] = ()
    if stance is not None and task is not TaskKind.LONGFORM and wants_label(Step(query, None), task):
        opinions = tuple(_heard(query, hits, stance.judge(query, [hit.passage for hit in hits])))
    seconds = time.perf_counter() - searched
    return Evidence(hits, chosen, reading, tuple(readings), opinions, searched - started, seconds)


def _open_question(query: str, task: TaskKind) -> str | None:
    """Return the question that articles may answer in so many words; a claim becomes a yes/no question."""
    if task is TaskKind.FACTCHECK:
        return as_question(query) if text.is_statement(query) else None
    return query if task in _ASKS_OPENLY else None


_IS_OVER = re.compile(r"\b(?:was|were) the (?:capital|currency|president|ruler|leader|head|largest|highest|tallest)\b")
"""An article says what is; what was may have been otherwise."""
_PAST = re.compile(r"(?:was|were)\b", re.IGNORECASE)


def _is_past(question: str, passage: Passage) -> bool:
    """Tell whether it is asked what something was that an article only says not to be now; people are past."""
    return _PAST.match(question) is not None and not is_person(passage)


def with_subjects(query: str, hits: Sequence[Hit], retriever: Retriever) -> tuple[Hit, ...]:
    """Return the hits, with the article of the thing that the query is about, or asks for by its rank."""
    found = tuple(hits)
    for find in (with_subject, with_measured, with_ranked, with_counted, with_maker):
        found = find(query, found, retriever)
    return found


def _heard(query: str, hits: Sequence[Hit], opinions: Sequence[Opinion]) -> Sequence[Opinion]:
    """Return the opinions, without those of passages that do not name what a claim is about.

    Where a passage speaks of the thing that a yes/no question is about, the others are not heard either.
    """
    heard = [speaks_of(query, hit.passage) for hit in hits]
    heard = heard if any(heard) else [not is_namesake(query, hit.passage) for hit in hits]
    subject = _SUBJECT.match(query) if text.is_statement(query) else None
    if subject is not None and (names := text.content_words(subject["name"])):  # there are none in "There" and "The"
        heard = [
            is_heard and not names.isdisjoint(text.content_words(f"{hit.passage.title} {hit.passage.text}"))
            for is_heard, hit in zip(heard, hits, strict=True)
        ]
    return [opinion if is_heard else _SILENT for opinion, is_heard in zip(opinions, heard, strict=True)]


_SUBJECT = re.compile(r"(?:The |An? )?(?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)")
_SILENT = Opinion(0.0, 0.0, 1.0)
SIBLING = 0.1
"""The most that an answer can have which its passage names beside what is asked about; that was not measured."""


def _whole(query: str, passage: Passage, reading: Reading) -> Reading:
    """Return the reading with all of its enumeration.

    It is unlikely right where the enumeration names what is asked about as one of several.
    """
    every = whole(query, passage, reading)
    if fits(query, every.answer) or not fits(query, reading.answer):
        return every
    known = reading.probability
    return reading if known is None else replace(reading, probability=min(known, SIBLING))


UNFIT = 2.0
"""What an answer of another kind than the query asks for costs a passage, in logits."""


def _rank(query: str, reading: Reading) -> tuple[bool, float, float]:
    is_unfit = bool(reading.answer) and not fits(query, reading.answer)
    return bool(reading.answer), reading.probability or 0.0, reading.confidence - UNFIT * is_unfit


class Lookups:
    """Evidence by query, each looked up once, in a worker thread."""

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
    ) -> None:
        """``k`` passages are looked up per query, for a question of the kind ``task``."""
        self._retriever, self._reader, self._pool = retriever, reader, pool
        self._k, self._task, self._stance, self._rate = k, task, stance, rate
        self._reads_kinds = reads_kinds
        self._futures: dict[str, Future[Evidence]] = {}

    @property
    def has_stance(self) -> bool:
        """Whether passages are asked if they support a statement."""
        return self._stance is not None

    def start(self, query: str) -> Future[Evidence]:
        """The future of this query's evidence; a second call gives the same one."""
        if query not in self._futures:
            self._futures[query] = self._pool.submit(
                look_up,
                query,
                self._retriever,
                self._reader,
                self._k,
                stance=self._stance,
                rate=self._rate,
                task=self._task,
                reads_kinds=self._reads_kinds,
            )
        return self._futures[query]

    def found(self, node: Node) -> list[Node]:
        """``node``, and a node for each other passage that its query found, judged by what was read there alone."""
        future = self._futures.get(node.query)
        if future is None or not future.done() or future.cancelled() or future.exception() is not None:
            return [node]
        evidence = future.result()
        others = [
            replace(
                node,
                passage=hit.passage,
                rank=hit.rank,
                span=reading.span,
                confidence=reading.confidence,
                probability=reading.probability,
                verdict=Verdict.COMPLETED if reading.answer else Verdict.UNCONFIRMED,
                rule="read",
            )
            for hit, reading in zip(evidence.hits, evidence.readings, strict=True)
            if hit.passage != node.passage
        ]
        return [node, *others]
