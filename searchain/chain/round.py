"""One round: the model writes a chain, its nodes are judged in order, and the first that needs feedback ends it."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import Any

from searchain.chain.context import RunContext
from searchain.chain.dialogue import Ended, Generation, aside, retried_events
from searchain.chain.intake import Intake
from searchain.chain.judging import PendingNodes
from searchain.chain.parser import ChainParser, QueryRead, StepRead, render_step
from searchain.events import ChainDelta, Event, ModelFault
from searchain.language.questions import nesting, wants_label
from searchain.llm.base import Cut, Form, Retracted
from searchain.types import Node, Step, TaskKind

MOST_BLANKS = 200
"""Most characters of white space in a row; a model that writes more does not return to words."""
CHAIN_TOKENS, LONG_CHAIN_TOKENS = 512, 1_024


class Draft:
    """The text of a chain while a model writes it."""

    def __init__(self, *, query: str | None = None, long_answers: bool = False) -> None:
        """``query`` is the query that the model was asked to start with."""
        self._parser = ChainParser(query=query, long_answers=long_answers)
        self.text = ""
        """The whole text so far."""
        self.has_ended = False
        """Whether later text is left out."""
        self.is_final = False
        """Whether the model went on to the final content."""
        self.cut: Cut | None = None
        """Why the text is incomplete; ``None`` if it is complete."""

    @property
    def is_running_blank(self) -> bool:
        """Whether the model writes nothing but white space any more."""
        return len(self.text) - len(self.text.rstrip()) > MOST_BLANKS

    def write(self, text: str) -> list[QueryRead | StepRead]:
        """Add ``text`` and return what it completed, in order."""
        self.text += text
        return self._parser.feed(text)

    def end(self, cut: Cut | None) -> list[QueryRead | StepRead]:
        """End the text and return what its end completes."""
        self.has_ended, self.cut = True, cut
        read = self._parser.finish(is_cut=cut is not None)
        self.is_final = bool(self._parser.final_content)
        return read


class Round:
    """One round of the loop. Iterate ``events()`` to the end, then look at its attributes.

    ``root`` is the first node of the branch that this round continues; ``None`` in the first round. In the last round a
    node that would need feedback keeps its verdict, and later nodes stay unconfirmed.
    """

    def __init__(self, run: RunContext, number: int, root: Node | None, *, is_last: bool) -> None:
        self._run, self._number, self._root = run, number, root
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.nodes = PendingNodes(run, self._inbox, is_last=is_last)
        self._is_long = run.task is TaskKind.LONGFORM
        self._begin(root)
        self.is_answered = False
        """Whether the look-up of the question itself gave a sure answer, so that no chain is needed."""

    def _begin(self, root: Node | None) -> None:
        self.draft = Draft(query=root.query if root else None, long_answers=self._is_long)
        self.intake = Intake(self._run, self._number, root, self.nodes)

    @property
    def is_cut(self) -> bool:
        """Whether the chain may miss steps after its last one.

        This is so when its text was cut, when the last round ended at an open step, or when the model wrote nothing
        after feedback.
        """
        is_silent = self.intake.is_empty and not self.draft.is_final and self._root is not None
        is_broken_off = self.draft.cut is not None or is_silent
        return is_broken_off or (self.nodes.is_closed and self._run.tree.path()[-1].model_answer is None)

    @property
    def has_delivered(self) -> bool:
        """Whether the model wrote a new step, or an answer to the corrected one."""
        root = self._root and self._run.tree[self._root.id]
        return bool(self.intake.added) or (root is not None and root.model_answer is not None)

    def events(self) -> Iterator[Event]:
        """Generate a chain, look its queries up, and judge its nodes.

        Raises:
            ModelError, RetrievalError, ReaderError: a service failed.
            BudgetSpent: the budget of the run is used up.
            Cancelled: the run was stopped.
        """
        run, begun = self._run, self._begun()
        tokens = LONG_CHAIN_TOKENS if self._is_long else CHAIN_TOKENS
        generation = run.dialogue.generate(Form.CHAIN, max_tokens=tokens, inbox=self._inbox, begun=begun)
        try:
            with run.cancel.on_set(lambda: self._inbox.put(None)):
                if run.direct is not None and self._number == 1:
                    run.direct.add_done_callback(self._inbox.put)
                yield from retried_events(run.dialogue)
                if begun:
                    yield from self._receive(begun)
                yield from self._follow(generation)
        finally:
            run.dialogue.book(generation.close())

    def run_step(self, step: Step) -> Iterator[Event]:
        """Add, look up and judge a step that no model wrote, word for word."""
        with self._run.cancel.on_set(lambda: self._inbox.put(None)):
            yield from self.intake.take_verbatim(step)
            yield from self.nodes.judge()
            while not self.nodes.are_settled:
                self._run.dialogue.take(self._inbox)
                yield from self.nodes.judge()

    def written(self) -> str:
        """Return the text of this round for the dialogue.

        It is the model's whole text if retrieval waited for it. Otherwise it is the round's steps in the strict form,
        up to the one that ended the round.
        """
        text = self.draft.text.strip()
        if text and not self._run.settings.streams_ir and not self.intake.is_empty:
            return text
        lines = []
        for depth, node in enumerate(self._run.tree.path(), 1):
            if node.round == self._number:
                lines.append(
                    render_step(depth, Step(node.query, node.model_answer if node.mends is None else node.answer))
                )
            if self.nodes.stop is not None and node.id == self.nodes.stop.node.id:
                break
        return "\n".join(lines)

    def _begun(self) -> str:
        """Return the text that the model is to continue: the corrected step with its answer, or nothing."""
        if self._root is None or not self._run.strategy.writes:
            return ""
        query, number = self._root.query, len(self._run.tree.path())
        if self._root.answer is None:
            return f"[Query {number}]: {query}\n"
        return render_step(number, Step(query, self._root.answer))

    def _follow(self, generation: Generation) -> Iterator[Event]:
        """Take text and evidence as they arrive, until the chain is settled, needs feedback or is not needed."""
        while True:
            self.is_answered = self._number == 1 and _is_sure(self._run)
            if self.is_answered:
                return
            if self._run.settings.streams_ir or self.draft.has_ended:
                yield from self.nodes.judge()
            if self.nodes.stop is not None or (self.draft.has_ended and self.nodes.are_settled):
                return
            if self.intake.is_over or self.draft.is_running_blank:
                self._break_off(generation)
            item = self._run.dialogue.take(self._inbox)
            if not self.draft.has_ended:
                yield from self._receive(item)

    def _break_off(self, generation: Generation) -> None:
        """Leave later text out. Earlier steps are still judged."""
        self.draft.has_ended = True
        generation.cut()

    def _receive(self, item: object) -> Iterator[Event]:
        """Take one item of the inbox."""
        read: list[QueryRead | StepRead] = []
        match item:
            case str():
                yield ChainDelta(round=self._number, text=item)
                read = self.draft.write(item)
            case Retracted():  # only in the first round: later it is known that the model writes its thoughts as text
                self._run.tree.leave()
                self.nodes.clear()
                self._begin(None)
            case Ended(error=None, cut=cut):
                read = self.draft.end(cut)
                if cut is not None and self.draft.text.strip():
                    yield ModelFault(what=f"the model {cut}", action="left out the line that it was writing")
            case Ended(error=BaseException() as error):
                raise error
            case _:
                yield from aside(item)
        for one in read:
            yield from self.intake.take(one)


def _is_sure(run: RunContext) -> bool:
    """Return whether the look-up of the question itself has ended with a supported answer.

    A label is never sure. Neither is the answer to a question with a nested clause: often it is an intermediate answer.
    """
    direct, rating = run.direct, run.probability
    if nesting(run.question)[0] or wants_label(Step(run.question, None), run.task):
        return False
    if direct is None or rating is None or not direct.done():
        return False
    reading = direct.result().reading
    return reading is not None and (reading.probability or 0.0) >= rating.threshold
