"""The order in which people read a turn's tree, without repetitions, and the reasons for dropped nodes."""

from collections import defaultdict
from dataclasses import replace
from typing import NamedTuple

from searchain.events import Turn
from searchain.types import Node, Verdict
from ui.show.labels import old_answer
from ui.translation import N_, _

_FOUND = {
    Verdict.CORRECTED: N_("the article says otherwise"),
    Verdict.COMPLETED: N_("the plan goes on from the article’s answer"),
    Verdict.DISPUTED: N_("the article says otherwise"),
    Verdict.UNCONFIRMED: N_("no passage confirms it"),
    Verdict.AGREED: N_("the article says the same"),
    None: N_("it was not looked up"),
}
"""Why a node with this verdict replaced another one."""


class Placed(NamedTuple):
    """A node with its place in the tree."""

    node: Node
    level: int
    """The depth, from 1."""
    place: int
    """The position among its siblings, from 1."""
    siblings: int


def story(turn: Turn) -> Turn:
    """Keep the nodes of ``turn`` that explain the reply, each step once.

    A node is left out if another node replaced it with the same answer, or if it follows a replaced node and is not on
    the path. A replaced node stays if its answer was corrected.
    """
    by_mended = {node.mends: node for node in turn.nodes if node.mends is not None}
    has_path = any(node.on_path for node in turn.nodes)
    kept: dict[str, Node] = {}
    dropped: set[str] = set()
    for node in turn.nodes:
        mender = by_mended.get(node.id)
        if node.on_path:
            kept[node.id] = node
        elif mender is not None:
            if old_answer(turn, mender):
                kept[node.id] = node
            dropped.add(node.id)  # and what the model went on with from there
        elif node.parent in dropped:
            dropped.add(node.id)
        elif not has_path:
            kept[node.id] = node
    return replace(turn, nodes=tuple(kept.values()))


def depth_first(turn: Turn) -> list[Placed]:
    """Return the nodes of ``turn``, each before its children, siblings in order of creation."""
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
    """Map the ID of every replaced, dropped or unused node to the reason in plain text."""
    mended = {node.mends: node for node in turn.nodes if node.mends is not None}
    has_path = any(node.on_path for node in turn.nodes)
    reasons: dict[str, str] = {}
    for node, *_place in depth_first(turn):
        if node.on_path:
            continue
        if node.id in mended:
            reasons[node.id] = _("Dropped: {why}", why=_(_FOUND[node.verdict]))
        elif node.parent in reasons:
            reasons[node.id] = _("Dropped with the step above")
        elif has_path:
            reasons[node.id] = _("Not used in the reply")
    return reasons
