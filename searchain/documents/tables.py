"""Write rows of tables so that each can be understood alone, and read CSV files."""

import csv
import io
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from searchain.documents.decoding import decode
from searchain.documents.parsed import BlockKind
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused

MAX_ROWS = 200_000
MAX_FIELD = 1_000_000
"""Most characters of one cell."""
MAX_COLUMNS = 250
"""Most columns that merged cells may cover."""
_SAY_NOTHING = frozenset(("value", "values", "data", "detail", "details", "description", "information"))
"""Names (in lower case) of a second column that holds values, while the first column holds their names."""
MOST_HEADS = 3
"""Most rows of names below one another."""
_VALUE = re.compile(r"[\d$€£¥%(+-]")  # matches the beginning of a value, which is not a column name


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """A cell of a table, which may cover several columns and rows."""

    text: str
    is_name: bool = False
    """Whether it is marked as the name of a column, of a row or of the next cell."""
    columns: int = 1
    rows: int = 1
    label: str = ""
    """What people call it, such as ``Costs!B4``."""
    is_value: bool | None = None
    """Whether it holds a number or a date, if the file says so."""

    @property
    def holds_value(self) -> bool:
        """Whether it holds a value, by its beginning if the file does not say so."""
        return is_value(self.text) if self.is_value is None else self.is_value


@dataclass(frozen=True, slots=True)
class Line:
    """A row as it is written."""

    text: str
    added: tuple[tuple[int, int], ...] = ()
    """The ranges of column names, which do not stand in this row."""
    level: int = 0
    """As in ``Block``."""
    labels: tuple[tuple[int, str], ...] = ()
    """Where each cell with a label begins, and its label."""


Row = tuple[Cell | None, ...]
"""The cell in each column of the grid, ``None`` where there is none; a merged cell comes several times."""


def lines_of(grid: Sequence[Row]) -> Iterator[Line]:
    """Write each row as ``Name: cell; Name: cell``, or as ``cell | cell`` if the columns have no names.

    A value gets a name only if its row fits the grid of the table. The name of a merged header comes before the names
    below it. In a row without column names, a cell that is marked as a name stands before the cells up to the next one.
    Under ``Property | Value`` a row is ``cell: cell``.
    """
    rows = [row for row in grid if any(cell and cell.text for cell in row)]
    while rows and _is_across(rows[0]):
        yield _joined(_cells(rows.pop(0)))
    for some in _sections(rows):
        count = _heads(some)
        names = _names(some[:count])
        for row in some[:count]:
            yield replace(_joined(_cells(row)), level=1 if names else 0)
        for row in some[count:]:
            yield _line(row, names)


def _sections(rows: Sequence[Row]) -> list[Sequence[Row]]:
    """Part a table before each marked row of names, where these are the same again, or above one row of values each.

    A row in bold that is none of names has a value where the other rows have one.
    """
    pairs = enumerate(itertools.pairwise(rows))
    starts = [n for n, (row, below) in pairs if _is_marked(row) and not _is_marked(below) and not _holds_value(row)]
    sections = [rows[start:end] for start, end in itertools.pairwise([*starts, len(rows)])]
    names = {tuple(cell.text for cell, _ in _cells(some[0])) for some in sections}
    are_by_turns = all(len(some) == 2 and _holds_value(some[1]) for some in sections)
    is_parted = starts[:1] == [0] and (len(names) == 1 or are_by_turns)
    return sections if is_parted else [rows]


def put_rows(table: Sequence[Sequence[Cell]], writer: Writer) -> None:
    """Write the rows of a table as blocks."""
    put_lines(lines_of(grid_of(table)), writer)


def put_lines(lines: Iterable[Line], writer: Writer) -> None:
    for line in lines:
        writer.put_block(BlockKind.TABLE_ROW, line.text, level=line.level, added=line.added, labels=line.labels)


def grid_of(table: Sequence[Sequence[Cell]]) -> list[Row]:
    """Put the cells into columns, each merged cell into all that it covers; every row has the same length."""
    rows: list[list[Cell | None]] = []
    covered: dict[int, tuple[Cell, int]] = {}
    """Column → a cell from above that covers it, and how many more rows it covers."""
    for cells in table:
        row: list[Cell | None] = []
        coming = iter(cells)
        while True:
            if len(row) in covered:
                cell, left = covered.pop(len(row))
                if left > 1:
                    covered[len(row)] = cell, left - 1
                row.append(cell)
            elif (new := next(coming, None)) is not None:
                for _ in range(min(new.columns, max(1, MAX_COLUMNS - len(row)))):
                    if new.rows > 1:
                        covered[len(row)] = new, new.rows - 1
                    row.append(new)
            elif any(column > len(row) for column in covered):
                row.append(None)
            else:
                break
        rows.append(row)
    width = max((len(row) for row in rows if len(set(row)) > 1), default=1)  # one cell may claim any number of columns
    return [tuple(row[:width]) + (None,) * (width - len(row)) for row in rows]


def _cells(row: Row) -> list[tuple[Cell, range]]:
    """Return the cells of a row that have text, each with the columns that it covers."""
    found, column = [], 0
    for cell, same in itertools.groupby(row):
        columns = range(column, column + len(list(same)))
        column = columns.stop
        if cell and cell.text:
            found.append((cell, columns))
    return found


def _is_across(row: Row) -> bool:
    """Tell whether one cell covers the whole row, as a caption or the heading of a section does."""
    return len(row) > 1 and len(set(row)) == 1


def _heads(rows: Sequence[Row]) -> int:
    """Return how many of the first rows name the columns."""
    marked = list(itertools.takewhile(_is_marked, rows))
    if len(marked) == len(rows):  # nothing differs from the names, so that the marks say nothing
        return 0
    if heads := len(marked) or _merged_heads(rows):
        return heads
    if not rows or any(cell.is_name for cell, _ in _cells(rows[0])):
        return 0
    return int(_looks_like_names([[cell.text if cell else "" for cell in row] for row in rows]))


def _merged_heads(rows: Sequence[Row]) -> int:
    """Return how many of the first rows name the columns, of which the upper ones have names of several columns.

    Below each of these its columns have names of their own. All columns, but perhaps the first, have a name, and one
    holds nothing but values below. The names may look like values only if two cells reach from the first to the last
    row of names.
    """
    depth = next((n for n, row in enumerate(rows[:MOST_HEADS], 1) if not _groups(row, rows[n : n + 1])), 0)
    heads, below = rows[:depth], [row for row in rows[depth:] if not _is_across(row)]
    if depth < 2 or len(below) < 2 or not _are_nested(heads) or _is_alone(heads[0], heads[-1]):
        return 0
    reach = {cell for cell, _ in _cells(heads[0])} & {cell for cell, _ in _cells(heads[-1])}
    is_clear = len(reach) > 1 or not any(cell.holds_value for row in heads for cell, _ in _cells(row))
    return depth if is_clear and _has_column_of_values(below) and not reach.intersection(below[0]) else 0


def _is_alone(top: Row, bottom: Row) -> bool:
    """Tell whether the first of several rows is a header by itself, because the next one begins a new first column."""
    return bottom[0] is not None and bool(bottom[0].text) and top[0] not in (bottom[0], top[1])


def _has_column_of_values(rows: Sequence[Row]) -> bool:
    columns = [[cell for cell in column if cell and cell.text] for column in zip(*rows, strict=True)]
    return any(column and all(cell.holds_value for cell in column) for column in columns)


def _groups(row: Row, below: Sequence[Row]) -> list[range]:
    """Return the columns of each cell that covers several, but not down into the row ``below``."""
    under = {cell for other in below for cell in other}
    return [columns for cell, columns in _cells(row) if len(columns) > 1 and cell not in under]


def _are_nested(heads: Sequence[Row]) -> bool:
    """Tell whether all columns, but perhaps the first, have a name, and those below one cell different names."""
    if not all(_names(heads)[1:]):
        return False
    for row, below in itertools.pairwise(heads):
        for columns in _groups(row, [below]):
            names = [cell.text for cell, _ in _cells(below[columns.start : columns.stop])]
            if not len(set(names)) == len(names) > 1:
                return False
    return not any(map(_is_across, heads))


def _is_marked(row: Row) -> bool:
    """Tell whether all cells of a whole row are marked as names."""
    cells = _cells(row)
    return None not in row and len(cells) > 1 and all(cell.is_name for cell, _ in cells)


def _holds_value(row: Row) -> bool:
    return any(_VALUE.match(cell.text) for cell, _ in _cells(row))


def _looks_like_names(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first of ``rows`` names the columns, though nothing marks it.

    In a table of pairs the columns would be a name and a value, again and again. So an even number of columns needs a
    column that holds nothing but values below its name.
    """
    first, *below = rows
    columns = [[cell for cell in column if cell] for column in zip(*below, strict=True)]
    of_values = [bool(column) and all(map(_VALUE.match, column)) for column in columns]
    if len(below) == 1:
        return _could_name(first) and len(first) > 2 and any(of_values[::2])
    return is_header(rows) and (len(first) % 2 == 1 or any(of_values))


def _names(heads: Sequence[Row]) -> list[str]:
    """Return the names of the columns, from top to bottom."""
    columns = zip(*heads, strict=True)
    return [" ".join(dict.fromkeys(cell.text for cell in column if cell and cell.text)) for column in columns]


def _line(row: Row, names: Sequence[str]) -> Line:
    """Write one row; ``names`` are the column names, if any."""
    cells = _cells(row)
    if _is_across(row) or (names and (None in row or len(row) != len(names))):
        return _joined(cells)
    if is_of_pairs(names):
        return _joined(cells, ": ")
    return written(_named(cells, names) if names else _paired([cell for cell, _ in cells]))


def _joined(cells: Sequence[tuple[Cell, range]], between: str = " | ") -> Line:
    return written((between, "", cell) for cell, _ in cells)


def written(parts: Iterable[tuple[str, str, Cell]]) -> Line:
    """Write cells, each with what parts it from the one before and the name to add."""
    text, added, labels = "", [], []
    for between, name, cell in parts:
        text += between if text else ""
        if cell.label:
            labels.append((len(text), cell.label))
        if name:
            added.append((len(text), len(text) + len(name)))
        text += name + cell.text
    return Line(text, tuple(added), labels=tuple(labels))


def _named(cells: Sequence[tuple[Cell, range]], names: Sequence[str]) -> Iterator[tuple[str, str, Cell]]:
    """Give each cell of a row the name of its column; those of a merged cell are joined."""
    for cell, columns in cells:
        is_label = columns.start == 0 and len(columns) > 1  # such as "Total" before the column of sums
        name = "" if is_label else ", ".join(filter(None, dict.fromkeys(names[n] for n in columns)))
        yield "; ", f"{name}: " if name else "", cell


def _paired(cells: Sequence[Cell]) -> Iterator[tuple[str, str, Cell]]:
    """Part the cells of a row without column names, ``Name: cell; Name: cell`` where cells are marked as names."""
    are_names = all(cell.is_name for cell in cells)
    for before, cell in itertools.pairwise((None, *cells)):
        assert cell is not None
        between = " | " if are_names or not cell.is_name else "; "
        if before is not None and before.is_name and not cell.is_name:
            between = " " if before.text.endswith(":") else ": "
        yield between, "", cell


def is_of_pairs(names: Sequence[str]) -> bool:
    """Tell whether a table with these columns lists properties with their values."""
    return len(names) == 2 and names[1].lower() in _SAY_NOTHING


def is_header(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first of ``rows`` names the columns."""
    return len(rows) > 2 and _could_name(rows[0])


def _could_name(cells: Sequence[str]) -> bool:
    return 1 < len(cells) == len(set(cells)) and all(
        cell and len(cell.split()) <= 8 and not cell.endswith(":") and not _VALUE.match(cell) for cell in cells
    )


def is_value(text: str) -> bool:
    """Tell whether a cell holds a number or another value."""
    return bool(_VALUE.match(text))


def read(content: bytes, writer: Writer) -> None:
    """Write the rows of a CSV file, whose cells are separated by commas, semicolons, tabs or bars."""
    text = decode(content)
    csv.field_size_limit(MAX_FIELD)
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:20_000], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), dialect):
            if len(rows) == MAX_ROWS:
                raise DocumentRefused("too_large", f"The table has more than {MAX_ROWS:,} rows; split it.")
            rows.append([" ".join(cell.split()) for cell in row])
    except csv.Error as error:
        raise DocumentRefused("failed", f"The table cannot be read: {error}.") from error
    filled = [row for row in rows if any(row)]
    names = filled[0] if filled and _has_names(filled) else []
    if names:
        writer.put_block(BlockKind.TABLE_ROW, " | ".join(names), level=1)
    for row in filled[bool(names) :]:
        line = _line(tuple(map(Cell, row)), names)
        writer.put_block(BlockKind.TABLE_ROW, line.text, added=line.added)


def _has_names(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row of a CSV file names the columns; above a single row of words it could be a row."""
    return is_header(rows) or (len(rows) == 2 and _could_name(rows[0]) and any(map(is_value, rows[1])))
