"""What is known about one node of the tree, in full and in the paper's words: hidden until it is asked for."""

from __future__ import annotations

from searchain.events import Turn
from searchain.types import Node
from ui.page import ids
from ui.page.evidence import rests_on
from ui.show.labels import likely, rule


def details(turn: Turn, node: Node) -> list[tuple[str, str]]:
    """Who answered what, how sure the Reader was, which passage was read, and what became of it."""
    rows = []
    if node.model_answer or node.mends is None:  # a branch begins before the model said anything
        rows.append(("Model’s answer", node.model_answer or "left open"))
    if node.verdict is not None or node.passage is not None:
        rows.append(("Reader’s answer", node.reader_answer or "nothing certain"))
    if node.verdict is not None:
        rows.append(("Verdict", f"{node.verdict}, in round {node.round}"))
    if node.confidence is not None:
        rows.append(("Confidence", f"{node.confidence:.2f}"))
    if node.probability is not None:
        rows.append(("How sure", likely(node.probability)))
    if node.passage is not None:
        found = turn.hits.get(node.id, ())
        rank = f", rank {node.rank}{f' of {len(found)}' if found else ''}" if node.rank is not None else ""
        rows.append(("Passage", f"{node.passage.title}{rank}"))
    if node.rule and node.mends is not None:  # its own answer is another one
        rows.append(("Mends", f"{turn.node(node.mends).model_answer or 'left open'}: {rule(node)}"))
    elif node.rule:
        rows.append(("Rule", rule(node)))
    return rows


def cited(turn_id: str, turn: Turn, node: Node) -> list[tuple[int, str, str]]:
    """The numbers of the sources that rest on ``node``, each with the id of the link to its card, and the card's."""
    numbers = (source.number for source in turn.sources if rests_on(node, source))
    return [(number, f"{ids.node(turn_id, node.id)}-{number}", ids.card(turn_id, number)) for number in numbers]
