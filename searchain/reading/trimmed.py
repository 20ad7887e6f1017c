"""Leave out of a reading what does not answer: words that repeat the query, and the other end of a period."""

from __future__ import annotations

import re
from dataclasses import replace

from searchain.language import text
from searchain.language.answer_kinds import AnswerKind, asks_for_person, kind_asked
from searchain.types import Reading, Span


def trimmed(query: str, reading: Reading) -> Reading:
    """Return the reading with only the part of its span that answers ``query``."""
    return of_one_end(query, named_last(query, without_owned(query, without_predicate(query, reading))))


_PREDICATE = re.compile(
    r"(?P<name>(?!(?:It|He|She|They|There|This|That|These|Those|The|In|On|At|One)\b)[A-Z][\w'’.-]*"
    r"(?: (?:(?:of|the|de|la|von|van) ){0,2}[A-Z0-9][\w'’.-]*){0,5}) (?:is|was|are|were) (?P<rest>(?:the|an?) .+)",
    re.DOTALL,
)


def without_predicate(query: str, reading: Reading) -> Reading:
    """Return the reading without what only repeats the query: of "Brasília is the capital of Brazil" the name.

    Where the query asks who, the name alone is the answer.

    >>> without_predicate("capital of brazil", Reading("Brasília is the capital of Brazil", Span(0, 33), 1.0)).answer
    'Brasília'
    >>> without_predicate("who led ghana", Reading("Kofi Busia was the prime minister", Span(0, 33), 1.0)).answer
    'Kofi Busia'
    """
    found, asked = _PREDICATE.fullmatch(reading.answer), text.content_words(query)
    if reading.span is None or found is None or not asked or text.content_words(found["name"]) & asked:
        return reading
    if not asked <= text.content_words(found["rest"]) and not asks_for_person(query):
        return reading
    return _first(reading, found["name"])


_OWNED = re.compile(r"(?P<name>[A-Z][\w. -]{1,60})['’]s? (?P<rest>\S.*)")


def without_owned(query: str, reading: Reading) -> Reading:
    """Return the reading without the thing of the query that the answer owns: of "Homer's Iliad" the name.

    >>> without_owned("the iliad was written by", Reading("Homer's Iliad", Span(0, 13), 1.0)).answer
    'Homer'
    >>> without_owned("what day comes after halloween", Reading("All Hallows' Day", Span(0, 16), 1.0)).answer
    "All Hallows' Day"
    """
    found, asked = _OWNED.fullmatch(reading.answer), text.content_words(query)
    owned = text.content_words(found["rest"]) if found else set()
    asks_who = asks_for_person(query) or query.strip().endswith(" by")
    if reading.span is None or found is None or not asks_who or not owned or not owned <= asked:
        return reading
    return reading if text.content_words(found["name"]) & asked else _first(reading, found["name"])


_NAMED_LAST = re.compile(r".{20,}\b(?P<what>[a-z]{3,}), (?P<name>[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,3})", re.DOTALL)


def named_last(query: str, reading: Reading) -> Reading:
    """Return the name with which a reading ends, where the word before it is what ``query`` asks for.

    >>> said = "The student is lamenting the loss of his love, Lenore"
    >>> named_last("what is the name of his lost love", Reading(said, Span(0, 53), 1.0)).answer
    'Lenore'
    """
    found = _NAMED_LAST.fullmatch(reading.answer)
    if reading.span is None or found is None or text.stem(found["what"]) not in text.content_words(query):
        return reading
    start = reading.span.start + found.start("name")
    return replace(reading, answer=found["name"], span=Span(start, start + len(found["name"])))


_PERIOD = re.compile(
    r"(?P<first>(?:\d{1,2} )?(?:[A-Z][a-z]+ )?\d{3,4})(?:[–-]| to | until )"
    r"(?P<last>(?:\d{1,2} )?(?:[A-Z][a-z]+ )?\d{3,4}|present)"
)
_RULER = "king|queen|emperor|empress|president|pope|(?:prime )?minister|chancellor|ruler|sultan|tsar|pharaoh|governor"
_BEGINS = re.compile(
    r"\b(?:(?:start|begin|began|begun|open|launch|debut|inaugurat|ascend)\w*|crowned|sworn in|"
    rf"bec[ao]me (?:the )?(?:\w+ )?(?:{_RULER})|(?:take|took|come to|came to) (?:office|power|the throne))\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\b(?:(?:end|finish|clos|ceas|resign|abdicat)(?:e|ed|es|s|ing)?|(?:leave|left) office|step(?:ped)? down|"
    r"bec[ao]me extinct)\b",
    re.IGNORECASE,
)


def of_one_end(query: str, reading: Reading) -> Reading:
    """Return the beginning or the end of a period, where ``query`` asks when something began or ended.

    >>> of_one_end("in what year did the show start", Reading("1963–2025", Span(5, 14), 1.0)).answer
    '1963'
    >>> of_one_end("when did the war end", Reading("1939 to 1945", Span(0, 12), 1.0)).answer
    '1945'
    """
    period = _PERIOD.fullmatch(reading.answer)
    begins, ends = _BEGINS.search(query) is not None, _ENDS.search(query) is not None
    if reading.span is None or period is None or begins == ends or kind_asked(query) is not AnswerKind.DATE:
        return reading
    if begins:
        return _first(reading, period["first"])
    if period["last"] == "present":
        return reading
    start = reading.span.start + period.start("last")
    return replace(reading, answer=period["last"], span=Span(start, start + len(period["last"])))


def _first(reading: Reading, answer: str) -> Reading:
    """Return the reading with ``answer``, with which its span begins."""
    assert reading.span is not None
    return replace(reading, answer=answer, span=Span(reading.span.start, reading.span.start + len(answer)))
