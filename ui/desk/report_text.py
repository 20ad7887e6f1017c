"""The report's tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from searchain.safe_text import one_line
from ui.desk.report_tables import Table

WIDTH = 120
_LONGEST = 60
"""Characters of a cell."""


def lines(tables: Iterable[Table]) -> Iterator[str]:
    """Each table with its heading and note, an empty line between two."""
    for number, table in enumerate(tables):
        if number:
            yield ""
        yield table.title
        rows = [tuple(_cell(cell) for cell in row) for row in (table.head, *table.rows)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        yield from wrap(table.note, WIDTH)


def _cell(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
