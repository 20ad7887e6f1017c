"""Tell a relation from its converse: "the son of Leonidas" is not whose son Leonidas was."""

from __future__ import annotations

import re

from searchain.types import Passage, Span

_RELATIONS = (
    "son|daughter|child|father|mother|parent|wife|husband|brother|sister|uncle|nephew|grandson|grandfather|capital|king|"
    "queen|emperor|empress|president|prime minister|chancellor|ruler|leader|founder|author|inventor|director|composer|"
    "creator|currency|successor|predecessor"
)
_ASKED = re.compile(
    rf"\b(?:who|what|which|whose|name)\b[^.?!]{{0,40}} the (?:\w{{1,30}} )?(?P<relation>{_RELATIONS})(?: city)? of\b",
    re.IGNORECASE,
)
_ASKS_WHO = re.compile(r"who(?:['’]?s| is| was| are| were) (?!the\b)[^,]{3,60}", re.IGNORECASE)
_NAMED_CITY = re.compile(r"\b(?:in|at|around|near|from|to) the capital city of $", re.IGNORECASE)
"""What stands before the name of the city itself, as in "in the capital city of Suva"."""
_BEFORE = 60
"""Characters before an answer in which the relation may stand."""


def is_converse(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``query`` asks for the R of something, and the passage calls something the R of what ``span`` names.

    >>> lead = Passage("l", "Leonidas I", "Leonidas I was the son of King Anaxandridas II.")
    >>> is_converse("who was the son of leonidas", lead, Span(26, 46))
    True
    >>> is_converse("who was the father of leonidas", lead, Span(26, 46))
    False
    """
    asked = _ASKED.search(query)
    if asked is None and _ASKS_WHO.fullmatch(query.strip(" ?!.")) is None:
        return False
    before = passage.text[max(0, span.start - _BEFORE) : span.start]
    if _NAMED_CITY.search(before):
        return False
    relation = re.escape(asked["relation"]) if asked else rf"(?:{_RELATIONS})s?"  # who Ann is, not whose son
    return (
        re.search(rf"\b{relation}(?: city)? of (?:the )?(?:(?:king|queen|emperor) )?$", before, re.IGNORECASE)
        is not None
    )
