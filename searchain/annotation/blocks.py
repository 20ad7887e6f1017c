"""Cut an answer in Markdown into sentences: a table row counts as one, headings and code do not count."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from searchain.annotation.protocol import Item
from searchain.language import sentences
from searchain.types import Span

_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s|$)|^\s*\*\*[^*\n]+\*\*:?\s*$")
_RULE = re.compile(r"^\s*(?:[-*_]\s*){3,}$")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_DIVIDER = re.compile(r"^\s*(?:\|\s*)?:?-{2,}:?(?:\s*\|\s*:?-{2,}:?)*(?:\s*\|)?\s*$")
_LEAD = re.compile(r"^\s*(?:>\s*)*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)?")


def split(text: str) -> tuple[Span, ...]:
    """Return the sentences of an answer in order, as half-open offsets; plain prose is cut by ``sentences.split``.

    >>> split("# Cities\\n- Kyoto is old.\\n")
    (Span(start=11, end=24),)
    """
    found: list[Span] = []
    for stretch, is_row in _stretches(text):
        if is_row:
            found.append(_trimmed(text, stretch, " \t\r\n|"))
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


def _trimmed(text: str, span: Span, edges: str) -> Span:
    piece = text[span.start : span.end].rstrip(edges)
    return Span(span.start + len(piece) - len(piece.lstrip(edges)), span.start + len(piece))


_STOP = re.compile(r"(?<![.!?…])([.!?…]+[\"”’)]?)[ \t]*\Z")


def marks_before_stops(item: Item) -> Item:
    """Put the marks that follow a full stop before it, with one space before the first.

    ``Kyoto is old. [1]`` and ``Kyoto is old.[1]`` become ``Kyoto is old [1].`` Other marks stay where they are.
    """
    answer, marks = item.answer, list(item.marks)
    spans = [(one.start, one.end) for one in item.sentences]
    at = 0
    while at < len(marks):
        last = at
        while last + 1 < len(marks) and not answer[marks[last].end : marks[last + 1].start].strip(" \t"):
            if "\n" in answer[marks[last].end : marks[last + 1].start]:
                break
            last += 1
        stop = _STOP.search(answer, 0, marks[at].start)
        if stop is not None and stop.end() == marks[at].start:
            begin, end = stop.start(), marks[last].end
            body = "".join(f"[{one.number}]" for one in marks[at : last + 1])
            changed = f" {body}{stop[1]}"
            place = begin + 1
            for number in range(at, last + 1):
                width = len(f"[{marks[number].number}]")
                marks[number] = replace(marks[number], start=place, end=place + width)
                place += width
            shift = len(changed) - (end - begin)
            answer = answer[:begin] + changed + answer[end:]
            marks[last + 1 :] = [
                replace(one, start=one.start + shift, end=one.end + shift) for one in marks[last + 1 :]
            ]
            spans = [
                (_moved(start, begin, end, shift, is_end=False), _moved(stop_, begin, end, shift, is_end=True))
                for start, stop_ in spans
            ]
        at = last + 1
    kept = tuple(Span(start, end) for start, end in spans)
    if any(one.start > one.end for one in kept):
        return item
    return replace(item, answer=answer, marks=tuple(marks), sentences=kept)


def _moved(place: int, begin: int, end: int, shift: int, *, is_end: bool) -> int:
    """Return the new offset of a limit after ``[begin, end)`` grew by ``shift``; one inside moves to the end."""
    if place <= begin and not (is_end and place == begin):
        return place
    return max(place, end) + shift
