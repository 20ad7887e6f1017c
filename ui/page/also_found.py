"""Passages that the searches of a turn found but its reply does not cite."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from searchain.events import Turn
from searchain.types import Hit
from ui.html import render
from ui.page import ids
from ui.page.passage import passage

SHOWN = 5
"""Number of passages listed with their text; of further ones only the titles are listed."""


class Uncited(NamedTuple):
    hit: Hit
    query: str


def uncited(turn: Turn) -> list[Uncited]:
    """Return each uncited passage once, with the query that ranked it best, in order of this rank."""
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


def also_found(turn_id: str, turn: Turn) -> Markup | str:
    """Render the list; empty if every passage is cited."""
    passages = uncited(turn)
    if not passages:
        return ""
    shown = [
        {
            "id": ids.also(turn_id, number),
            "title": each.hit.passage.title,
            "passage": passage(each.hit.passage.text, None),
            "query": each.query,
        }
        for number, each in enumerate(passages[:SHOWN], 1)
    ]
    more = [each.hit.passage.title for each in passages[SHOWN:]]
    # without a citation this list is the only content
    return render(
        "page/also.html",
        id=ids.also(turn_id),
        is_all=not turn.sources and turn.status is not None,
        count=len(passages),
        shown=shown,
        more=more,
    )
