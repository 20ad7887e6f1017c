"""Tell apart what is now and what was once: who holds an office, where something has its seat."""

from __future__ import annotations

import re

_OFFICES = (
    "ceo|chief executive(?: officer)?|president|vice president|prime minister|chancellor|king|queen|monarch|pope|mayor|"
    "emperor|empress|sultan|emir|grand duke|prince|princess|supreme leader|first lady|"
    "governor|premier|head|leader|chair(?:man|woman|person)?|secretary[- ]general|head coach|coach|captain|owner"
)
_ASKED_NOW = re.compile(
    rf"^(?:who(?: is|['’]?s) )?(?:the )?(?:current |present )?(?:{_OFFICES})(?: of\b|\W*$)", re.IGNORECASE
)
_ONCE = re.compile(
    r"\b(?:then|former|formerly|ex|was|were|served|until|till)\b|\b\d{4} ?(?:to|[–-]) ?\d{4}\b", re.IGNORECASE
)


def held_once(query: str, sentence: str) -> bool:
    """Tell whether ``query`` asks who holds an office today, and ``sentence`` speaks of the past.

    >>> held_once("who is the ceo of apple", "It was announced by then–Apple CEO Steve Jobs in 2007.")
    True
    >>> held_once("who was the ceo of apple", "It was announced by then–Apple CEO Steve Jobs in 2007.")
    False
    """
    return bool(_ASKED_NOW.search(query.strip()) and _ONCE.search(sentence))


_ASKED_FIRST = re.compile(
    r"\b(?:first|original|former|old|previous|initial)(?: [\w'’-]+){0,3} "
    r"(?:headquarters?|head office|capital|home|location|site)\b",
    re.IGNORECASE,
)
_SAYS_FIRST = re.compile(
    r"\b(?:first|original\w*|former\w*|old|previous\w*|initial\w*|once|was|were|had|until|till|moved|began|founded|started|"
    r"then|earlier|from|since)\b",
    re.IGNORECASE,
)


def is_present_seat(query: str, sentence: str) -> bool:
    """Tell whether ``query`` asks for the first or a former seat, and ``sentence`` tells only the present one.

    >>> is_present_seat("where was the first Lego headquarters", "Lego is a toy maker headquartered in Billund.")
    True
    >>> is_present_seat("where was the first Lego headquarters", "Lego was founded in Billund, where it is based.")
    False
    """
    return bool(_ASKED_FIRST.search(query) and not _SAYS_FIRST.search(sentence))
