"""The Tree-of-Reasoning: the chains of one question, which branch where evidence corrected a node.

A node gets its evidence and its verdict in the tree and as events.
"""

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

from searchain.events import Event, NodeJudged, NodeParsed, NodeRead, Searched
from searchain.types import Evidence, Judgement, Node, Reading, Span, Step


class Tree:
    """The tree of a run, its only mutable structure. Nodes are frozen values; the tree replaces them.

    The parent of a new node is the *tip*: the last node of the newest branch. A branch that corrects a node starts at
    that node's parent. So the correct path (root → tip) leaves the rejected node out, and the tree keeps it for
    display.
    """

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._tip: str | None = None

    def add(self, step: Step, round: int) -> Node:
        """Add a node below the tip and make it the tip; return it."""
        answer = step.answer
        return self._insert(Node(self._next_id(), self._tip, round, step.query, model_answer=answer, answer=answer))

    def leave(self) -> None:
        """Start a new chain: the next node has no parent, and the path is empty until then."""
        self._tip = None

    def open_branch(self, corrected: str, round: int, answer: str | None) -> Node:
        """Open a branch that corrects the node ``corrected``; return its first node.

        It has the same parent and query as that node, and ``answer``.
        """
        old = self._nodes[corrected]
        return self._insert(Node(self._next_id(), old.parent, round, old.query, answer=answer, mends=corrected))

    def update(self, id: str, **changes: Any) -> Node:
        """Replace fields of a node; return the new value."""
        self._nodes[id] = replace(self._nodes[id], **changes)
        return self._nodes[id]

    def inherit(self, id: str, earlier: Node) -> Node:
        """Give a node the evidence of an earlier one; return the new value."""
        self._nodes[id] = self._nodes[id].with_evidence_of(earlier)
        return self._nodes[id]

    def __getitem__(self, id: str) -> Node:
        return self._nodes[id]

    def __iter__(self) -> Iterator[Node]:
        """Yield all nodes in order of creation."""
        return iter(self._nodes.values())

    def path(self) -> tuple[Node, ...]:
        """Return the correct path, root → tip. A corrected node is never on it."""
        nodes: list[Node] = []
        at = self._tip
        while at is not None:
            nodes.append(self._nodes[at])
            at = self._nodes[at].parent
        return tuple(reversed(nodes))

    def _insert(self, node: Node) -> Node:
        self._nodes[node.id] = node
        self._tip = node.id
        return node

    def _next_id(self) -> str:
        return f"n{len(self._nodes) + 1}"


def settle(tree: Tree, node: Node, evidence: Evidence, judgement: Judgement) -> Generator[Event, None, Node]:
    """Give ``node`` its evidence and its verdict; return the node's new value."""
    yield Searched(node=node.id, query=node.query, hits=evidence.hits, seconds=evidence.retrieval_seconds)
    if evidence.chosen is not None and evidence.reading is not None:
        passage, rank, reading = evidence.chosen.passage, evidence.chosen.rank, evidence.reading
        if judgement.quote is not None:  # another place than the reading's decided, so that place is shown
            quote = judgement.quote
            reading = Reading(passage.text[quote.start : quote.end], quote, reading.confidence)
        yield NodeRead(node=node.id, passage=passage.id, rank=rank, reading=reading, seconds=evidence.reader_seconds)
        read = {"span": reading.span, "reader_answer": reading.answer, "confidence": reading.confidence}
        tree.update(node.id, passage=passage, rank=rank, **read)
    return (yield from decide(tree, node, judgement, before=node.model_answer))


def decide(
    tree: Tree, node: Node, judgement: Judgement, *, before: str | None, same_as: str | None = None
) -> Generator[Event, None, Node]:
    """Give ``node`` a judgement that changes its answer from ``before``; return the node's new value."""
    verdict, rule, answer, probability = judgement.verdict, judgement.rule, judgement.answer, judgement.probability
    settled = tree.update(node.id, verdict=verdict, rule=rule, answer=answer, probability=probability)
    yield NodeJudged(
        node=node.id, verdict=verdict, rule=rule, before=before, after=answer, same_as=same_as, probability=probability
    )
    return settled


def add(tree: Tree, step: Step, round: int) -> Generator[Event, None, Node]:
    """Add a step to the tree; return its node."""
    node = tree.add(step, round)
    yield NodeParsed(node=node.id, parent=node.parent, round=round, query=node.query, answer=node.model_answer)
    return node


def settle_new(
    tree: Tree, query: str, round: int, evidence: Evidence, judgement: Judgement
) -> Generator[Event, None, Node]:
    """Add a step that no model wrote, with its evidence and its verdict; return the node."""
    node = yield from add(tree, Step(query, None), round)
    return (yield from settle(tree, node, evidence, judgement))


def read_again(tree: Tree, node: Node, span: Span) -> Iterator[Event]:
    """Move the span of ``node`` to another place in its passage."""
    assert node.passage is not None
    reading = Reading(node.passage.text[span.start : span.end], span, node.confidence or 0.0)
    tree.update(node.id, span=span, reader_answer=reading.answer)
    yield NodeRead(node=node.id, passage=node.passage.id, rank=node.rank or 1, reading=reading, seconds=0.0)
