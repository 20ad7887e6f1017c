"""Where an answer in Markdown is cut into sentences: a row of a table is one; a heading and code are not."""

from __future__ import annotations

import re

from searchain.language import sentences
from searchain.types import Span

_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s|$)|^\s*\*\*[^*\n]+\*\*:?\s*$")
_RULE = re.compile(r"^\s*(?:[-*_]\s*){3,}$")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_DIVIDER = re.compile(r"^\s*(?:\|\s*)?:?-{2,}:?(?:\s*\|\s*:?-{2,}:?)*(?:\s*\|)?\s*$")
_LEAD = re.compile(r"^\s*(?:>\s*)*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)?")


def split(text: str) -> tuple[Span, ...]:
    """The sentences of an answer, in order, as half-open offsets; plain prose is cut as everywhere else.

    >>> split("# Cities\\n- Kyoto is old.\\n")
    (Span(start=11, end=24),)
    """
    found: list[Span] = []
    prose: tuple[int, int] | None = None

    def flush() -> None:
        nonlocal prose
        if prose is not None:
            found.extend(Span(prose[0] + start, prose[0] + end) for start, end in sentences.split(text[slice(*prose)]))
        prose = None

    lines, at, is_code = text.splitlines(keepends=True), 0, False
    for number, line in enumerate(lines):
        start, at = at, at + len(line)
        below = lines[number + 1] if number + 1 < len(lines) else ""
        if _FENCE.match(line) or is_code:
            is_code ^= bool(_FENCE.match(line))
            flush()
        elif not line.strip() or _HEADING.match(line) or _RULE.match(line) or _DIVIDER.match(line):
            flush()
        elif _ROW.match(line):
            flush()
            if not _DIVIDER.match(below):  # the head of a table
                found.append(_trimmed(text, start, at, " \t\r\n|"))
        else:
            lead = _LEAD.match(line)
            skipped = lead.end() if lead else 0
            if skipped and lead and lead[0].strip():
                flush()
                prose = (start + skipped, at)
            else:
                prose = (prose[0] if prose else start, at)
    flush()
    return tuple(span for span in found if span.start < span.end)


def _trimmed(text: str, start: int, end: int, edges: str) -> Span:
    piece = text[start:end].rstrip(edges)
    return Span(start + len(piece) - len(piece.lstrip(edges)), start + len(piece))
