"""Find passages that speak of another place than a question for a capital or for the first of its rank."""

from __future__ import annotations

import re
from collections.abc import Iterator

from searchain.language import text
from searchain.language.aliases import canonical
from searchain.language.qualifiers import DIRECTIONS, Rank, ranks

_RANKED = re.compile(
    r"(?:(?:what|which|who|name|where|tell me)\b.*? )?(?:the )?(?P<ranked>[a-z-]+est|most [a-z]+)\b"
    r"(?: [\w'’-]+){0,2}? (?:rivers?|mountains?|peaks?|volcano(?:es)?|lakes?|city|cities|towns?|islands?|"
    r"countr(?:y|ies)|deserts?|waterfalls?|forests?|buildings?|bridges?|airports?|canals?|caves?|valleys?|glaciers?) "
    r"(?:in|of) (?:the )?(?P<place>[\w'’. -]{2,40}?)(?: called| today| now)?\W*",
    re.IGNORECASE,
)
_CAPITAL = re.compile(
    r"(?:(?:what|which|name)\b.*? )?(?:the )?capital(?: city)? (?:city )?of (?:the )?(?P<place>[\w'’. -]{3,40}?)"
    r"(?:, [\w'’. -]{2,40}?)?\W*",
    re.IGNORECASE,
)
_CAPITAL_OF = re.compile(
    r"\bcapital\b(?! (?:punishment|ship|letter))[^.;:(]{0,60}? of (?:the )?(?P<place>[^.,;:(]{2,80}?)"
    r"(?:[.,;:(]| (?:and|in|on|at|with|which|that|since|from) |$)"
)
_RANKED_OF = re.compile(r"(?: [a-z]+)? (?P<noun>[a-z]+) (?:of|in) (?:the )?(?P<place>[^.;:(]{2,80})", re.IGNORECASE)
"""What stands behind a rank."""
_PART = re.compile(
    r"^(?:[\w'’-]+ ){0,3}?(?:state|province|region|territory|prefecture|county|department|district|oblast|republic|"
    r"community|canton|island|kingdom|emirate|voivodeship) of (?:the )?",
    re.IGNORECASE,
)
_SIDE = re.compile(rf"({DIRECTIONS}) ", re.IGNORECASE)
_DIVISION = re.compile(r"^(?:state|province|region|territory|county|prefecture) of (?:the )?", re.IGNORECASE)
_EVERYWHERE = frozenset(
    map(
        text.stem,
        "world earth globe planet universe galaxy solar system history time body human sea ocean sky space life year "
        "country all them these those family nature animal alphabet language english army war book bible film "
        "movie series team league game music century ever existence list class group type kind".split(),
    )
)
"""Stems of what stands behind "in" or "of" without being a place that a passage would name."""
_AMERICA = {"us", "america", "states", "usa"}


def is_elsewhere(query: str, title: str, words: str, answer: str) -> bool:
    """Tell whether a passage speaks of another place than ``query``.

    That is so where the query asks for the first of a rank in a place that the passage does not name, or whose part
    alone it gives the rank in, or for a capital, and the passage says that its subject is the capital of another place.

    >>> volga = "The Volga is the longest river in Europe."
    >>> places = ("lebanon", "europe", "the world")
    >>> [is_elsewhere(f"longest river in {place}", "Volga", volga, "Volga") for place in places]
    [True, False, False]
    >>> town = "Graz is the capital of the Austrian state of Styria."
    >>> [is_elsewhere(f"capital of {place}", "Graz", town, "Graz") for place in ("austria", "styria")]
    [True, False]
    >>> part = "Adelaide is the capital of South Australia."
    >>> is_elsewhere("capital of australia", "Adelaide", part, "Adelaide")
    True
    >>> city = "Barcelona is a city in Spain, and the largest city of the autonomous community of Catalonia."
    >>> [is_elsewhere(f"largest city in {place}", "Barcelona", city, "Barcelona") for place in ("spain", "catalonia")]
    [True, False]
    """
    query = query.strip()
    if asked := _CAPITAL.fullmatch(query):
        if not set(text.tokens(answer)) <= set(text.tokens(title)):
            return False
        owners = [_PART.sub("", found["place"]) for found in _CAPITAL_OF.finditer(words)]
        place = _names(_DIVISION.sub("", asked["place"]))
        return bool(owners) and not any(place <= _known(owner) and not _is_part(owner, query) for owner in owners)
    asked = _RANKED.fullmatch(query)
    if asked is None or not ranks(asked["ranked"]):
        return False
    place = _names(asked["place"])
    if not place or place & _EVERYWHERE:
        return False
    if not place <= _known(f"{title} {words}") or _is_other_part(asked["place"], f"{title} {words}"):
        return True
    if not set(text.tokens(answer)) <= set(text.tokens(title)):
        return False
    rank, *others = ranks(asked["ranked"])
    owners = [] if others else list(_owners(rank, words, query))
    return any(map(_PART.match, owners)) and not any(place <= _known(owner) for owner in owners)


def _is_other_part(place: str, words: str) -> bool:
    """Whether ``place`` is a part, and ``words`` name only others: "central North America" for Central America."""
    part = re.fullmatch(rf"({DIRECTIONS}) ([\w'’]+)", place.strip(), re.IGNORECASE)
    if part is None:
        return False
    same = rf"\b{re.escape(part[1])}(?:,? (?:and|or) \w+)? {re.escape(part[2])}"
    return re.search(same, words, re.IGNORECASE) is None


def is_of_the_whole(query: str, title: str, sentence: str) -> bool:
    """Tell whether ``query`` asks about a part of what an article is about, and its sentence does not name the part.

    >>> places = ("West Germany", "Germany")
    >>> [is_of_the_whole(f"capital of {place}", "Germany", "The capital is Berlin.") for place in places]
    [True, False]
    """
    part = re.search(rf"\b(?:of|in) ({DIRECTIONS}) {re.escape(title)}\b", query, re.IGNORECASE)
    return part is not None and part[1][:1].isupper() and f"{part[1]} {title}".casefold() not in sentence.casefold()


def _is_part(owner: str, query: str) -> bool:
    """Tell whether a name is that of a part of what ``query`` names: South Australia. Both Koreas are called Korea."""
    found = _SIDE.match(owner)
    return bool(found and found[1].casefold() not in text.tokens(query) and not owner.endswith("Korea"))


def _owners(asked: Rank, words: str, query: str) -> Iterator[str]:
    """Yield the places of which a text says that its subject is the first in the order, and of the sort, asked for."""
    for rank in ranks(words):
        found = _RANKED_OF.match(words, rank.end)
        is_first = rank.number == 1 and rank.superlative == asked.superlative
        if found and is_first and text.stem(found["noun"].casefold()) in text.content_words(query):
            yield found["place"]


def _names(place: str) -> set[str]:
    words = text.tokens(place)
    if _AMERICA & set(words) and len(words) == 1:
        words = ("united", "states")
    return {text.stem(word) for word in text.tokens(canonical(words)) if text.content_words(word)}


def _known(words: str) -> set[str]:
    """Return the stems of the words, and those of the country for the name of its people."""
    tokens = text.tokens(words.replace("U.S.", "United States"))
    countries = {part for word in tokens for part in canonical((word,)).split()}
    america = {"united", "states"} if "america" in countries or "us" in tokens else set()
    return {text.stem(word) for word in (*tokens, *countries, *america)}
