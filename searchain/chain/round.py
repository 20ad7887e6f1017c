"""One round: the model writes a chain, its nodes are judged in order, and the first that needs feedback ends it."""

import queue
from collections.abc import Callable, Iterator, Sequence
from operator import eq
from typing import Any

from searchain.chain.context import RunContext
from searchain.chain.dialogue import Ended, Generation, aside, retried_events
from searchain.chain.judging import PendingNodes, restate
from searchain.chain.parser import ChainParser, QueryRead, StepRead, render_step, resolve_references
from searchain.chain.tree import add
from searchain.events import ChainDelta, Event, ModelFault
from searchain.language import text
from searchain.language.questions import nesting
from searchain.language.same_query import asks_all, same_query
from searchain.llm.base import Cut, Form, Retracted
from searchain.types import Node, Step, TaskKind

MOST_STEPS = 12
"""Most nodes that one round may add; a model that writes more does not stop by itself."""


class Intake:
    """Takes the steps of one round in order, adds the new ones to the tree, and hands their nodes on to be judged.

    A step that repeats an earlier one is left out. The chain ends before a step that comes when nothing is left to ask.
    """

    def __init__(self, run: RunContext, number: int, root: Node | None, nodes: PendingNodes) -> None:
        """``root`` is the corrected step that the round continues from."""
        self._run, self._number, self._nodes = run, number, nodes
        self._unanswered = root  # the corrected step, until the model has answered it once more
        self._restated = 0
        self._is_complete = False
        self.is_empty = True
        """Whether no step could be read so far."""

    @property
    def added(self) -> list[Node]:
        """The nodes that this round added; the corrected step that it continues from is not one of them."""
        return [node for node in self._run.tree if node.round == self._number and node.mends is None]

    @property
    def is_over(self) -> bool:
        """Whether to stop the model: nothing is left to ask, or it writes too many or repeated steps."""
        is_repeating = self._restated > len(self._run.tree.path()) + 2
        return self._is_complete or len(self.added) > MOST_STEPS or is_repeating

    def take(self, item: QueryRead | StepRead) -> Iterator[Event]:
        """Take the parser's next item."""
        match item:
            case QueryRead(query):
                query = self._resolved(query)
                if self._run.settings.streams_ir and self._judged(query, self._is_same) is None:
                    self._nodes.look_up(query)  # while its answer is still being written
            case StepRead(step):
                self.is_empty = False
                yield from self._take(Step(self._resolved(step.query), step.answer))

    def take_verbatim(self, step: Step) -> Iterator[Event]:
        """Take a step that no model wrote, unless one in the same words is on the path."""
        self.is_empty = False
        if _last(self._run.tree.path(), step.query, eq) is None:
            yield from self._add(step, eq)

    def _take(self, step: Step) -> Iterator[Event]:
        run, path, root = self._run, self._run.tree.path(), self._unanswered
        if root is not None and self._is_same(root.query, step.query):
            self._unanswered = None
            yield from restate(run, run.tree[root.id], step, self._number)
            return
        if _last(path, step.query, self._is_same) is not None:
            self._restated += 1
            return
        self._is_complete = run.strategy.helps and _leaves_nothing(step.query, run.question, path)
        if not self._is_complete:
            yield from self._add(step, self._is_same)

    def _add(self, step: Step, same: Callable[[str, str], bool]) -> Iterator[Event]:
        earlier = self._judged(step.query, same)
        node = yield from add(self._run.tree, step, self._number)
        yield from self._nodes.add(node, earlier)

    def _judged(self, query: str, same: Callable[[str, str], bool]) -> Node | None:
        """Return the newest judged node of the tree with the same query."""
        return _last([node for node in self._run.tree if node.verdict is not None], query, same)

    def _is_same(self, one: str, other: str) -> bool:
        return same_query(one, other, self._run.similarity)

    def _resolved(self, query: str) -> str:
        """Return the query with references to earlier answers filled in and rejected answers replaced.

        A model that still uses its own rejected answer would otherwise plan from a wrong one.
        """
        path = self._run.tree.path()
        query = resolve_references(query, [node.answer for node in path])
        for node in path:
            old, new = node.model_answer, node.answer
            if node.mends and old and new and old != new and old in query and new not in query:
                query = query.replace(old, new)
        return query


def _last(nodes: Sequence[Node], query: str, same: Callable[[str, str], bool]) -> Node | None:
    return next((node for node in reversed(nodes) if same(node.query, query)), None)


def _leaves_nothing(query: str, question: str, path: Sequence[Node]) -> bool:
    """Return whether nothing is left to ask: ``query`` has no word of the question that the steps of ``path`` lack.

    >>> path = [Node("n1", None, 1, "Which country gave the Statue of Liberty to the US?", answer="France")]
    >>> question = "which country gave statue of liberty to usa"
    >>> _leaves_nothing("Which country gave the Statue of Liberty to France?", question, path)
    True
    """
    if any(node.answer and asks_all(node.query, question) for node in path):
        return True
    taken = text.content_words(" ".join(node.query for node in path))
    return bool(path) and not (text.content_words(question) & text.content_words(query)) - taken


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
        self.is_final = self._parser.has_final_content
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
                answer = node.model_answer if node.mends is None else node.answer
                lines.append(render_step(depth, Step(node.query, answer)))
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
                self.draft.has_ended = True  # later text is left out; earlier steps are still judged
                generation.cut()
            item = self._run.dialogue.take(self._inbox)
            if not self.draft.has_ended:
                yield from self._receive(item)

    def _receive(self, item: object) -> Iterator[Event]:
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
    if nesting(run.question)[0] or run.wants_label(Step(run.question, None)):
        return False
    if direct is None or rating is None or not direct.done():
        return False
    reading = direct.result().reading
    return reading is not None and (reading.probability or 0.0) >= rating.threshold
