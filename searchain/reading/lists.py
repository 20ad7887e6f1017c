"""Cut a reading to its cell of a table, or widen it to its enumeration where a question asks for several things.

The Reader's span covers one or some of the items. ``whole`` widens it over the neighbouring items of the same form:
names beside a name, plain words beside plain words.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from operator import itemgetter

from searchain.language import text
from searchain.language.answer_kinds import asks_several, fits
from searchain.language.sentences import after_marker, split
from searchain.types import Hit, Passage, Reading, Span

_COMPASS = r"(?:north|south|east|west)(?:east|west)?\b"
_DIRECTION = rf"(?: (?:to|in|on) the {_COMPASS}(?:,? (?:and )?{_COMPASS})*)?"
_NAME = rf"(?:the )?[A-Z][\w'’.-]*(?: (?:(?:of|the|and the) ){{0,2}}[A-Z][\w'’.-]*){{0,4}}{_DIRECTION}"
_WORD = r"(?!(?:is|are|was|were|has|have|which|who|that|with|it|by|from|for|to|in|on|as|and|or|of)\b)[a-z][\w'’-]*"
_WORDS = rf"{_WORD}(?: {_WORD}){{0,2}}"
_JOINT = rf"(?:{text.JOINT.pattern})"
_BEFORE = 120  # how many characters before an item are searched for the previous item
ENUMERATION = "enumeration"
"""The rule of a step whose answer is an enumeration in a passage."""
LONGEST = 300
"""Most characters of a whole enumeration; a longer one is not taken."""


def whole(question: str, passage: Passage, reading: Reading) -> Reading:
    """Return the reading widened to its whole enumeration, where ``question`` asks for several things, or where it goes
    over several lines of a list.

    >>> passage = Passage("", "Switzerland", "It borders Italy to the south and east, France to the west and Austria.")
    >>> whole("what countries border switzerland", passage, Reading("France", Span(40, 46), 1.0)).answer
    'Italy to the south and east, France to the west and Austria'
    """
    is_of_lines = reading.span and "\n" in reading.answer and in_lines(passage.text, reading.span)
    return _wide(question, passage, reading) if is_of_lines or asks_several(question) else reading


def _wide(question: str, passage: Passage, reading: Reading) -> Reading:
    """Return the reading with its whole enumeration, unless an item is what the question asks about."""
    if reading.span is None:
        return reading
    asked = text.content_words(question)
    items = in_lines(passage.text, reading.span)
    if len(items) > 1:
        span = Span(items[0].start, items[-1].end)
        said = [passage.text[one.start : one.end].rstrip(" .,;") for one in items]
        answer = "; ".join(said)
    else:
        span = widened(passage.text, reading.span)
        if within_cell(passage.text, span.start, span.end) != (span.start, span.end):
            return reading
        answer = passage.text[span.start : span.end]
        said = text.items(answer)
    if any(text.content_words(item) <= asked for item in said):
        return reading
    return replace(reading, answer=answer, span=span)


def in_lines(body: str, span: Span) -> list[Span]:
    """Return the items of the list in one of which ``span`` lies, each a line behind its mark; none if it is too long.

    >>> in_lines("- 300 g flour\\n- 1 egg\\nKnead both.", Span(6, 13))
    [Span(start=2, end=13), Span(start=16, end=21)]
    """
    lines: list[tuple[Span, bool]] = []
    at = 0
    for line in body.split("\n"):
        words = after_marker(body, at)
        lines.append((Span(words, at + len(line)), words > at))
        at += len(line) + 1
    held = next((place for place, (one, _) in enumerate(lines) if one.start <= span.start <= one.end), 0)
    before = [one for one, _ in takewhile(itemgetter(1), lines[held::-1])]
    items = [*reversed(before[1:]), *(one for one, _ in takewhile(itemgetter(1), lines[held:]))]
    is_around = bool(items) and items[0].start <= span.start and span.end <= items[-1].end
    return items if is_around and items[-1].end - items[0].start <= LONGEST else []


def widened(body: str, span: Span) -> Span:
    """Return ``span`` widened over the neighbouring items of its enumeration on both sides."""
    item = _NAME if body[span.start].isupper() or body.startswith("the ", span.start) else _WORDS
    start, end = span.start, span.end
    if tail := re.match(_DIRECTION, body[end:]):
        end += tail.end()
    while match := re.match(rf"{_JOINT}(?:{item})(?=[,;.:)]| and | or |$)", body[end:]):
        end += match.end()
    before = re.compile(rf"(?:(?<=[\s(])|^)(?:{item}){_JOINT}$")
    while found := _last(before, body[max(0, start - _BEFORE) : start]):
        start -= len(found)
    return span if end - start > LONGEST else Span(start, start + len(body[start:end].rstrip(" .")))


def _last(pattern: re.Pattern[str], body: str) -> str:
    """Return the longest end of ``body`` that matches, ``""`` without one."""
    starts = [0, *(match.end() for match in re.finditer(r"[\s(]", body))]
    return next((body[start:] for start in starts if pattern.match(body, start)), "")


def enumerated(question: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the likeliest whole enumeration around a reading, with its hit; ``None`` without one."""
    wide = [(hit, _wide(question, hit.passage, reading)) for hit, reading in zip(hits, readings, strict=True)]
    several = [pair for pair in wide if len(text.items(pair[1].answer)) > 1 and fits(question, pair[1].answer)]
    return max(several, key=lambda pair: pair[1].order, default=None)


def short(question: str, answer: str) -> str:
    """Return the answer without directions if ``question`` asks for several things, else unchanged.

    >>> short("what countries border switzerland", "Italy to the south and east, France to the west and Austria")
    'Italy, France and Austria'
    """
    return re.sub(_DIRECTION.removesuffix("?"), "", answer) if asks_several(question) else answer


_CELL = re.compile(r"[^:;\n]{1,60}: ([^;\n]+)")
_ROW = re.compile(rf"(?m)^{_CELL.pattern}(?:; {_CELL.pattern})+$")


def within_sentence(body: str, span: Span) -> Span:
    """Cut ``span`` at the end of the sentence in which it begins, unless the next one is an item of the same list.

    >>> within_sentence("Check-in is from 14:00. On the day of departure you leave by 11.", Span(17, 46))
    Span(start=17, end=22)
    """
    end = next((end for start, end in split(body) if start <= span.start < end < span.end), None)
    if end is None or after_marker(body, end + 1) > end + 1:
        return span
    return Span(span.start, span.start + len(body[span.start : end].rstrip(" .!?")))


def within_cell(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut the span ``start``, ``end`` to the value of the cell where it begins, or to the paragraph outside of rows.

    >>> row = "Name: Carla Benedetti; Room: C03; Extension: 4415"
    >>> start, end = within_cell(row, row.index("Room"), row.index("sion"))
    >>> row[start:end]
    'C03'
    """
    line = text.rfind("\n", 0, start) + 1
    row = _ROW.match(text, line)
    if row is None:
        paragraph = text.find(".\n", start, end)
        return start, end if paragraph < 0 else paragraph
    for cell in _CELL.finditer(text, line, row.end()):
        if start < cell.end():
            first, last = cell.span(1)
            return max(start, first), min(end, last) if end > first else last
    return start, end
