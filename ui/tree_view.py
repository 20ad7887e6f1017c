"""The Tree-of-Reasoning as an accessible HTML tree, escaped: a flat list whose items carry their level.

Flat, because chains are long paths: nesting one element per hop would run out of width on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence

from searchain.branches import Placed, depth_first, set_aside
from searchain.escape import escape
from searchain.events import Turn
from searchain.words import old_answer, state


def panel(turns: Sequence[tuple[str, Turn]], conversation: str | None) -> str:
    """The tree of the newest of ``turns`` (pairs of id and state), earlier ones folded below it.

    The element tells scripts and tests what the page shows: ``data-state`` (idle, running or done), ``data-turn`` and
    ``data-conversation``.
    """
    if not turns:
        return _wrap("idle", "", conversation, '<p class="hint">The queries that lead to a reply appear here while it '
                     "is worked out: what was asked, what the passages said, what was mended.</p>")
    (id, turn), *earlier = reversed(turns)
    folded = "".join(f'<details class="earlier"><summary>{escape(old.question)}</summary>{tree(old)}</details>'
                     for _, old in earlier)
    return _wrap("running" if turn.status is None else "done", id, conversation, tree(turn) + folded)


def tree(turn: Turn) -> str:
    """``turn``'s nodes as ``role=tree``; a sentence instead while there are none."""
    if not turn.nodes:
        return '<p class="hint">No query yet.</p>'
    reasons = set_aside(turn)
    items = "".join(_item(turn, placed, reasons.get(placed.node.id)) for placed in depth_first(turn))
    return f'<ul role="tree" class="tree" aria-label="Tree of reasoning">{items}</ul>'


def _wrap(state: str, turn: str, conversation: str | None, body: str) -> str:
    return (f'<div id="reasoning" data-state="{state}" data-turn="{escape(turn)}" '
            f'data-conversation="{escape(conversation or "")}">{body}</div>')


def _item(turn: Turn, placed: Placed, reason: str | None) -> str:
    node, level = placed.node, placed.level
    label, old = state(turn, node), old_answer(turn, node)
    answer = f'<span class="answer">{escape(node.answer)}</span>' if node.answer else '<span class="open">open</span>'
    if old:
        answer = f'<s>{escape(old)}</s> <span class="arrow" aria-label="became">→</span> {answer}'
    opens = '<span class="branch">new branch</span>' if node.mends is not None else ""
    return (
        f'<li role="treeitem" class="node is-{label.name}{" is-rejected" if reason else ""}" '
        f'data-node="{escape(node.id)}" '
        f'aria-level="{level}" aria-posinset="{placed.place}" aria-setsize="{placed.siblings}" '
        f'tabindex="{0 if level == placed.place == 1 else -1}" '
        f'style="--level:{level - 1}">'
        f'<div class="node-head"><abbr class="round" title="Round {node.round}">R{node.round}</abbr>'
        f'<span class="verdict" title="{escape(label.help)}">'
        f'<span aria-hidden="true">{label.icon}</span> {label.word}</span>'
        f'{opens}</div>'
        f'<div class="query">{escape(node.query)}</div><div class="found">{answer}</div>'
        + (f'<div class="reason">{escape(reason)}</div>' if reason else "") + "</li>"
    )
