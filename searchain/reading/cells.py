"""Keep a span within one cell of a row of a table, which passages write as ``Name: cell; Name: cell``."""

from __future__ import annotations

import re

_CELL = re.compile(r"[^:;\n]{1,60}: ([^;\n]+)")
_ROW = re.compile(rf"(?m)^{_CELL.pattern}(?:; {_CELL.pattern})+$")


def within_cell(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut the span ``start``, ``end`` to the value of the cell where it begins; outside of rows it is unchanged.

    >>> row = "Name: Carla Benedetti; Room: C03; Extension: 4415"
    >>> start, end = within_cell(row, row.index("Room"), row.index("sion"))
    >>> row[start:end]
    'C03'
    """
    line = text.rfind("\n", 0, start) + 1
    row = _ROW.match(text, line)
    if row is None:
        return start, end
    for cell in _CELL.finditer(text, line, row.end()):
        if start < cell.end():
            first, last = cell.span(1)
            return max(start, first), min(end, last) if end > first else last
    return start, end
