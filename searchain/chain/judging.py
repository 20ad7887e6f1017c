"""Judge nodes: by their evidence, by an earlier node with the same query, or by the model's second answer."""

import queue
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

from searchain.chain.context import RunContext
from searchain.chain.tree import decide, read_again, settle
from searchain.events import Event, NodeParsed
from searchain.types import Evidence, Judgement, Node, Step, TaskKind, Usage, Verdict
from searchain.verification.judge import IN_PASSAGE, judge, with_stance, with_witness
from searchain.verification.second_answer import second_answer


@dataclass(frozen=True, slots=True)
class Stop:
    """The node that ended a round, and the judgement that asks for feedback on it."""

    node: Node
    judgement: Judgement


class PendingNodes:
    """The new nodes of a round, which wait for their evidence and are judged in order.

    The first node that needs feedback stops the round. In the last round it keeps its verdict instead, and later nodes
    stay unconfirmed.
    """

    def __init__(self, run: RunContext, inbox: queue.SimpleQueue[Any], *, is_last: bool) -> None:
        """``inbox`` gets each look-up that has ended. ``is_last``: no round is left for feedback."""
        self._run, self._inbox, self._is_last = run, inbox, is_last
        self._waiting: deque[str] = deque()
        self._awaited: set[Future[Evidence]] = set()
        self.is_closed = False
        """Whether a node of the last round would have needed feedback."""
        self.stop: Stop | None = None

    @property
    def are_settled(self) -> bool:
        """Whether no node is left to judge in this round."""
        return self.stop is not None or not self._waiting

    def look_up(self, query: str) -> None:
        """Begin to look up a query whose node will follow."""
        if self._run.lookups is not None and not self.is_closed:
            self._evidence(query)

    def add(self, node: Node, earlier: Node | None) -> Iterator[Event]:
        """Take a new node. It needs no evidence of its own if an ``earlier`` one with the same query was judged."""
        if earlier is not None:
            yield from _inherit(self._run, node, earlier)
        elif self.is_closed:
            yield from _leave_unconfirmed(self._run, node)
        elif self._run.lookups is not None:
            self._waiting.append(node.id)

    def clear(self) -> None:
        """Forget the nodes that wait."""
        self._waiting.clear()

    def judge(self) -> Iterator[Event]:
        """Judge the waiting nodes in order, until one has no evidence yet."""
        while not self.are_settled:
            node = self._run.tree[self._waiting[0]]
            if self.is_closed:
                yield from _leave_unconfirmed(self._run, node)
            else:
                future = self._evidence(node.query)
                if not future.done():
                    return
                settled, judgement = yield from _judge_node(self._run, node, future.result())
                if judgement.feedback is not None and self._is_last:
                    self.is_closed = True
                elif judgement.feedback is not None:
                    self.stop = Stop(settled, judgement)
            self._waiting.popleft()

    def _evidence(self, query: str) -> Future[Evidence]:
        """Look a query up once; the inbox gets the look-up when it ends."""
        assert self._run.lookups is not None  # without retrieval no node waits for evidence
        future = self._run.lookups.start(query)
        if not future.done() and future not in self._awaited:
            self._awaited.add(future)
            future.add_done_callback(self._inbox.put)
        return future


def restate(run: RunContext, root: Node, step: Step, round: int) -> Iterator[Event]:
    """Judge the model's second answer to a corrected node, which may change its answer and its verdict."""
    yield NodeParsed(node=root.id, parent=root.parent, round=round, query=root.query, answer=step.answer)
    judgement = _second_answer(run, root, step.answer)
    run.tree.update(root.id, model_answer=step.answer)
    if judgement.answer != root.answer or judgement.verdict is not root.verdict:
        yield from _change(run, root, judgement, before=step.answer)


def _judge_node(run: RunContext, node: Node, evidence: Evidence) -> Generator[Event, None, tuple[Node, Judgement]]:
    """Judge ``node`` by its evidence; return the node's new value and the judgement."""
    run.dialogue.book(Usage(retrieval_seconds=evidence.retrieval_seconds, reader_seconds=evidence.reader_seconds))
    step = Step(node.query, node.model_answer)
    is_short = run.task is not TaskKind.LONGFORM
    if is_short and run.wants_label(step) and not run.settings.follows_paper:
        evidence = with_stance(step, evidence, run.settings)
    else:
        evidence = with_witness(step, evidence, run.task, run.settings)
    judgement = judge(step, evidence, run.task, run.settings, keeps_word=run.strategy.keeps_word)
    if run.probability is not None and judgement.rule != IN_PASSAGE:  # its probability is that of another span
        judgement = replace(judgement, probability=run.probability.of_step(step, evidence, judgement))
    settled = yield from settle(run.tree, node, evidence, judgement)
    return settled, judgement


def _inherit(run: RunContext, node: Node, earlier: Node) -> Iterator[Event]:
    """Give ``node`` the evidence of an earlier node with the same query, without a look-up."""
    judgement = replace(_second_answer(run, earlier, node.model_answer), rule="asked-before")
    run.tree.inherit(node.id, earlier)
    yield from _change(run, run.tree[node.id], judgement, before=node.model_answer, same_as=earlier.id)


def _leave_unconfirmed(run: RunContext, node: Node) -> Iterator[Event]:
    """Mark ``node`` as unconfirmed because no round is left to judge it."""
    judgement = Judgement(Verdict.UNCONFIRMED, "rounds-used-up", node.answer)
    yield from decide(run.tree, node, judgement, before=node.model_answer)


def _second_answer(run: RunContext, settled: Node, answer: str | None) -> Judgement:
    return second_answer(settled, answer, run.task, run.settings, keeps_word=run.strategy.keeps_word)


def _change(
    run: RunContext, node: Node, judgement: Judgement, *, before: str | None, same_as: str | None = None
) -> Iterator[Event]:
    yield from decide(run.tree, node, judgement, before=before, same_as=same_as)
    if judgement.quote is not None and node.passage is not None:
        yield from read_again(run.tree, node, judgement.quote)
