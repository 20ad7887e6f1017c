"""Split text into sentences, given as offsets, by the ``sentencex`` library."""

import re

from searchain.language.descriptions import after_description

HEADING = 60
"""Most characters of a line that may be a heading."""
_JOINING = frozenset("a an and as at by for from in is of on or the to was were with".split())
"""A line that ends with one of these words goes on in the next."""
_NUMBERED = re.compile(r"(\([^()]*\d)\)")
"""Matches brackets that a number ends: sentencex takes "2023)" for a list's number, so it gets "2023,"."""
_ITEM = re.compile(r"\s*(?:§\s?\d+|\(?\d{1,3}[.)]|\d+(?:\.\d+)+\.?|\(?[a-zA-Z][.)]|[-*•–])\s+\S")
"""Matches the beginning of a list's item; a year at the start of a wrapped line does not match."""
_MARKER = re.compile(r"(?:\(?\d{1,3}[.)]\s+(?![a-z]|\w+\.?\s\d{4})|[-*•–]\s+)(?=\S)")
"""Matches the number or the sign of a list's item, but no part of "12. May 2023" or "3. place"."""
_SHORTER = 0.7
"""A heading is shorter than this share of the line below it; the lines of a wrapped paragraph are about as long as one
another."""
_GOING_ON = (":", ";", ",", "| ")
"""A sentence does not end before one of these, as in "Temp.: 50 °C", or before the next cell of a row."""
_ROW = 600
"""Most characters of a row of a table that is one sentence."""
_NAME = 8
"""Most words of the name of a column in such a row."""


def split(text: str) -> list[tuple[int, int]]:
    r"""Return half-open offsets of the sentences of ``text``, without white space around them, in order.

    A heading is a sentence of its own, and so is the short description before an article, whatever it ends with. The
    number of a list's item belongs to its first sentence. A row of a table with the names of its columns is one
    sentence.

    >>> split("Dr. Smith left. He was tired."), split("Money\nThe club spent it.")
    ([(0, 15), (16, 29)], [(0, 5), (6, 24)])
    >>> split("4. Pets. Dogs stay out.")
    [(0, 8), (9, 23)]
    >>> split("Short description: Lake in DR.\nIt is deep.")
    [(0, 30), (31, 42)]
    >>> split("Art. No.: 7; Max. temp.: 50 °C."), split("Up to max.; then go. Stop.")
    ([(0, 31)], [(0, 20), (21, 26)])
    """
    if lead := after_description(text):
        return [(0, len(text[:lead].rstrip())), *((lead + start, lead + end) for start, end in split(text[lead:]))]
    spans: list[tuple[int, int]] = []
    at = start = 0
    lines = text.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        is_row = _is_row(line)
        if is_row or _ITEM.match(line):  # sentencex takes the item of a list for one sentence, whatever it holds
            spans += _in_paragraph(text[start:at], start)
            start = at
        at += len(line) + 1
        if is_row or _is_heading(line, following):
            spans += [(start, start + len(line.rstrip()))] if is_row else _in_paragraph(text[start:at], start)
            start = at
    return spans + _in_paragraph(text[start:], start)


def after_marker(text: str, start: int) -> int:
    """Return where the words of the sentence at ``start`` begin, behind the number or sign of a list's item.

    >>> after_marker("Steps:\\n2. Stir it.", 7), after_marker("It has 2. Stir it.", 7), after_marker("Stir.", 0)
    (10, 7, 0)
    """
    marker = None if text[:start].rpartition("\n")[2].strip() else _MARKER.match(text, start)
    return marker.end() if marker else start


def _is_heading(line: str, following: str) -> bool:
    line, following = line.strip(), following.strip()
    if not line or len(line) > HEADING or line[-1] in ".,;:!?-" or line.split()[-1] in _JOINING:
        return False
    begins_anew = following[:1].isupper() or following[:1].isdigit()
    return begins_anew and len(line) < _SHORTER * len(following)


def _is_row(line: str) -> bool:
    """Tell whether a line is a row of a table, such as ``Name: cell; Name: cell``, whose cells hold no sentences."""
    parts = line.split("; ") if len(line) <= _ROW and line[:1].strip() else []
    pairs = [part.partition(": ") for part in parts]
    are_named = len(pairs) > 1 and all(name and colon and len(name.split()) <= _NAME for name, colon, _ in pairs)
    return are_named and not any(_holds_sentence(cell) for _, _, cell in pairs)


def _holds_sentence(cell: str) -> bool:
    """Tell whether another sentence follows a full stop in a cell, as none does in "Dr. No"."""
    before, stop, after = cell.partition(". ")
    return bool(stop) and len(before.split()) > 1 and after[:1].isupper()


def _is_item(text: str, start: int, end: int) -> bool:
    """Tell whether a range is no more than the number of a list's item: "4." before "Pets." at the start of a line."""
    number = text[start:end].strip("().§ ")
    is_short = number.replace(".", "").isdigit() or (len(number) == 1 and number.isalpha())
    return is_short and not text[:start].rpartition("\n")[2].strip()


def _in_paragraph(text: str, first: int) -> list[tuple[int, int]]:
    """Return the offsets of the sentences of a paragraph that begins at offset ``first``."""
    import sentencex  # here: the start of the command line need not pay for it

    # sentencex panics on some other white space before a full stop; one for one, offsets stay true
    text = "".join(" " if c.isspace() and not c.isascii() or c in "\x1c\x1d\x1e\x1f\x85" else c for c in text)
    text = _NUMBERED.sub(r"\1,", text)
    try:
        pieces = list(sentencex.segment("en", text))
    except BaseException as panic:
        if type(panic).__name__ != "PanicException":  # a Rust panic is no Exception, and must not end a run
            raise
        pieces = [text]
    spans: list[tuple[int, int]] = []
    at = 0
    for piece in pieces:
        at = text.index(piece, at)
        body = piece.strip()
        start = at + piece.find(body)
        is_end = body in {".", "!", "?"}  # the full stop behind a citation: "in the U.S. [1]."
        is_same_line = bool(spans) and "\n" not in text[spans[-1][1] - first : start]
        goes_on = is_end or (is_same_line and body.startswith(_GOING_ON))
        if spans and (goes_on or _is_item(text, spans[-1][0] - first, spans[-1][1] - first)):
            spans[-1] = (spans[-1][0], first + start + len(body))
        elif body:
            spans.append((first + start, first + start + len(body)))
        at += len(piece)
    return spans
