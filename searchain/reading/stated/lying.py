"""Answer "is X in Y" with yes where the article X says that its subject lies there, with no for another continent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.reading.articles import Match, description, description_span, matched, sentences_of
from searchain.types import Hit, Passage, Span

_ASKS = re.compile(
    r"(?:is|are|was|were) (?:the )?(?P<thing>[^,;?!]{2,60}?) (?:(?:located|situated|found) )?"
    r"in (?:the )?(?P<place>[A-Za-z][\w' -]{2,40})",
    re.IGNORECASE,
)
_LEADS = r"\b(?:in|on|of|and)\b[^.;()\n]{0,60}?\b"
_PERSON = re.compile(r"\bborn\b|\(c?\.? ?\d{3}")
_NOT = re.compile(
    r"\b(?:not|outside|near|border\w*|far from|west of|east of|north of|south of|off|coasts?|separated|between|"
    r"surrounded|officially|formerly|known as|independent|former|with territories)\b",
    re.IGNORECASE,
)
_CONTINENTS = {
    "africa": "afric",
    "asia": "asia",
    "europe": "europ",
    "oceania": "oceani",
    "antarctica": "antarctic",
    "north america": "americ",
    "south america": "americ",
}
"""The continents, each with the beginning of all words for it."""
_CONTINENT = r"(?:Africa|Asia|Europe|Oceania|Antarctica|North America|South America)"
_PLACE = re.compile(
    r"(?:[\w’'-]+,? ){0,5}?(?:country|city|town|village|capital|desert|river|lake|mountains?|mountain range|volcano|"
    r"island|region|state|province|peninsula|waterfall|kingdom|republic|sea|gulf|strait|canal|valley|canyon|plateau)"
    r"(?: \w+)? (?:in|of|on|across)\b",
    re.IGNORECASE,
)
"""The beginning of the description of something that lies somewhere for good."""
_ELSEWHERE = re.compile(rf"\b(?:in|on|of|across|spanning)\b[^.;()\n]{{0,60}}?\b{_CONTINENT}\b")
_BORDER = re.compile(r"\bWest(?:ern)? Asia\b")
"""Where people do not agree what is Europe: Armenia, Cyprus."""


def lying(query: str, hits: Sequence[Hit]) -> tuple[Hit, Span, bool] | None:
    """Return the hit about X that says of X that it lies in Y, the words that say so, and True; ``None`` without one.

    An article need not name every place that something lies in. So False is returned only for a continent that it does
    not name, where it says that X lies in another one.

    >>> hill = Hit(Passage("k", "Mount Ken", "Short description: Mountain in Africa.\\nIt is high."), 1.0, 1)
    >>> lying("is mount ken in africa", [hill])[1:], lying("is mount ken in asia", [hill])[1:]
    ((Span(start=19, end=37), True), (Span(start=19, end=37), False))
    >>> lying("is mount ken in peru", [hill])
    """
    asked = _ASKS.fullmatch(query.strip(" ?!."))
    if asked is None:
        return None
    says = re.compile(_LEADS + re.escape(asked["place"].strip()) + r"\b", re.IGNORECASE)
    for hit in hits:
        is_person = _PERSON.search(description(hit.passage))  # who was born somewhere need not be there
        if (matched(asked["thing"], hit.passage) or 0) >= Match.ALIAS and not is_person:
            for span in _about_place(hit.passage):
                said = hit.passage.text[span.start : span.end]
                found = says.search(said.replace(hit.passage.title, " " * len(hit.passage.title)))
                if found and not _NOT.search(said[: found.end()]):
                    return hit, Span(span.start, span.start + found.end()), True
            if elsewhere := _elsewhere(asked["place"], hit.passage):
                return hit, elsewhere, False
    return None


def _elsewhere(place: str, passage: Passage) -> Span | None:
    """Return the words that say that the subject lies in another continent than ``place``, which is never named."""
    asked = _CONTINENTS.get(" ".join(place.casefold().split()))
    if asked is None or not _PLACE.match(description(passage)):
        return None
    if re.search(rf"\b(?:eur)?{asked}", passage.text, re.IGNORECASE):
        return None
    for span in _about_place(passage):
        said = passage.text[span.start : span.end]
        found = _ELSEWHERE.search(said)
        if found and asked == "europ" and _BORDER.search(said):
            return None
        if found and not _NOT.search(said[: found.end()]):
            return Span(span.start, span.start + found.end())
    return None


def _about_place(passage: Passage) -> list[Span]:
    """Return the description and the first sentence: what they name is where the subject is, not what it did."""
    return [*filter(None, [description_span(passage)]), *sentences_of(passage)[:1]]
