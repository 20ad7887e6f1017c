"""Tell apart who holds an office now and who held it once."""

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
