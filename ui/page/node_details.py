"""Details of one node of the tree, in the paper's words; hidden until they are opened."""

from __future__ import annotations

from searchain.events import Turn
from searchain.types import Node
from ui.page import ids
from ui.page.evidence import rests_on
from ui.show.labels import likely, rule
from ui.show.signs import VERDICTS
from ui.translation import _


def details(turn: Turn, node: Node) -> list[tuple[str, str]]:
    """Return both answers, the score of the reading, the passage and the verdict of ``node``."""
    rows = []
    if node.model_answer or node.mends is None:  # a branch begins before the model answered
        rows.append((_("Model’s answer"), node.model_answer or _("left open")))
    if node.verdict is not None or node.passage is not None:
        rows.append((_("Answer in the passage"), node.reader_answer or _("nothing certain")))
    if node.verdict is not None:
        how = f"{_(VERDICTS[node.verdict].word)} ({node.verdict})"
        rows.append((_("How"), _("{how}, in round {round}", how=how, round=node.round)))
    if node.confidence is not None:
        rows.append((_("Score of the reading (f)"), f"{node.confidence:.2f}"))
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


def cited(turn_id: str, turn: Turn, node: Node) -> list[tuple[int, str, str]]:
    """Return the sources that are based on ``node``: number, ID of the link to the card, and ID of the card."""
    numbers = (source.number for source in turn.sources if rests_on(node, source))
    return [(number, f"{ids.node(turn_id, node.id)}-{number}", ids.card(turn_id, number)) for number in numbers]
