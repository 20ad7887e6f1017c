"""The steps of a run of a compared system: what was looked up, read and judged."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Literal

from lab.systems.writing import Writing
from searchain.cancel import CancelToken
from searchain.chain.dialogue import BudgetSpent, Dialogue
from searchain.chain.tree import Tree, settle
from searchain.events import Event, NodeParsed, RoundStarted, Searched
from searchain.language.questions import wants_label
from searchain.language.same_query import same_query
from searchain.language.sentences import split
from searchain.llm.embedded import EmbeddedModel
from searchain.pipeline import SearChain
from searchain.reading.lookup import Lookups
from searchain.reply.template import quote_of
from searchain.types import Evidence, Hit, Judgement, Node, Passage, Step, TaskKind, Usage, Verdict
from searchain.verification.judge import judge, with_stance, with_witness

PASSAGE_SENTENCES = 5
"""How much of a passage a model that reads for itself gets (Yao et al. 2023: the first five sentences)."""


class Steps(Writing):
    """The tree of one run, which is one chain: only SearChain corrects steps. ``task`` is the kind of its question."""

    def __init__(
        self, parts: SearChain, task: TaskKind, dialogue: Dialogue, cancel: CancelToken, pool: ThreadPoolExecutor
    ) -> None:
        super().__init__(parts, dialogue, cancel)
        self.task, self.tree = task, Tree()
        self.hits: dict[str, Sequence[Hit]] = {}
        """What was found for the steps of ``found_by``."""
        by_model: Literal["reader", "passage"] = "reader" if isinstance(parts.model, EmbeddedModel) else "passage"
        self.reading = self.settings.reading or by_model
        self._has_searched = False
        self._lookups = self._looking_up(pool)

    def step(self, query: str, answer: str) -> Generator[Event, None, Node]:
        """A step that the model solved alone."""
        return (yield from self._parsed(query, answer or None))

    def look_up(self, query: str, answer: str | None = None) -> Generator[Event, None, Node]:
        """Search and read for a step; ``answer`` is the model's own, which the passages confirm or leave open."""
        return (yield from self.look_up_all([query], answer))[0]

    def look_up_all(self, queries: Sequence[str], answer: str | None = None) -> Generator[Event, None, list[Node]]:
        """Search and read for several steps at once: one round.

        Raises:
            RetrievalError, ReaderError, BudgetSpent, Cancelled.
        """
        assert self._lookups is not None  # the system's settings ask for retrieval
        if queries:
            yield from self._searching()
        futures = [self._lookups.start(query) for query in queries]
        nodes = []
        for query, future in zip(queries, futures, strict=True):
            node = yield from self._parsed(query, answer)
            evidence = self._wait(future)
            self._book(evidence.retrieval_seconds, evidence.reader_seconds)
            nodes.append((yield from settle(self.tree, node, *self._judged(Step(query, answer), evidence))))
        return nodes

    def found(self, node: Node) -> Evidence:
        """What the search of a step found."""
        assert self._lookups is not None
        return self._lookups.start(node.query).result()

    def was_asked(self, query: str) -> bool:
        """Whether a step asked the same."""
        return any(same_query(node.query, query, self.parts.similarity) for node in self.tree)

    def told(self, node: Node) -> str:
        """What a lookup tells the model: what the Reader read, or the passage, as ``reading`` wants it."""
        if self.reading == "reader":
            return node.answer or "unknown"
        return self.quoted(node)

    def quoted(self, node: Node) -> str:
        """The passage of a step with its title: for the Reader's reading the sentence that was read, else its first
        sentences."""
        if node.passage is None:
            return "nothing was found"
        if self.reading == "reader" and (quote := quote_of(node)):
            return f"{node.passage.title}: {quote}"
        return excerpt(node.passage)

    def search(self, query: str, k: int) -> list[Hit]:
        """The ``k`` best passages, without a step and without an event.

        Raises:
            RetrievalError: the search failed.
        """
        assert self.parts.retriever is not None
        return self.parts.retriever.search(query, k)

    def found_by(self, query: str, hits: Sequence[Hit], seconds: float) -> Generator[Event, None, Node]:
        """A step without an answer, for which ``hits`` were found already."""
        yield from self._searching()
        node = yield from self._parsed(query, None)
        self._book(seconds, 0.0)
        self.hits[node.id] = hits
        yield Searched(node=node.id, query=query, hits=tuple(hits), seconds=seconds)
        return node

    def settled(self, node: Node, evidence: Evidence, judgement: Judgement) -> Iterator[Event]:
        """Give a step that was searched for its evidence and its verdict."""
        self._book(0.0, evidence.reader_seconds)
        yield from settle(self.tree, node, evidence, judgement)

    def _parsed(self, query: str, answer: str | None) -> Generator[Event, None, Node]:
        node = self.tree.add(Step(query, answer), self.round)
        yield NodeParsed(node=node.id, parent=node.parent, round=self.round, query=query, answer=answer)
        return node

    def _searching(self) -> Iterator[Event]:
        """A round begins with each batch of searches; the first one stands in the first round."""
        if self._has_searched:
            self.round += 1
            yield RoundStarted(round=self.round)
        self._has_searched = True

    def _judged(self, step: Step, evidence: Evidence) -> tuple[Evidence, Judgement]:
        """The evidence that decides, and the verdict: without feedback, which only SearChain gives."""
        if wants_label(step, self.task) and not self.settings.follows_paper:
            evidence = with_stance(step, evidence, self.settings)
        else:
            evidence = with_witness(step, evidence, self.task, self.settings)
        judgement = replace(judge(step, evidence, self.task, self.settings), feedback=None)
        if step.is_solved:
            if judgement.verdict is Verdict.AGREED:
                return evidence, judgement
            return evidence, Judgement(Verdict.UNCONFIRMED, judgement.rule, step.answer)
        read = evidence.reading.answer if evidence.reading else ""
        return evidence, judgement if judgement.answer else replace(judgement, answer=read or None)

    def _wait(self, future: Future[Evidence]) -> Evidence:
        while not future.done():
            self.cancel.check()
            if self.dialogue.seconds >= self.settings.max_seconds:
                raise BudgetSpent("max_seconds")
            wait([future], timeout=0.05)
        return future.result()

    def _book(self, retrieval: float, reader: float) -> None:
        self.dialogue.book(Usage(retrieval_seconds=retrieval, reader_seconds=reader))

    def _looking_up(self, pool: ThreadPoolExecutor) -> Lookups | None:
        parts = self.parts
        if not self.settings.use_ir or parts.retriever is None or parts.reader is None:
            return None
        rating = parts.probability if self.settings.strategy.rates else None
        return Lookups(
            parts.retriever,
            parts.reader,
            pool,
            k=self.settings.passages,
            task=self.task,
            stance=parts.stance,
            rate=rating.rated if rating else None,
        )


def excerpt(passage: Passage, sentences: int = PASSAGE_SENTENCES) -> str:
    """Title and first sentences of a passage."""
    limits = split(passage.text)[:sentences]
    body = passage.text[: limits[-1][1]] if limits else passage.text
    return f"{passage.title}: {' '.join(body.split())}"
