"""Take the whole object of a verb: "What did they find?" asks for "a gap of 46 euros", not for what the gap is in."""

from __future__ import annotations

import re

from searchain.language import text
from searchain.language.sentences import split
from searchain.types import Span

MOST_WORDS = 12
"""Words of a short answer."""
_ASKED = re.compile(r"what (?:did|does|do) (?P<who>.+?) (?P<verb>[a-z]{3,})\W*$", re.IGNORECASE)
_INNER = re.compile(r"\b(?:of|in|on|at|to|for|from|with|by|about|against|between)\b", re.IGNORECASE)
_PAST = {
    "become": "became",
    "begin": "began",
    "bring": "brought",
    "build": "built",
    "buy": "bought",
    "choose": "chose",
    "draw": "drew",
    "eat": "ate",
    "find": "found",
    "get": "got",
    "give": "gave",
    "have": "had",
    "hold": "held",
    "keep": "kept",
    "know": "knew",
    "lead": "led",
    "leave": "left",
    "lose": "lost",
    "make": "made",
    "mean": "meant",
    "pay": "paid",
    "say": "said",
    "see": "saw",
    "sell": "sold",
    "send": "sent",
    "sing": "sang",
    "spend": "spent",
    "steal": "stole",
    "take": "took",
    "teach": "taught",
    "wear": "wore",
    "win": "won",
    "write": "wrote",
}


def whole_object(query: str, passage: str, span: Span) -> Span:
    """Return ``span`` begun where the object of the query's verb begins, if the span lies inside that object.

    >>> found = "The auditors found a gap of 46 euros in the tea fund."
    >>> wider = whole_object("What did the auditors find?", found, Span(44, 52))
    >>> found[wider.start : wider.end]
    'a gap of 46 euros in the tea fund'
    """
    asked = _ASKED.match(query.strip())
    if asked is None:
        return span
    start, end = next((at for at in split(passage) if at[0] <= span.start and span.end <= at[1]), (0, 0))
    before = passage[start : span.start]
    forms = "|".join(map(re.escape, _forms(asked["verb"].casefold())))
    verbs = list(re.finditer(rf"\b(?:{forms})\b\s*", before, re.IGNORECASE)) if end else []
    if not verbs:
        return span
    subject, inner = before[: verbs[-1].start()], before[verbs[-1].end() :]
    is_inside = _INNER.search(inner) and not re.search(r"[,;:()]", inner)
    if not is_inside or not text.content_words(asked["who"]) & text.content_words(subject):
        return span
    wider = Span(start + verbs[-1].end(), span.end)
    return wider if len(passage[wider.start : wider.end].split()) <= MOST_WORDS else span


def _forms(verb: str) -> tuple[str, ...]:
    """Return a verb with its third person and its past."""
    if verb in _PAST:
        past = _PAST[verb]
    elif verb.endswith("e"):
        past = f"{verb}d"
    else:
        past = f"{verb[:-1]}ied" if re.search(r"[^aeiou]y$", verb) else f"{verb}ed"
    return verb, f"{verb}s", f"{verb}es", past, f"{verb}{verb[-1]}ed"
