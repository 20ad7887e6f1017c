"""Answer who made something, and when, with a sentence of its own article: "It was founded in 1975 by …"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from searchain.language import text
from searchain.language.fact_questions import Fact, asked_fact
from searchain.reading.articles import Match, begins_with_title, matched, sentences_of
from searchain.types import Hit, Passage, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right."""
_PARTICIPLES = {
    "found": "(?:co-)?founded|established|formed|launched",
    "build": "built|constructed|erected",
    "invent": "invented",
    "discover": "discovered|first isolated|first identified",
    "design": "designed",
    "write": "(?:co-)?written",
    "paint": "painted",
    "direct": "directed",
    "compose": "composed",
    "make": "(?:co-)?created|(?:co-)?developed|made",
    "open": "opened",
}
_NAME = (
    r"(?:(?!U\.S)[^\W\da-z_][\w.'’-]*"
    r"(?: (?:(?:van|von|de|da|di|del|della|der|den|la|le|al|ibn|of|the|bin|dan|dos) ){0,2}[^\W\da-z_][\w.'’-]*){0,5})"
)
_WHAT = (
    r"(?:(?:[A-Z][\w-]+ (?:and )?){0,3}"
    r"(?:(?!(?:the|and|that|by|on|in|with|for|from|his|her)\b)[a-z][\w-]+,? (?:and )?){1,4})??"
)
"""Who somebody is, before the name: "Hungarian sculptor and professor"."""
_DONE = r"(?![a-z-]+(?:ed|ing|en|ilt|ade|ung|ew)\b)"
_BEHIND = (
    r"(?<!\b[A-Z])(?<!\b[A-Z]\.)"
    r"(?= (?:in|on|at|as|for|with|from|during|to|who|under|between|along|after|and|while|by)\b|[,.;:()]|$)"
    r"(?!,? (?:along|together) with\b)(?!,? alongside\b)(?! for (?:the )?[A-Z])(?!, [A-Z][\w'’-]+ [A-Z][\w'’-]+ \()"
    rf"(?!,? and (?:{_DONE}[a-z-]+,? ){{0,4}}[A-Z])(?!, {_DONE}[a-z-]+ [A-Z]\w+ [A-Z])"
)
"""What ends the name of a maker: no other maker is named behind it, as in "writer Bill Finger and artist Bob Kane"."""
_BY = rf" by (?:the )?{_WHAT}(?P<answer>{_NAME}(?:(?:, |,? and | & ){_NAME}){{0,5}}){_BEHIND}"
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = (
    rf"(?P<answer>(?:\d{{1,2}} )?(?:{_MONTH} )?(?:\d{{1,2}}, )?"
    rf"(?:\d{{4}}|\d{{3}}(?= BC| AD| CE|[,.;]))(?: (?:BCE?|AD|CE)\b)?)"
    r"(?!\w|,\d|%| (?:m|km|feet|ft)\b)"
)
_BETWEEN = r"(?: (?:and|as|at|on|in)?[^,;.:()]{0,40}?)??"
_ELSEWHERE = re.compile(
    r"\b(?:which|whose|who|whom|where|when|after|before|that|its|their|his|her|than|later|first|largest|oldest|score|text|"
    r"modern|current|present|rebuilt|not|never|may|possibly|probably|perhaps|claimed|believed|said|thought|minerals|by|"
    r"from|originally|traditionally|legend\w*|simultaneously|independently)\b|[;:]",
    re.IGNORECASE,
)
"""Words before or within the phrase that make it speak of something else, or doubt it."""
_SUBJECT = re.compile(
    r"(?:[^,;]{1,60}(?:, (?:also|officially|formerly|or|commonly)[^,;]{1,60},)? (?:is|was|are|were)"
    r"(?: an? [^,;]{1,90})? )?"
)
"""What stands before the participle: the subject, and what it is; or nothing."""
_BEGINS = re.compile(
    r"(?:It|Founded|Established|Built|Constructed|Created|Invented|Discovered|Designed|Launched|Incorporated|The "
    r"(?:company|organi[sz]ation|university|college|school|city|building|tower|bridge|temple|church|cathedral|palace|film|"
    r"novel|book|painting|opera|play|element|site|service|institute|museum|party|newspaper|group|team|club))\b"
)
_SINCE = "between "
_TWO_YEARS = re.compile(rf"{_SINCE}\d{{3,4}} and \d{{3,4}}(?: BCE?| AD| CE)?\b")
_MOST_BEFORE = 140
"""Characters of a sentence before the participle."""
_FIRST = 6
"""Sentences of the article that are read."""


def made(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the article of the thing whose maker or beginning ``query`` asks for, read as that; ``None`` without one.

    >>> lead = "Acme is a company. It was founded in 1975 by Ada King and Bob Ray in Rome."
    >>> hits, nothing = [Hit(Passage("a", "Acme", lead), 1.0, 1)], [Reading("", None, 0.5)]
    >>> [made(query, hits, nothing)[1].answer for query in ("who founded acme", "when was acme founded")]
    ['Ada King and Bob Ray', '1975']
    """
    asked = asked_fact(query)
    if asked is None or asked.what not in _PARTICIPLES:
        return None
    ends = {Fact.MAKER: _BY, Fact.MADE: rf" (?:(?:in|on) )?(?:early |late |about |around )?{_DATE}"}.get(asked.fact)
    if ends is None:
        return None
    form = re.compile(rf"\b(?i:{_PARTICIPLES[asked.what]})(?P<between>{_BETWEEN}){ends}")
    for hit, reading in zip(hits, readings, strict=True):
        match = matched(asked.thing, hit.passage)
        if match is None or match < Match.ALIAS:
            continue
        spans = list(_said(form, hit.passage))
        answers = {hit.passage.text[span.start : span.end] for span in spans}
        if len(answers) == 1 and text.tokens(*answers) != text.tokens(hit.passage.title):
            return hit, Reading(answers.pop(), spans[0], reading.confidence, probability=PROBABILITY)
    return None


def _said(form: re.Pattern[str], passage: Passage) -> Iterator[Span]:
    for sentence in islice(sentences_of(passage), _FIRST):
        said = passage.text[sentence.start : sentence.end]
        if not _BEGINS.match(said) and not begins_with_title(passage, said):
            continue
        for found in form.finditer(said):
            before = said[: found.start()]
            if len(before) > _MOST_BEFORE or not _SUBJECT.fullmatch(before):
                continue
            between = re.sub(r"^ by\b", "", found["between"] or "")  # "discovered by James Chadwick in 1932"
            if _ELSEWHERE.search(before) or _ELSEWHERE.search(between):
                continue
            end = found.end("answer") - (found["answer"].endswith(".") and said.endswith(found["answer"]))
            start, end = _years(said, found.start("answer"), end)
            yield Span(sentence.start + start, sentence.start + end)


def _years(said: str, start: int, end: int) -> tuple[int, int]:
    """Return both years of "between 1931 and 1936", where the first was found; otherwise what was found."""
    first, both = start - len(_SINCE), _TWO_YEARS.match(said, max(start - len(_SINCE), 0))
    return (first, both.end()) if both and first >= 0 else (start, end)
