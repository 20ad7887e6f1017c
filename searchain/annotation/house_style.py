"""Put the marks at the end of a sentence in the same place for every system, so that it does not reveal the author."""

import re
from dataclasses import replace

from searchain.annotation.protocol import Item
from searchain.types import Span

_STOP = re.compile(r"(?<![.!?…])([.!?…]+[\"”’)]?)[ \t]*\Z")


def marks_before_stops(item: Item) -> Item:
    """Put the marks that follow a full stop before it, with one space before the first.

    ``Kyoto is old. [1]`` and ``Kyoto is old.[1]`` become ``Kyoto is old [1].`` Other marks stay where they are.
    """
    answer, marks = item.answer, list(item.marks)
    sentences = [(one.start, one.end) for one in item.sentences]
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
            sentences = [
                (_moved(start, begin, end, shift, is_end=False), _moved(stop_, begin, end, shift, is_end=True))
                for start, stop_ in sentences
            ]
        at = last + 1
    kept = tuple(Span(start, end) for start, end in sentences)
    if any(one.start > one.end for one in kept):
        return item
    return replace(item, answer=answer, marks=tuple(marks), sentences=kept)


def _moved(place: int, begin: int, end: int, shift: int, *, is_end: bool) -> int:
    """Return the new offset of a limit after ``[begin, end)`` grew by ``shift``; one inside moves to the end."""
    if place <= begin and not (is_end and place == begin):
        return place
    return max(place, end) + shift
