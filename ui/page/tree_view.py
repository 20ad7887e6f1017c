"""The Tree-of-Reasoning as an accessible HTML tree, escaped: a flat list whose items carry their level.

Flat, because chains are long paths: nesting one element per hop would run out of width on a phone. The rails that join
an item to its parent are drawn beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from searchain.events import Turn
from searchain.safe_text import escape
from ui.page import ids
from ui.page.node_details import details
from ui.page.turn_routes import PICTURE
from ui.show.labels import old_answer, state
from ui.show.tree_order import Placed, depth_first, set_aside

_DEEPEST = 5
"""The level from which items are indented no further."""
_IS_PARENT = ' aria-expanded="true"'
_TWIG = '<button type="button" class="twig" tabindex="-1" aria-label="Fold what follows"></button>'
_TO_DETAILS = '<button type="button" class="to-details" tabindex="-1" aria-expanded="false">Details</button>'


def panel(turns: Sequence[tuple[str, Turn]], conversation: str | None, *, is_followed: bool = True) -> str:
    """The tree of the newest of ``turns`` (pairs of id and state), earlier ones folded below it.

    The element tells scripts and tests what the page shows: ``data-state`` (idle, running or done), ``data-turn``, its
    ``data-question`` and ``data-conversation``. A run that goes on but is not followed any more counts as done.
    """
    if not turns:
        return _wrap(
            "idle",
            "",
            "",
            conversation,
            '<p class="hint">The queries that lead to a reply appear here while '
            "it is worked out: what was asked, what the passages said, what was mended.</p>",
        )
    (id, turn), *earlier = reversed(turns)
    folded = "".join(
        f'<details class="earlier" id="{ids.tree(old)}-folded"><summary>{escape(state.question)}</summary>'
        f"{tree(old, state)}{_foot(old, state)}</details>"
        for old, state in earlier
    )
    return _wrap(
        "running" if turn.status is None and is_followed else "done",
        id,
        turn.question,
        conversation,
        f"{tree(id, turn)}{_foot(id, turn)}{folded}",
    )


def tree(turn_id: str, turn: Turn) -> str:
    """``turn``'s nodes as ``role=tree``; a sentence instead while there are none."""
    if not turn.nodes:
        return '<p class="hint">No query yet.</p>'
    reasons, placed = set_aside(turn), depth_first(turn)
    parents = {node.parent for node in turn.nodes}
    items = "".join(
        _item(turn_id, turn, each, rails, reasons.get(each.node.id), is_parent=each.node.id in parents)
        for each, rails in zip(placed, _rails(placed), strict=True)
    )
    return f'<ul role="tree" class="tree" id="{ids.tree(turn_id)}" aria-label="Tree of reasoning">{items}</ul>'


def _foot(turn_id: str, turn: Turn) -> str:
    """The link that saves the tree, as it is now, as a picture."""
    if not turn.nodes:
        return ""
    return f'<p class="tree-foot"><a class="save" download href="{PICTURE}?turn={escape(turn_id)}">Save picture</a></p>'


def _wrap(state: str, turn: str, question: str, conversation: str | None, body: str) -> str:
    return (
        f'<div id="reasoning" data-state="{state}" data-turn="{escape(turn)}" data-question="{escape(question)}" '
        f'data-conversation="{escape(conversation or "")}">{body}</div>'
    )


def _rails(placed: Sequence[Placed]) -> list[str]:
    """What joins each item to the tree: an elbow from its parent, and a rail for every level beside it that goes on."""
    going_on: list[bool] = []
    drawn = []
    for _, level, place, siblings in placed:
        going_on[level - 1 :] = [place < siblings]
        deepest = any(going_on[_DEEPEST - 1 :])
        levels = [at for at, goes_on in enumerate((*going_on[: _DEEPEST - 1], deepest), 1) if goes_on]
        drawn.append("".join(f'<i class="rail at-{at}"></i>' for at in levels) + '<i class="elbow"></i>')
    return drawn


def _item(turn_id: str, turn: Turn, placed: Placed, rails: str, reason: str | None, *, is_parent: bool) -> str:
    node, level = placed.node, placed.level
    label, old = state(turn, node), old_answer(turn, node)
    answer = f'<span class="answer">{escape(node.answer)}</span>' if node.answer else '<span class="open">open</span>'
    if old:
        answer = f'<s>{escape(old)}</s> <span class="arrow" role="img" aria-label="became">→</span> {answer}'
    names = f"node is-{label.name}{' is-rejected' if reason else ''}{' is-branch' if node.mends is not None else ''}"
    branch = '<span class="branch">new branch</span>' if node.mends is not None else ""
    return (
        f'<li role="treeitem" class="{names} level-{min(level, _DEEPEST)}" id="{ids.node(turn_id, node.id)}" '
        f'aria-level="{level}" aria-posinset="{placed.place}" aria-setsize="{placed.siblings}" '
        f'tabindex="{0 if level == placed.place == 1 else -1}"{_IS_PARENT if is_parent else ""}>{rails}'
        f'<div class="node-head">{_TWIG if is_parent else ""}<span class="round">Round {node.round}</span>'
        f'<span class="verdict" title="{escape(label.help)}">'
        f'<span aria-hidden="true">{label.icon}</span> {label.word}</span>{branch}{_TO_DETAILS}</div>'
        f'<div class="query">{escape(node.query)}</div><div class="found">{answer}</div>'
        + (f'<div class="reason">{escape(reason)}</div>' if reason else "")
        + f"{details(turn_id, turn, node)}</li>"
    )
