"""What is known about one node of the tree, in full: hidden in its item until it is asked for."""

from __future__ import annotations

from searchain.events import Turn
from searchain.safe_text import escape
from searchain.types import Node
from ui.page import ids
from ui.page.evidence import rests_on
from ui.show.labels import likely, rule


def details(turn_id: str, turn: Turn, node: Node) -> str:
    """Who answered what, how sure the Reader was, which passage was read, and links to the cards that rest on it."""
    rows = []
    if node.model_answer or node.mends is None:  # a branch begins before the model said anything
        rows.append(("Model’s answer", _answer(node.model_answer, "left open")))
    if node.verdict is not None or node.passage is not None:
        rows.append(("Reader’s answer", _answer(node.reader_answer, "nothing certain")))
    if node.confidence is not None:
        rows.append(("Confidence", f"{node.confidence:.2f}"))
    if node.probability is not None:
        rows.append(("How sure", likely(node.probability)))
    if node.passage is not None:
        found = turn.hits.get(node.id, ())
        rank = f", rank {node.rank}{f' of {len(found)}' if found else ''}" if node.rank is not None else ""
        rows.append(("Passage", f'<span class="title">{escape(node.passage.title)}</span>{rank}'))
    if node.rule and node.mends is not None:  # its own answer is another one
        rows.append(("Mends", f"{_answer(turn.node(node.mends).model_answer, 'left open')}: {escape(rule(node))}"))
    elif node.rule:
        rows.append(("Rule", escape(rule(node))))
    cited = [source.number for source in turn.sources if rests_on(node, source)]
    if links := "".join(_link(turn_id, node, number) for number in cited):
        rows.append(("Cited as", links))
    listed = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in rows)
    return f'<dl class="details">{listed}</dl>'


def _answer(text: str | None, without: str) -> str:
    return escape(text) if text else f'<span class="open">{without}</span>'


def _link(turn_id: str, node: Node, number: int) -> str:
    return (
        f'<a class="to-card" role="button" id="{ids.node(turn_id, node.id)}-{number}" '
        f'href="#{ids.card(turn_id, number)}">&#91;{number}&#93; open the passage</a>'
    )
