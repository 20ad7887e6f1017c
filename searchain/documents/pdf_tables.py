"""Find the column names of the tables of a PDF, also where a table goes on over pages. All functions are pure."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from searchain.documents.parsed import BlockKind
from searchain.documents.pdf_layout import Piece
from searchain.documents.pdf_lines import Segment
from searchain.documents.tables import has_values, is_header

_BETWEEN = 3
"""Most pieces, such as a note or a running head, between two parts of a table with the same columns."""


@dataclass(frozen=True, slots=True)
class Named:
    """A row with the name of each cell's column."""

    head: Piece
    names: list[Segment]


def named_rows(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, Named]]:
    """Yield the rows of tables whose first row names the columns, with these names."""
    head: Piece | None = None
    between = 0
    last = 0
    for (kind, page), group in itertools.groupby(pieces, key=lambda piece: (piece.kind, piece.page)):
        part = list(group)
        found: list[tuple[Piece, Named]] = []
        if kind is BlockKind.TABLE_ROW:
            again = [n for n, row in enumerate(part[:_BETWEEN]) if head and _texts(row) == _texts(head)]
            if again or _begins_with_names(part):
                at = again[0] if again else 0
                head, part, between = part[at], part[at + 1 :], 0
            found = list(_named(head, part)) if head else []
        if 2 * len(found) >= len(part):
            yield from found
            last, between = page, 0
            continue
        between += len(part)
        if (kind is BlockKind.HEADING and page == last) or between > _BETWEEN:
            head = None


def _texts(row: Piece) -> list[str]:
    return [line.text.strip() for line in row.lines]


def _begins_with_names(part: Sequence[Piece]) -> bool:
    cells = [_texts(row) for row in part]
    return (
        is_header(cells)
        and has_values(cells[1:])
        and len(cells[0]) >= statistics.median(map(len, cells))
        and not any(cell.endswith(":") for cell in cells[0])
    )


def _named(head: Piece, rows: Sequence[Piece]) -> Iterator[tuple[Piece, Named]]:
    """Yield each row whose cells all stand in a column of their own."""
    full = [row.lines for row in rows if len(row.lines) == len(head.lines)]
    columns = [
        (min(cell.left for cell in column), max(cell.right for cell in column))
        for column in zip(head.lines, *full, strict=True)
    ]
    for row in rows:
        numbers: list[int] = list(range(len(head.lines)))
        if len(row.lines) != len(numbers):
            numbers = [n for cell in row.lines for n in _columns_of(cell, columns)]
        if len(numbers) == len(set(numbers)) == len(row.lines):
            yield row, Named(head, [head.lines[n] for n in numbers])


def _columns_of(cell: Segment, columns: Sequence[tuple[float, float]]) -> list[int]:
    return [n for n, (left, right) in enumerate(columns) if min(cell.right, right) > max(cell.left, left)]
