"""One round: the model writes a chain, its nodes are judged in order, and the first that needs feedback ends it."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from searchain.chain import judging
from searchain.chain.asides import aside, retried_events
from searchain.chain.context import RunContext
from searchain.chain.dialogue import Ended
from searchain.chain.guards import adds_nothing, is_echo, objection
from searchain.chain.parser import ChainParser, QueryRead, StepRead, render_step, resolve_references
from searchain.events import ChainDelta, Event, ModelFault, NodeParsed
from searchain.language.nesting import nesting
from searchain.language.questions import wants_label
from searchain.language.same_query import asks_all, same_query
from searchain.llm.base import Cut, Form, Retracted
from searchain.types import Evidence, Judgement, Node, Step, TaskKind

MOST_STEPS = 12
"""Most nodes that one round may add; a model that writes more does not stop by itself."""
MOST_BLANKS = 200
"""Most characters of white space in a row; a model that writes more does not return to words."""
CHAIN_TOKENS, LONG_CHAIN_TOKENS = 512, 1_024


@dataclass(frozen=True, slots=True)
class Stop:
    """The node that ended a round, and the judgement that asks for feedback on it."""

    node: Node
    judgement: Judgement


class Round:
    """One round of the loop. Iterate ``events()`` to the end, then look at ``stop``.

    ``root`` is the first node of the branch that this round continues; ``None`` in the first round. In the last round a
    node that would need feedback keeps its verdict, and later nodes stay unconfirmed.

    The strategy can end the chain early: at a step that asks all that the question asks, and before a step that does
    not belong to the question.
    """

    def __init__(self, run: RunContext, number: int, root: Node | None, *, is_last: bool) -> None:
        self._run, self._number, self._root, self._is_last = run, number, root, is_last
        self._tree, self._dialogue, self._lookups = run.tree, run.dialogue, run.lookups
        self._task, self._settings = run.task, run.settings
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._pending: deque[str] = deque()
        self._awaited: set[Future[Evidence]] = set()
        self._restated = 0
        self._is_complete = False
        self._is_closed = self._is_final = False
        self._root_is_open = root is not None
        self.is_empty = True
        """Whether no step could be read so far."""
        self.text = ""
        """The whole text that the model wrote in this round."""
        self.is_answered = False
        """Whether the look-up of the question itself gave a sure answer, so that no chain is needed."""
        self.stop: Stop | None = None
        self._objection = ""
        self._is_broken_off = False
        self.cut: Cut | None = None
        """Why the model's text is incomplete; ``None`` if it is complete."""

    @property
    def is_cut(self) -> bool:
        """Whether the chain may miss steps after its last one.

        This is so when its text was cut, when a step was left out, when the last round ended at an open step, or when
        the model wrote nothing after feedback.
        """
        is_silent = self.is_empty and not self._is_final and self._root is not None
        is_broken_off = self.cut is not None or self._is_broken_off or is_silent
        return is_broken_off or (self._is_closed and self._tree.path()[-1].model_answer is None)

    @property
    def has_delivered(self) -> bool:
        """Whether the model wrote a new step, or an answer to the corrected one."""
        root = self._root and self._tree[self._root.id]
        return bool(self._added) or (root is not None and root.model_answer is not None)

    @property
    def _added(self) -> list[Node]:
        return [node for node in self._tree if node.round == self._number and node.mends is None]

    def events(self) -> Iterator[Event]:
        """Generate a chain, look its queries up, and judge its nodes.

        Raises:
            ModelError, RetrievalError, ReaderError: a service failed.
            BudgetSpent: the budget of the run is used up.
            Cancelled: the run was stopped.
        """
        long = self._task is TaskKind.LONGFORM
        parser = ChainParser(query=self._root.query if self._root else None, long_answers=long)
        begun = self._begun()
        generation = self._dialogue.generate(
            Form.CHAIN, max_tokens=LONG_CHAIN_TOKENS if long else CHAIN_TOKENS, inbox=self._inbox, begun=begun
        )
        has_ended = False
        try:
            with self._run.cancel.on_set(lambda: self._inbox.put(None)):
                if self._run.direct is not None and self._number == 1:
                    self._run.direct.add_done_callback(self._inbox.put)
                yield from retried_events(self._dialogue)
                if begun:
                    self.text = begun
                    yield ChainDelta(round=self._number, text=begun)
                    for one in parser.feed(begun):
                        yield from self._take(one)
                while True:
                    if self._number == 1 and self._has_sure_answer():
                        self.is_answered = True
                        return
                    yield from self._judge_ready(has_ended)
                    if self.stop is not None or (has_ended and not self._pending):
                        break
                    if not has_ended and self._runs_on():
                        has_ended = True  # later text is ignored; earlier steps are still judged
                        generation.cut()
                    item = self._dialogue.take(self._inbox)
                    read = []
                    if has_ended:
                        continue
                    if isinstance(item, str):
                        self.text += item
                        yield ChainDelta(round=self._number, text=item)
                        read = parser.feed(item)
                    elif isinstance(item, Retracted):
                        self._start_again()
                        parser = ChainParser(long_answers=long)
                    elif isinstance(item, Ended):
                        if item.error is not None:
                            raise item.error
                        has_ended = True
                        self.cut = item.cut
                        read = parser.finish(is_cut=item.cut is not None)
                        self._is_final = bool(parser.final_content)
                        if item.cut is not None and self.text.strip():
                            yield ModelFault(
                                what=f"the model {item.cut}", action="left out the line that it was writing"
                            )
                    else:
                        yield from aside(item)
                    for one in read:
                        if not self._objection:
                            yield from self._take(one)
                    if self._objection and not has_ended:
                        has_ended = True
                        generation.cut()
            if self.stop is None:
                yield from self._replace()
        finally:
            self._dialogue.book(generation.close())

    def _begun(self) -> str:
        """Return the text that the model is to continue: the corrected step with its answer, or nothing."""
        if self._root is None or not self._run.strategy.writes:
            return ""
        query, number = self._root.query, len(self._tree.path())
        if self._root.answer is None:
            return f"[Query {number}]: {query}\n"
        return render_step(number, Step(query, self._root.answer))

    def _has_sure_answer(self) -> bool:
        """Return whether the look-up of the question itself has ended with a supported answer.

        A label is never sure. Neither is the answer of a question with a clause inside: it is often only a stop on the
        way.
        """
        direct, rating = self._run.direct, self._run.probability
        if nesting(self._run.question)[0] or wants_label(Step(self._run.question, None), self._task):
            return False
        if direct is None or rating is None or not direct.done():
            return False
        reading = direct.result().reading
        return reading is not None and (reading.probability or 0.0) >= rating.threshold

    def run_step(self, step: Step) -> Iterator[Event]:
        """Add, look up and judge a step that no model wrote, word for word."""
        yield from self._take(StepRead(step), is_verbatim=True)
        while self._pending and self.stop is None:
            yield from self._judge_ready(True)
            if self._pending and self.stop is None:
                self._dialogue.take(self._inbox)

    def written(self) -> str:
        """Return the text of this round for the dialogue.

        It is the model's whole text if retrieval waited for it. Otherwise it is the round's steps in the strict form,
        up to the one that ended the round.
        """
        if not self._settings.streams_ir and not self.is_empty and self.text.strip():
            return self.text.strip()
        lines = []
        for depth, node in enumerate(self._tree.path(), 1):
            if node.round == self._number:
                lines.append(
                    render_step(depth, Step(node.query, node.model_answer if node.mends is None else node.answer))
                )
            if self.stop is not None and node.id == self.stop.node.id:
                break
        return "\n".join(lines)

    def _start_again(self) -> None:
        """Discard the steps read so far, because their text turned out to be thoughts.

        This happens only in the first round: after its first reply it is known that a model writes its thoughts as
        text.
        """
        self._tree.leave()
        self._pending.clear()
        self._restated, self._is_complete, self.is_empty, self.text, self._objection = 0, False, True, "", ""

    def _runs_on(self) -> bool:
        if self._is_complete:
            return True
        blank = len(self.text) - len(self.text.rstrip())
        return len(self._added) > MOST_STEPS or self._restated > len(self._tree.path()) + 2 or blank > MOST_BLANKS

    def _take(self, item: QueryRead | StepRead, *, is_verbatim: bool = False) -> Iterator[Event]:
        if isinstance(item, QueryRead):
            query = self._resolved(item.query)
            if self._object(query):
                return
            if self._lookups and self._settings.streams_ir and not self._is_closed and self._known(query) is None:
                self._evidence(query)  # the answer is still being written
            return
        self.is_empty = False
        step = item.step if is_verbatim else Step(self._resolved(item.step.query), item.step.answer)
        root = self._root
        if root is not None and self._root_is_open and self._is_same(root.query, step.query):
            self._root_is_open = False
            yield from judging.restate(self._run, self._tree[root.id], step, self._number)
            return
        path = self._tree.path()
        if any(node.query == step.query if is_verbatim else self._is_same(node.query, step.query) for node in path):
            self._restated += 1
            return
        if self._run.strategy.helps and not is_verbatim:
            self._is_complete = any(
                node.answer and asks_all(node.query, self._run.question) for node in path
            ) or adds_nothing(step.query, self._run.question, path)
            if self._is_complete:
                return  # nothing is left to ask
        if not is_verbatim and is_echo(step.query, self._run.question, path, self._run.examples):
            yield ModelFault(what=f"the step {step.query!r} repeats an example of the prompt", action="left it out")
            return
        if not is_verbatim and self._object(step.query):
            return
        earlier = self._known(step.query, is_verbatim=is_verbatim)
        node = self._tree.add(step, self._number)
        yield NodeParsed(
            node=node.id, parent=node.parent, round=self._number, query=node.query, answer=node.model_answer
        )
        if earlier is not None:
            yield from judging.inherit(self._run, node, earlier)
        elif self._is_closed:
            yield from judging.leave_unconfirmed(self._run, node)
        elif self._lookups is not None:
            self._pending.append(node.id)

    def _object(self, query: str) -> bool:
        """Return whether a new step does not belong to the question; generation then ends before it."""
        path = self._tree.path()
        if not self._run.strategy.guards or any(self._is_same(node.query, query) for node in path):
            return False
        reason = objection(query, self._run.question, path)
        self._objection = reason and f"the step {query!r} {reason}"
        return bool(reason)

    def _replace(self) -> Iterator[Event]:
        """Look up the question itself in the place of a first step that does not belong to it; end the chain else."""
        if not self._objection:
            return
        self.is_empty, is_first = False, not self._tree.path()
        self._is_broken_off = not is_first
        action = "looked up the question itself" if is_first else "ended the chain there"
        yield ModelFault(what=self._objection, action=action)
        if is_first:
            yield from self.run_step(Step(self._run.question, None))

    def _judge_ready(self, has_ended: bool) -> Iterator[Event]:
        """Judge the waiting nodes in order, until one has no evidence yet."""
        while self._pending and self.stop is None and (self._settings.streams_ir or has_ended):
            node = self._tree[self._pending[0]]
            if self._is_closed:
                self._pending.popleft()
                yield from judging.leave_unconfirmed(self._run, node)
                continue
            future = self._evidence(node.query)
            if not future.done():
                return
            self._pending.popleft()
            yield from self._judge(node, future.result())

    def _judge(self, node: Node, evidence: Evidence) -> Iterator[Event]:
        """Judge a node; then close the round or stop it, if the judgement asks for that."""
        settled, judgement = yield from judging.judge_node(self._run, node, evidence)
        if judgement.feedback is not None:
            if self._is_last:
                self._is_closed = True
            else:
                self.stop = Stop(settled, judgement)

    def _evidence(self, query: str) -> Future[Evidence]:
        assert self._lookups is not None  # without retrieval no node waits for evidence
        future = self._lookups.start(query)
        if not future.done() and future not in self._awaited:
            self._awaited.add(future)
            future.add_done_callback(self._inbox.put)
        return future

    def _known(self, query: str, *, is_verbatim: bool = False) -> Node | None:
        """Return the newest judged node with the same query; with ``is_verbatim``, in the same words."""
        judged = [node for node in self._tree if node.verdict is not None]
        if is_verbatim:
            return next((node for node in reversed(judged) if node.query == query), None)
        return next((node for node in reversed(judged) if self._is_same(node.query, query)), None)

    def _is_same(self, one: str, other: str) -> bool:
        return same_query(one, other, self._run.similarity)

    def _resolved(self, query: str) -> str:
        """Return the query with references to earlier answers filled in, and corrected answers put in.

        A model that still uses its own answer would otherwise plan on from a wrong one.
        """
        path = self._tree.path()
        query = resolve_references(query, [node.answer for node in path])
        for node in path:
            old, new = node.model_answer, node.answer
            if node.mends and old and new and old != new and old in query and new not in query:
                query = query.replace(old, new)
        return query
