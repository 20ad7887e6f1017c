"""Write the cells of a sheet of a workbook as tables, each cell with its name. Runs in the child process only."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from searchain.documents.parsed import BlockKind
from searchain.documents.tables import MAX_COLUMNS, Cell, put_rows
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused

MAX_CELLS = 500_000
"""Most cells with words of one workbook."""
_EMPTY = Cell("")


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """A cell with words."""

    row: int
    """From 1."""
    column: int
    """From 1."""
    text: str
    is_name: bool = False
    """Whether it is marked as the name of a column, as in bold."""
    is_value: bool = False
    """Whether it holds a number or a date."""
    rows: int = 1
    """How many rows it covers, if it is merged."""
    columns: int = 1

    @property
    def bottom(self) -> int:
        return self.row + self.rows - 1

    @property
    def right(self) -> int:
        return self.column + self.columns - 1

    @property
    def label(self) -> str:
        """Such as ``B4`` or ``B4:B6``."""
        first, is_merged = name_of(self.row, self.column), self.rows * self.columns > 1
        return f"{first}:{name_of(self.bottom, self.right)}" if is_merged else first


@dataclass(slots=True)
class Sheet:
    """One sheet as it is read."""

    name: str
    is_hidden: bool = False
    cells: list[Filled] = field(default_factory=list)
    comments: list[tuple[str, str, str]] = field(default_factory=list)
    """(the name of the cell, who wrote it, its words)."""
    others: list[str] = field(default_factory=list)
    """The words beside the cells, as in a text box."""

    def write(self, writer: Writer) -> None:
        """Write the name of the sheet as a heading, then its tables and what else it holds.

        Raises:
            DocumentRefused: there are too many cells.
        """
        if not (self.cells or self.comments or self.others):
            return
        writer.label(self.name)
        writer.put_title(self.name, is_hidden=self.is_hidden)
        for table in _tables(self.cells):
            self._write_table(table, writer)
        for cell, author, words in self.comments:
            text = f"Comment by {author or 'a reader'} on {cell}: {words}"
            writer.put_block(BlockKind.PARAGRAPH, text, labels=((0, f"{self.name}!{cell}"),))
        for text in self.others:
            writer.put_block(BlockKind.PARAGRAPH, text, labels=((0, self.name),))

    def _write_table(self, cells: Sequence[Filled], writer: Writer) -> None:
        rows = [list(row) for _, row in itertools.groupby(cells, key=lambda cell: cell.row)]
        while rows and len(rows[0]) == 1:
            [title] = rows.pop(0)
            label = f"{self.name}!{title.label}"
            writer.put_block(BlockKind.PARAGRAPH, title.text, labels=((0, label),))
        for grid in self._grids(_with_heads(rows)):
            put_rows(grid, writer)

    def _grids(self, rows: Sequence[Sequence[Filled]]) -> Iterator[list[list[Cell]]]:
        """Put rows into a grid of the columns that are used; rows of too many columns become tables of one row."""
        columns = sorted({cell.column for row in rows for cell in row})
        if len(columns) > MAX_COLUMNS:
            yield from ([[self._cell(cell, 1, 1) for cell in row]] for row in rows)
            return
        numbers = [row[0].row for row in rows]
        covered: dict[int, int] = {}
        yield [self._row(row, columns, numbers, covered) for row in rows]

    def _row(
        self, row: Sequence[Filled], columns: Sequence[int], numbers: Sequence[int], covered: dict[int, int]
    ) -> list[Cell]:
        """Put one row into the grid of ``columns`` and the rows ``numbers``.

        Args:
            covered: column → the last row in which a cell from above covers it; this row's cells are added.
        """
        number, filled = row[0].row, {cell.column: cell for cell in row}
        is_across = len(row) == 1 and len(columns) > 1 and row[0].column == columns[0] and not row[0].is_value
        written: list[Cell] = []
        until = 0
        for column in columns:
            if column <= until or covered.get(column, 0) >= number:
                continue
            if (cell := filled.get(column)) is None:
                written.append(_EMPTY)
                continue
            until = columns[-1] if is_across else cell.right
            width = bisect_right(columns, until) - bisect_left(columns, column)
            written.append(self._cell(cell, width, bisect_right(numbers, cell.bottom) - bisect_left(numbers, number)))
            if cell.rows > 1:
                covered |= {one: cell.bottom for one in columns if column <= one <= until}
        return written

    def _cell(self, cell: Filled, columns: int, rows: int) -> Cell:
        return Cell(cell.text, cell.is_name, columns, rows, f"{self.name}!{cell.label}")


def name_of(row: int, column: int) -> str:
    """Return the name of a cell, such as ``AB12``.

    >>> name_of(12, 28)
    'AB12'
    """
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def check_count(cells: int) -> None:
    """Raise ``DocumentRefused`` if a workbook has too many cells."""
    if cells > MAX_CELLS:
        raise DocumentRefused("too_large", f"The workbook has more than {MAX_CELLS:,} cells with words; split it.")


def _with_heads(rows: Sequence[Sequence[Filled]]) -> list[Sequence[Filled]]:
    """Mark the first row as names if it holds words and a column of three or more only values below.

    Of the rows below, one with values, such as a total in bold, names no column.
    """
    columns = {cell.column for row in rows for cell in row}
    if len(columns) < 3:
        return list(rows)
    first, below = rows[:1], [_without_marks(row) for row in rows[1:]]
    texts = {cell.column for row in below for cell in row if not cell.is_value}
    values = {cell.column for row in below for cell in row if cell.is_value}
    named = {cell.column for row in first for cell in row if not cell.is_value}
    if len(named) > 1 and named & (values - texts) and columns - named <= {min(columns)}:
        return [[replace(cell, is_name=True) for cell in first[0]], *below]
    return [*first, *below]


def _without_marks(row: Sequence[Filled]) -> Sequence[Filled]:
    if not any(cell.is_value for cell in row):
        return row
    return [replace(cell, is_name=False) if cell.is_name else cell for cell in row]


def _tables(cells: Sequence[Filled]) -> Iterator[list[Filled]]:
    """Part the cells of a sheet at blank rows, and at blank columns with a table on both sides; yield row by row."""
    for band in _parted(cells, lambda cell: (cell.row, cell.bottom)):
        sides: list[list[Filled]] = []
        for group in _parted(band, lambda cell: (cell.column, cell.right)):
            if sides and _is_table(sides[-1]) and _is_table(group):
                sides.append(group)
            else:
                sides[-1:] = [[*sides[-1], *group] if sides else group]
        if len(sides) == 1:
            yield sorted(sides[0], key=lambda cell: (cell.row, cell.column))
        else:
            yield from itertools.chain.from_iterable(map(_tables, sides))


def _is_table(cells: Sequence[Filled]) -> bool:
    """Tell whether cells make a table of their own: several columns, of which the first holds words."""
    first = min(cell.column for cell in cells)
    labels = [cell for cell in cells if cell.column == first]
    return any(cell.column > first for cell in cells) and 2 * sum(not cell.is_value for cell in labels) > len(labels)


def _parted(cells: Sequence[Filled], extent: Callable[[Filled], tuple[int, int]]) -> Iterator[list[Filled]]:
    """Part cells where a row (or a column) between them is blank; ``extent`` gives the first and the last of a cell."""
    group: list[Filled] = []
    until = 0
    for cell in sorted(cells, key=extent):
        first, last = extent(cell)
        if group and first > until + 1:
            yield group
            group = []
        group.append(cell)
        until = max(until, last)
    if group:
        yield group
