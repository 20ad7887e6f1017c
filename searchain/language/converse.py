"""Tell a relation from its converse: "the son of Leonidas" is not whose son Leonidas was."""

from __future__ import annotations

import re

from searchain.language import text
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
_ASKS_NEIGHBOUR = re.compile(
    r"who (?P<verb>succeeded|preceded|followed|replaced|married) (?:the )?(?P<described>[\w'’ -]{5,80}?)\W*",
    re.IGNORECASE,
)
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


def is_the_described(query: str, passage: Passage, answer: str) -> bool:
    """Tell whether ``answer`` is the very person whose successor, predecessor or spouse ``query`` asks for.

    The article of the answer then has that name, or says that its subject is what the query describes.

    >>> lead = Passage("w", "Washington", "Washington was the first president of the land, and followed nobody.")
    >>> of_whom = ("the first president of the land", "the first king")
    >>> [is_the_described(f"Who succeeded {one}?", lead, "Washington") for one in of_whom]
    [True, False]
    """
    asked = _ASKS_NEIGHBOUR.fullmatch(query.strip())
    own, title = set(text.tokens(answer)), set(text.tokens(passage.title))
    if asked is None or not own & title:
        return False
    if set(text.tokens(asked["described"])) <= title:
        return True
    if not own <= title:
        return False
    described = rf"\b(?:is|was) (?:[^.;]{{0,80}}(?:,| and| as) )?(?:the )?{re.escape(asked['described'])}\b"
    found = re.search(described, passage.text, re.IGNORECASE)
    return found is not None and asked["verb"].casefold() not in found[0].casefold()
