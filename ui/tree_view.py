"""The Tree-of-Reasoning as an accessible HTML tree, escaped: a flat list whose items carry their level.

Flat, because chains are long paths: nesting one element per hop would run out of width on a phone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from searchain.events import Turn
from searchain.types import Node
from ui.escape import escape
from ui.words import old_answer, state


def panel(turns: Sequence[tuple[str, Turn]], conversation: str | None) -> str:
    """The tree of the newest of ``turns`` (pairs of id and state), earlier ones folded below it.

    The element tells scripts and tests what the page shows: ``data-state`` (idle, running or done), ``data-turn`` and
    ``data-conversation``.
    """
    if not turns:
        return _wrap("idle", "", conversation, '<p class="hint">The queries that lead to a reply appear here while it is '
                                              "worked out: what was asked, what the passages said, what was mended.</p>")
    (id, turn), *earlier = reversed(turns)
    folded = "".join(f'<details class="earlier"><summary>{escape(old.question)}</summary>{tree(old)}</details>'
                     for _, old in earlier)
    return _wrap("running" if turn.status is None else "done", id, conversation, tree(turn) + folded)


def tree(turn: Turn) -> str:
    """``turn``'s nodes as ``role=tree``; a sentence instead while there are none."""
    if not turn.nodes:
        return '<p class="hint">No query yet.</p>'
    rejected = _rejected(turn)
    items = "".join(_item(turn, node, level, place, of, rejected) for node, level, place, of in _in_order(turn))
    return f'<ul role="tree" class="tree" aria-label="Tree of reasoning">{items}</ul>'


def _wrap(state: str, turn: str, conversation: str | None, body: str) -> str:
    return (f'<div id="reasoning" data-state="{state}" data-turn="{escape(turn)}" '
            f'data-conversation="{escape(conversation or "")}">{body}</div>')


def _in_order(turn: Turn) -> list[tuple[Node, int, int, int]]:
    """Depth first: node, level from 1, place among its siblings from 1, number of siblings."""
    known = {node.id for node in turn.nodes}
    children: dict[str | None, list[Node]] = defaultdict(list)
    for node in turn.nodes:
        children[node.parent if node.parent in known else None].append(node)
    ordered = []
    stack = [(node, 1, place, len(children[None])) for place, node in enumerate(children[None], 1)][::-1]
    while stack:
        entry = stack.pop()
        ordered.append(entry)
        below = children[entry[0].id]
        stack.extend([(node, entry[1] + 1, place, len(below)) for place, node in enumerate(below, 1)][::-1])
    return ordered


def _rejected(turn: Turn) -> dict[str, str]:
    """Node id → why it was set aside: it was mended, follows such a node, or is not on the path of the reply."""
    mended = {node.mends: node for node in turn.nodes if node.mends is not None}
    has_path = any(node.on_path for node in turn.nodes)
    reasons: dict[str, str] = {}
    for node, *_ in _in_order(turn):
        if node.on_path:
            continue
        if node.id in mended:
            rule = f" (rule: {escape(node.rule)})" if node.rule else ""
            reasons[node.id] = f"Set aside: the passage decided otherwise{rule}, round {mended[node.id].round} mends it"
        elif node.parent in reasons:
            reasons[node.id] = "Set aside with the step above"
        elif has_path:
            reasons[node.id] = "Not used in the reply"
    return reasons


def _item(turn: Turn, node: Node, level: int, place: int, of: int, rejected: dict[str, str]) -> str:
    label = state(turn, node)
    old, reason = old_answer(turn, node), rejected.get(node.id)
    answer = f'<span class="answer">{escape(node.answer)}</span>' if node.answer else '<span class="open">open</span>'
    if old:
        answer = f'<s>{escape(old)}</s> <span class="arrow" aria-label="became">→</span> {answer}'
    opens = '<span class="branch">new branch</span>' if node.mends is not None else ""
    return (
        f'<li role="treeitem" class="node is-{label.name}{" is-rejected" if reason else ""}" data-node="{escape(node.id)}" '
        f'aria-level="{level}" aria-posinset="{place}" aria-setsize="{of}" tabindex="{0 if level == place == 1 else -1}" '
        f'style="--level:{level - 1}">'
        f'<div class="node-head"><abbr class="round" title="Round {node.round}">R{node.round}</abbr>'
        f'<span class="verdict" title="{escape(label.help)}"><span aria-hidden="true">{label.icon}</span> {label.word}</span>'
        f'{opens}</div>'
        f'<div class="query">{escape(node.query)}</div><div class="found">{answer}</div>'
        + (f'<div class="reason">{reason}</div>' if reason else "") + "</li>"
    )
