"""Tree-of-Reasoning: the chains of one question, joined where evidence changed their course."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from searchain.types import Node, Step


class Tree:
    """The only mutable structure of a run. Nodes are frozen values; the tree replaces them.

    New nodes hang on the *tip*, the last node of the newest branch. The branch that mends a node hangs on that node's
    parent, so that the correct path (root → tip) leaves what was rejected behind, where it stays to be looked at.
    """

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._tip: str | None = None

    def add(self, step: Step, round: int) -> Node:
        """A new node below the tip; it is the tip from now on."""
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
        """Leave all chains so far: the next node begins one of its own, and the path is empty until then."""
        self._tip = None

    def open_branch(self, mends: str, round: int, answer: str | None) -> Node:
        """The first node of a branch that mends a node: the same query with ``answer``, beside the mended node."""
        old = self._nodes[mends]
        return self._insert(
            Node(id=self._next_id(), parent=old.parent, round=round, query=old.query, answer=answer, mends=mends)
        )

    def update(self, id: str, **changes: Any) -> Node:
        """Replace fields of a node; returns the new value."""
        self._nodes[id] = replace(self._nodes[id], **changes)
        return self._nodes[id]

    def inherit(self, id: str, earlier: Node, **changes: Any) -> Node:
        """Give a node the evidence of an earlier one, besides ``changes``; returns the new value."""
        self._nodes[id] = self._nodes[id].with_evidence_of(earlier)
        return self.update(id, **changes)

    def __getitem__(self, id: str) -> Node:
        return self._nodes[id]

    def __iter__(self) -> Iterator[Node]:
        """All nodes in order of creation."""
        return iter(self._nodes.values())

    def __len__(self) -> int:
        return len(self._nodes)

    def path(self) -> tuple[Node, ...]:
        """The correct path: root → tip. A node that was mended is never on it."""
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
