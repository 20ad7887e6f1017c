"""The Tree-of-Reasoning: the chains of one question, which branch where evidence corrected a node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from searchain.types import Node, Step


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
        return self._insert(
            Node(
                id=self._next_id(),
                parent=self._tip,
                round=round,
                query=step.query,
                model_answer=step.answer,
                answer=step.answer,
            )
        )

    def leave(self) -> None:
        """Start a new chain: the next node has no parent, and the path is empty until then."""
        self._tip = None

    def open_branch(self, corrected: str, round: int, answer: str | None) -> Node:
        """Open a branch that corrects the node ``corrected``; return its first node.

        It has the same parent and query as that node, and ``answer``.
        """
        old = self._nodes[corrected]
        return self._insert(
            Node(id=self._next_id(), parent=old.parent, round=round, query=old.query, answer=answer, mends=corrected)
        )

    def update(self, id: str, **changes: Any) -> Node:
        """Replace fields of a node; return the new value."""
        self._nodes[id] = replace(self._nodes[id], **changes)
        return self._nodes[id]

    def inherit(self, id: str, earlier: Node, **changes: Any) -> Node:
        """Give a node the evidence of an earlier one, besides ``changes``; return the new value."""
        self._nodes[id] = self._nodes[id].with_evidence_of(earlier)
        return self.update(id, **changes)

    def __getitem__(self, id: str) -> Node:
        return self._nodes[id]

    def __iter__(self) -> Iterator[Node]:
        """Yield all nodes in order of creation."""
        return iter(self._nodes.values())

    def __len__(self) -> int:
        return len(self._nodes)

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
