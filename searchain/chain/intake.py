"""Decide which of the steps that a model writes join the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import eq

from searchain.chain.context import RunContext
from searchain.chain.judging import PendingNodes, restate
from searchain.chain.parser import QueryRead, StepRead, resolve_references
from searchain.chain.settling import add
from searchain.events import Event
from searchain.language import text
from searchain.language.same_query import asks_all, same_query
from searchain.types import Node, Step

MOST_STEPS = 12
"""Most nodes that one round may add; a model that writes more does not stop by itself."""


class Intake:
    """Takes the steps of one round in order, adds the new ones to the tree, and hands their nodes on to be judged.

    A step that repeats an earlier one is left out. The chain ends before a step that comes when nothing is left to ask.
    """

    def __init__(self, run: RunContext, number: int, root: Node | None, nodes: PendingNodes) -> None:
        """``root`` is the corrected step that the round continues from."""
        self._run, self._number, self._nodes = run, number, nodes
        self._unanswered = root
        """The corrected step, until the model has answered it once more."""
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
                self._announce(self._resolved(query))
            case StepRead(step):
                self.is_empty = False
                yield from self._take(Step(self._resolved(step.query), step.answer))

    def take_verbatim(self, step: Step) -> Iterator[Event]:
        """Take a step that no model wrote, unless one in the same words is on the path."""
        self.is_empty = False
        if _last(self._run.tree.path(), step.query, eq) is None:
            yield from self._add(step, eq)

    def _announce(self, query: str) -> None:
        """Look up a query whose answer is still being written."""
        if self._run.settings.streams_ir and self._judged(query, self._is_same) is None:
            self._nodes.look_up(query)

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
    """Return the last of ``nodes`` with the same query."""
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
