"""Take an enumeration whole: where a question asks for several things, the answer is not one of them.

The Reader points at one item, or at some. ``whole`` widens its span over the items beside it, as far as they have the
same form: names beside a name, plain words beside plain words.
"""

from __future__ import annotations

import re
from dataclasses import replace

from searchain.language.asked_things import asks_several
from searchain.types import Passage, Reading, Span

_DIRECTION = r"(?: (?:to|in|on) the (?:far )?(?:north|south|east|west)\w*(?:[- ]?(?:north|south|east|west)\w*)*)?"
_NAME = rf"(?:(?:the|part of) )*[A-Z][\w'’.-]*(?: (?:(?:of|the|and the|de|du|von) )*[A-Z][\w'’.-]*){{0,4}}{_DIRECTION}"
_LITTLE = r"(?!(?:of|is|are|was|were|has|have|which|who|that|with|it|its|by|from|for|to|in|on|as|and|or)\b)"
_WORDS = rf"{_LITTLE}[a-z][\w'’-]*(?: {_LITTLE}[a-z][\w'’-]*){{0,2}}"
_JOINT = r"(?:[,;] and |[,;] or |[,;] | and | or )"
LONGEST = 300
"""Characters of a whole enumeration."""


def whole(question: str, passage: Passage, reading: Reading) -> Reading:
    """Return the reading widened to its whole enumeration, where ``question`` asks for several things.

    >>> passage = Passage("", "Switzerland", "It borders Italy to the south, France to the west and Austria.")
    >>> whole("what countries border switzerland", passage, Reading("France", Span(31, 37), 1.0)).answer
    'Italy to the south, France to the west and Austria'
    """
    if reading.span is None or not asks_several(question):
        return reading
    span = widened(passage.text, reading.span)
    return replace(reading, answer=passage.text[span.start : span.end], span=span)


def widened(text: str, span: Span) -> Span:
    """Return ``span`` with the items of its enumeration on both sides."""
    item = _NAME if text[span.start].isupper() or text[span.start : span.start + 5] == "the " else _WORDS
    start, end = span.start, span.end
    if tail := re.match(_DIRECTION, text[end:]):
        end += tail.end()
    while match := re.match(rf"{_JOINT}(?:{item})(?=[,;.:)]| and | or |$)", text[end:]):
        end += match.end()
    before = re.compile(rf"(?:(?<=[\s(])|^)(?:{item}){_JOINT}$")
    while item_before := _last(before, text[max(0, start - 120) : start]):
        start -= len(item_before)
    if end - start > LONGEST:
        return span
    return Span(start, start + len(text[start:end].rstrip(" .")))


def _last(pattern: re.Pattern[str], text: str) -> str:
    """The longest end of ``text`` that matches."""
    starts = [match.start() + 1 for match in re.finditer(r"[\s(]", text)]
    for start in [0, *starts]:
        if (match := pattern.match(text, start)) and match.end() == len(text):
            return match[0]
    return ""


def short(question: str, answer: str) -> str:
    """Return a whole enumeration without directions, any other answer as it is.

    >>> short("what countries border switzerland", "Italy to the south, France to the west and Austria")
    'Italy, France and Austria'
    """
    return re.sub(_DIRECTION.removesuffix("?"), "", answer) if asks_several(question) else answer
