"""What the searches of a turn found and its reply does not cite, folded below the cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from searchain.events import Turn
from searchain.safe_text import escape
from searchain.types import Hit
from ui.page import ids
from ui.page.passage import passage

SHOWN = 5
"""Passages listed with their text; of further ones only the titles are."""


class Uncited(NamedTuple):
    hit: Hit
    query: str


def uncited(turn: Turn) -> list[Uncited]:
    """Every passage that was found and is not cited, once, with the query that ranked it best; best ranks first."""
    seen = {(source.passage.title, source.passage.text) for source in turn.sources}
    queries = {node.id: node.query for node in turn.nodes}
    found = [Uncited(hit, queries[node]) for node, hits in turn.hits.items() for hit in hits]
    passages = []
    for each in sorted(found, key=lambda one: one.hit.rank):
        content = (each.hit.passage.title, each.hit.passage.text)
        if content not in seen:
            seen.add(content)
            passages.append(each)
    return passages


def also_found(turn_id: str, turn: Turn) -> str:
    """The list, or nothing when every passage is cited."""
    passages = uncited(turn)
    if not passages:
        return ""
    items = "".join(_item(turn_id, number, each) for number, each in enumerate(passages[:SHOWN], 1))
    return (
        f'<details class="also" id="{ids.also(turn_id)}"><summary>Also found, not cited '
        f'<span class="count">{len(passages)}</span></summary><ul>{items}</ul>'
        f"{_more(turn_id, passages[SHOWN:])}</details>"
    )


def _item(turn_id: str, number: int, uncited: Uncited) -> str:
    hit, query = uncited
    return (
        f'<li><details id="{ids.also(turn_id, number)}"><summary><span class="title">{escape(hit.passage.title)}'
        f"</span></summary>{passage(hit.passage.text, None)}</details>"
        f'<p class="found-for">Rank {hit.rank} for “{escape(query)}”</p></li>'
    )


def _more(turn_id: str, passages: Sequence[Uncited]) -> str:
    if not passages:
        return ""
    titles = "".join(f"<li>{escape(each.hit.passage.title)}</li>" for each in passages)
    return (
        f'<details class="more" id="{ids.also(turn_id)}-more"><summary>+{len(passages)} more</summary>'
        f"<ul>{titles}</ul></details>"
    )
