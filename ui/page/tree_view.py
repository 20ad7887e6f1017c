"""Render the tree of searches as accessible HTML: a flat list whose items have levels.

It is flat because chains are long: one nested element per step would be too wide for a phone. Lines beside the items
join them to their parents.
"""

import time
from collections.abc import Sequence

from markupsafe import Markup

from searchain.check import SYSTEM as CHECKED
from searchain.events import Turn
from searchain.types import Node
from ui.html import render
from ui.page import ids
from ui.page.evidence import rests_on
from ui.show.labels import correction, in_words, likely, old_answer, rule, state
from ui.show.signs import VERDICTS, heading
from ui.show.tree_order import Placed, depth_first, set_aside, story
from ui.translation import _, number

_DEEPEST = 5  # the deepest level with an indent of its own


def panel(turns: Sequence[tuple[str, Turn]], conversation: str | None, *, is_followed: bool = True) -> Markup:
    """Render the trees of ``turns`` (pairs of id and state), newest first; ``reading.js`` shows that of one turn.

    Its attributes tell scripts and tests what the page shows: ``data-state`` (idle, running or done), ``data-turn``,
    ``data-question``, ``data-conversation``, and ``data-elapsed``, the seconds since a running turn was asked. A run
    that is no longer followed counts as done.
    """
    id, turn = turns[-1] if turns else ("", None)
    is_running = turn is not None and turn.status is None and is_followed
    return render(
        "page/reasoning.html",
        state="idle" if turn is None else "running" if is_running else "done",
        turn=id,
        question=turn.question if turn else "",
        conversation=conversation or "",
        elapsed=f"{_elapsed(id):.1f}" if is_running else "",
        groups=[_group(id, turn) for id, turn in reversed(turns)],
        has_questions=len(turns) > 1,
    )


def tree(turn_id: str, turn: Turn, *, is_full: bool = False) -> Markup | str:
    """Render a turn's tree as a list; with ``is_full``, every node and the rounds. ``""`` without nodes."""
    told = turn if is_full else story(turn)
    if not told.nodes:
        return ""
    if is_full:  # otherwise two elements would have the same id
        turn_id = f"{turn_id}-all"
    reasons, placed = set_aside(turn), depth_first(told)
    items = [
        _item(turn_id, turn, each, reasons, is_full=is_full) | {"rails": rails}
        for each, rails in zip(placed, _rails(placed), strict=True)
    ]
    name = _("Every step") if is_full else _("How it was found")
    return render("page/tree.html", id=ids.tree(turn_id), name=name, items=items)


def _item(turn_id: str, turn: Turn, placed: Placed, reasons: dict[str, str], *, is_full: bool) -> dict[str, object]:
    """Return the values of a node; its round is 0 where it is not shown."""
    node = placed.node
    reason, old = reasons.get(node.id, ""), old_answer(turn, node) or ""
    answer, told = node.answer or "", ""
    if not is_full and old:  # a dropped step keeps the model's answer; the step that replaced it names both
        answer, old, told = (old, "", "") if reason else (answer, "", correction(turn, node))
    return {
        "id": ids.node(turn_id, node.id),
        "place": placed,
        "level": min(placed.level, _DEEPEST),
        "sign": state(turn, node),
        "is_branch": node.mends is not None,
        "round": node.round if is_full else 0,
        "query": node.query,
        "old": in_words(old),
        "answer": in_words(answer),
        "is_open": not answer and turn.system != CHECKED,  # a checked sentence asks nothing
        "correction": told,
        "reason": reason,
        "rows": _details(turn, node),
        "cited": [] if is_full else _cited(turn_id, turn, node),
    }


def _group(turn_id: str, turn: Turn) -> dict[str, object]:
    is_over = turn.status is not None
    told = story(turn).nodes
    is_told_whole = len(told) == len(turn.nodes)
    return {
        "turn": turn_id,
        "id": f"{ids.tree(turn_id)}-of",
        "question": heading(turn),
        "tree": tree(turn_id, turn),
        "is_alone": is_over and len(told) == 1 and not old_answer(turn, told[0]),  # the reply says the same
        "empty": _("Nothing was looked up.") if is_over else _("Nothing is looked up yet."),
        "full": "" if not is_over or is_told_whole else tree(turn_id, turn, is_full=True),
    }


def _elapsed(turn_id: str) -> float:
    asked = ids.asked_at(turn_id)
    return max(0.0, time.time() - asked.timestamp()) if asked else 0.0


def _rails(placed: Sequence[Placed]) -> list[list[int]]:
    """Return for each item the levels at which a line goes on to a later item."""
    going_on: list[bool] = []
    drawn = []
    for _node, level, place, siblings in placed:
        going_on[level - 1 :] = [place < siblings]
        deepest = any(going_on[_DEEPEST - 1 :])
        drawn.append([at for at, goes_on in enumerate((*going_on[: _DEEPEST - 1], deepest), 1) if goes_on])
    return drawn


def _details(turn: Turn, node: Node) -> list[tuple[str, str]]:
    """Return both answers, the score of the reading, the passage and the verdict of ``node``."""
    rows = []
    if node.model_answer or node.mends is None:  # a branch begins before the model answered
        rows.append((_("Model’s answer"), in_words(node.model_answer) or _("left open")))
    if node.verdict is not None or node.passage is not None:
        rows.append((_("Answer in the passage"), in_words(node.reader_answer) or _("nothing certain")))
    if node.verdict is not None:
        how = f"{_(VERDICTS[node.verdict].word)} ({node.verdict})"
        rows.append((_("How"), _("{how}, in round {round}", how=how, round=node.round)))
    if node.confidence is not None:
        rows.append((_("Score of the reading (f)"), number(node.confidence, 2)))
    if node.probability is not None:
        rows.append((_("How sure"), likely(node.probability)))
    if node.passage is not None:
        rows.append((_("Passage"), f"{node.passage.title}{_rank(turn, node)}"))
    if node.rule and node.mends is not None:  # the node's own answer differs
        mended = turn.node(node.mends).model_answer or _("left open")
        rows.append((_("Replaces"), f"{mended}: {rule(node)}"))
    elif node.rule:
        rows.append((_("Why"), rule(node)))
    return rows


def _rank(turn: Turn, node: Node) -> str:
    if node.rank is None:
        return ""
    return _(", rank {rank} of {all}", rank=node.rank, all=len(turn.hits.get(node.id, ())) or node.rank)


def _cited(turn_id: str, turn: Turn, node: Node) -> list[tuple[int, str, str]]:
    """Return the sources that are based on ``node``: number, ID of the link to the card, and ID of the card."""
    numbers = (source.number for source in turn.sources if rests_on(node, source))
    return [(number, f"{ids.node(turn_id, node.id)}-{number}", ids.card(turn_id, number)) for number in numbers]
