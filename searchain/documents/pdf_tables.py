"""Find the column names of the tables of a PDF, also where a table goes on over pages. All functions are pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from searchain.documents.parsed import BlockKind
from searchain.documents.pdf_layout import Piece
from searchain.documents.pdf_lines import Segment

_BETWEEN = 3
"""Most pieces, such as a note or a running head, between two parts of a table with the same columns."""
_APART = 2.5
"""Greatest distance of two lines of a table that has headings between its rows, in units of the font's size."""


@dataclass(frozen=True, slots=True)
class Named:
    """A row with the name of each cell's column."""

    head: Piece
    names: list[Segment]


def named_rows(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, Named]]:
    """Yield the rows of tables whose columns have names, with these names."""
    head: Piece | None = None
    last: Piece | None = None
    between = 0
    for part in _parts(pieces):
        found: list[tuple[Piece, Named]] = []
        if part[0].kind is BlockKind.TABLE_ROW:
            if part[0].level:
                head, part, between = part[0], part[1:], 0
            elif head and last and part[0].page == last.page and _base(part[0]) - _base(last) > _step(between, part[0]):
                head = None
            found = list(_named(head, part)) if head else []
        if 2 * len(found) >= len(part):
            yield from found
            last, between = part[-1] if part else head, 0
            continue
        between += len(part)
        if between > _BETWEEN:
            head = None


def _parts(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Part pieces by kind and page, and before each row that names columns."""
    part: list[Piece] = []
    for piece in pieces:
        is_head = piece.kind is BlockKind.TABLE_ROW and piece.level
        if part and (is_head or (part[0].kind, part[0].page) != (piece.kind, piece.page)):
            yield part
            part = []
        part.append(piece)
    if part:
        yield part


def _base(row: Piece) -> float:
    return row.lines[0].base


def _step(between: int, row: Piece) -> float:
    """Return the greatest distance of a row from the row above it where ``between`` lines stand between them."""
    return _APART * (between + 1) * row.lines[0].size


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
