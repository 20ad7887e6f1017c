"""Cut an answer in Markdown into sentences: a table row counts as one, headings and code do not count."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise

from searchain.annotation.protocol import Item, ItemMark
from searchain.language import sentences
from searchain.types import Span

_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s|$)|^\s*\*\*[^*\n]+\*\*:?\s*$")
_RULE = re.compile(r"^\s*(?:[-*_]\s*){3,}$")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_DIVIDER = re.compile(r"^\s*(?:\|\s*)?:?-{2,}:?(?:\s*\|\s*:?-{2,}:?)*(?:\s*\|)?\s*$")
_EDGES = " \t\r\n|"
_LEAD = re.compile(r"^\s*(?:>\s*)*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)?")


def split(text: str) -> tuple[Span, ...]:
    """Return the sentences of an answer in order, as half-open offsets; plain prose is cut by ``sentences.split``.

    >>> split("# Cities\\n- Kyoto is old.\\n")
    (Span(start=11, end=24),)
    """
    found: list[Span] = []
    for stretch, is_row in _stretches(text):
        if is_row:
            piece = text[stretch.start : stretch.end].rstrip(_EDGES)
            found.append(Span(stretch.start + len(piece) - len(piece.lstrip(_EDGES)), stretch.start + len(piece)))
        else:
            inner = sentences.split(text[stretch.start : stretch.end])
            found.extend(Span(stretch.start + start, stretch.start + end) for start, end in inner)
    return tuple(span for span in found if span.start < span.end)


def _stretches(text: str) -> Iterator[tuple[Span, bool]]:
    """Yield the stretches of prose, without the marks of lists, and the rows of tables (``True``)."""
    prose: Span | None = None
    at, is_code = 0, False
    for line, below in pairwise([*text.splitlines(keepends=True), ""]):
        start, at = at, at + len(line)
        is_fence, marker = bool(_FENCE.match(line)), _marker(line)
        is_text = not (is_fence or is_code)
        is_prose = is_text and not _stands_apart(line)
        if prose and (marker or not is_prose):
            yield prose, False
            prose = None
        if is_prose:
            prose = Span(prose.start if prose else start + marker, at)
        elif is_text and _ROW.match(line) and not (_DIVIDER.match(line) or _DIVIDER.match(below)):
            yield Span(start, at), True  # a row above a divider is the head of the table
        is_code ^= is_fence
    if prose:
        yield prose, False


def _stands_apart(line: str) -> bool:
    return not line.strip() or any(form.match(line) for form in (_HEADING, _RULE, _DIVIDER, _ROW))


def _marker(line: str) -> int:
    """Return the length of the list or quotation marker at the beginning of ``line``, 0 without one."""
    lead = _LEAD.match(line)
    return lead.end() if lead and lead[0].strip() else 0


_STOP = re.compile(r"(?<![.!?…])([.!?…]+[\"”’)]?)[ \t]*\Z")


def marks_before_stops(item: Item) -> Item:
    """Put the marks that follow a full stop before it, with one space before the first.

    ``Kyoto is old. [1]`` and ``Kyoto is old.[1]`` become ``Kyoto is old [1].`` Other marks stay where they are.
    """
    groups: list[list[ItemMark]] = []
    for mark in item.marks:
        if groups and not item.answer[groups[-1][-1].end : mark.start].strip(" \t"):
            groups[-1].append(mark)
        else:
            groups.append([mark])
    answer, at = "", 0
    marks: list[ItemMark] = []
    changes: list[tuple[int, int, int]] = []  # begin and end of a stretch that is written anew, and how far it grew
    for group in groups:
        if (stop := _STOP.search(item.answer, at, group[0].start)) is None:
            shift = len(answer) - at
            marks += [replace(mark, start=mark.start + shift, end=mark.end + shift) for mark in group]
            continue
        answer += item.answer[at : stop.start()] + " "
        for mark in group:
            begin = len(answer)
            answer += f"[{mark.number}]"
            marks.append(replace(mark, start=begin, end=len(answer)))
        answer, at = answer + stop[1], group[-1].end
        changes.append((stop.start(), at, len(answer) - at))

    def moved(place: int, *, is_end: bool) -> int:
        """Return the new offset of a sentence's limit; one inside a changed stretch moves to its end."""
        before = (one for one in reversed(changes) if one[0] < place or (is_end and one[0] == place))
        _, end, shift = next(before, (0, 0, 0))
        return max(place, end) + shift

    limits = [(moved(one.start, is_end=False), moved(one.end, is_end=True)) for one in item.sentences]
    places = list(chain.from_iterable(limits))
    if places != sorted(places):
        return item
    kept = tuple(Span(*limit) for limit in limits)
    return replace(item, answer=answer + item.answer[at:], marks=tuple(marks), sentences=kept)
