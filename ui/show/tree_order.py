"""The branches of a turn's tree: its nodes depth first, and which were set aside, why."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from searchain.events import Turn
from searchain.types import Node, Verdict
from ui.show.labels import rule

_FOUND = {
    Verdict.CORRECTED: "the passage says otherwise",
    Verdict.COMPLETED: "the passage answers it",
    Verdict.DISPUTED: "the passage says otherwise",
    Verdict.UNCONFIRMED: "not confirmed",
    Verdict.AGREED: "agreed",
    None: "not checked",
}
"""At a node that the next round takes up again."""


class Placed(NamedTuple):
    """A node with its place in the tree."""

    node: Node
    level: int
    """From 1."""
    place: int
    """Among its siblings, from 1."""
    siblings: int


def depth_first(turn: Turn) -> list[Placed]:
    """The nodes of ``turn``, each before what hangs on it, siblings in order of creation."""
    known = {node.id for node in turn.nodes}
    children: dict[str | None, list[Node]] = defaultdict(list)
    for node in turn.nodes:
        children[node.parent if node.parent in known else None].append(node)

    def below(parent: str | None, level: int) -> list[Placed]:
        nodes = children[parent]
        return [Placed(node, level, place, len(nodes)) for place, node in enumerate(nodes, 1)][::-1]

    ordered, stack = [], below(None, 1)
    while stack:
        placed = stack.pop()
        ordered.append(placed)
        stack.extend(below(placed.node.id, placed.level + 1))
    return ordered


def set_aside(turn: Turn) -> dict[str, str]:
    """Id → reason (plain text) of every node that was mended, follows such a node, or is not on the reply's path."""
    mended = {node.mends: node for node in turn.nodes if node.mends is not None}
    has_path = any(node.on_path for node in turn.nodes)
    reasons: dict[str, str] = {}
    for node, *_ in depth_first(turn):
        if node.on_path:
            continue
        if node.id in mended:
            because = f" ({rule(node)})" if node.rule else ""
            reasons[node.id] = f"Set aside: {_FOUND[node.verdict]}{because}, see round {mended[node.id].round}"
        elif node.parent in reasons:
            reasons[node.id] = "Set aside with the step above"
        elif has_path:
            reasons[node.id] = "Not used in the reply"
    return reasons
