"""Find the column names of the tables of a PDF, also where a table goes on over pages. All functions are pure."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from searchain.documents.parsed import BlockKind
from searchain.documents.pdf_layout import Piece
from searchain.documents.pdf_lines import Segment
from searchain.documents.tables import has_values, is_header

_BETWEEN = 3
"""Most pieces, such as a note or a page number, between two parts of a table with the same columns."""


@dataclass(frozen=True, slots=True)
class Named:
    """A row with the name of each cell's column."""

    head: Piece
    names: list[Segment]


def named_rows(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, Named]]:
    """Yield the rows of tables whose first row names the columns, with these names."""
    head: Piece | None = None
    between = 0
    for (kind, _), group in itertools.groupby(pieces, key=lambda piece: (piece.kind, piece.page)):
        part = list(group)
        if kind is not BlockKind.TABLE_ROW:
            between += len(part)
            if kind is BlockKind.HEADING or between > _BETWEEN:
                head = None
            continue
        between = 0
        if _begins_with_names(part) or (head and _texts(part[0]) == _texts(head)):
            head, part = part[0], part[1:]
        if head:
            found = list(_named(head, part))
            if 2 * len(found) < len(part):
                head = None
                continue
            yield from found


def _texts(row: Piece) -> list[str]:
    return [line.text.strip() for line in row.lines]


def _begins_with_names(part: Sequence[Piece]) -> bool:
    cells = [_texts(row) for row in part]
    return is_header(cells) and has_values(cells[1:]) and not any(cell.endswith(":") for cell in cells[0])


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
