"""Put the rows of a document's tables together again from its passages.

A passage writes a row as ``Name: cell; Name: cell`` (``documents.tables``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from searchain.language import text
from searchain.language.amounts import Value, value_of_cell
from searchain.types import Passage, Span

BETWEEN, NAMED = "; ", ": "
LABEL = " "
"""The name of the column of a first cell that has none, such as "Total" over several columns."""
VALUES = "value"
"""The name of the second column in a table of names and values."""
_TOTALS = frozenset("total totals sum sums subtotal altogether".split())
_MOSTLY = 2 / 3  # the share of a column's cells that must be values of one kind
_FEWEST = 3  # the rows above one without a name that count as summed up: of fewer the numbers may agree by chance


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell, and where it stands."""

    text: str
    passage: Passage
    span: Span

    @property
    def value(self) -> Value | None:
        return value_of_cell(self.text)


Row = Mapping[str, Cell]
"""Name of a column → its cell; an empty cell is missing."""


@dataclass(slots=True, eq=False)
class Table:
    """A table with at least two rows; one that sums up the others is not among them."""

    title: str
    rows: list[Row] = field(default_factory=list)

    @property
    def heading(self) -> str:
        return ", ".join((self.title, *self.columns))

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for row in self.rows for name in row))

    def label(self, row: Row) -> Cell:
        """Return the cell that names a row: the first that is neither a day nor an amount."""
        return next((cell for cell in row.values() if cell.value is None), next(iter(row.values())))

    def cells(self, column: str) -> list[Cell]:
        return [row[column] for row in self.rows if column in row]

    def has_values(self, column: str, *, are_times: bool) -> bool:
        """Tell whether the column holds amounts, or days and years."""
        cells = self.cells(column)
        values = [value for cell in cells if (value := cell.value)]
        is_of_times = bool(values) and all(value.is_time for value in values)
        return len(values) > 1 and len(values) >= _MOSTLY * len(cells) and is_of_times == are_times

    def closed(self) -> Table:
        """Return the table without the rows that sum up others."""
        named = [row for row in self.rows if _TOTALS.isdisjoint(text.tokens(next(iter(row.values())).text))]
        is_summed = len(named) > _FEWEST and _sums_up(named[-1], named[:-1])
        return Table(self.title, named[:-1] if is_summed else named)


def _sums_up(last: Row, above: Sequence[Row]) -> bool:
    """Tell whether all amounts of the last row are the sums of those above."""
    amounts = {name: value.amount for name, cell in last.items() if (value := cell.value) and not value.is_time}
    return bool(amounts) and all(
        amount == sum(value.amount for row in above if name in row and (value := row[name].value))
        for name, amount in amounts.items()
    )


def tables_of(passages: Iterable[Passage]) -> list[Table]:
    """Return the tables of one document, whose passages come in order."""
    found: list[Table] = []
    names: set[str] = set()
    was_pair = False
    for passage in passages:
        for row, is_pair in _rows(passage):
            is_next = bool(found) and found[-1].title == passage.title
            if not row or not (is_next and (names & set(row) or (is_pair and was_pair))):
                found.append(Table(passage.title))
                names = set()
            if row:
                found[-1].rows.append(row)
                names |= set(row)
            was_pair = is_pair
    closed = [_turned(one).closed() for one in found]
    return [one for one in closed if len(one.rows) > 1]


def _turned(table: Table) -> Table:
    """Return a table of names and values with these as its two columns; other tables are unchanged."""
    if any(len(row) > 1 for row in table.rows) or len(table.columns) * 2 <= len(table.rows):
        return table
    rows: list[Row] = []
    for row in table.rows:
        ((name, cell),) = row.items()
        at = cell.span.start - len(NAMED) - len(name)
        rows.append({"": Cell(name, cell.passage, Span(at, at + len(name))), VALUES: cell})
    return Table(table.title, rows)


def _rows(passage: Passage) -> Iterator[tuple[Row, bool]]:
    """Yield the row of each line, empty for other lines, and whether it has one name with one value."""
    start = 0
    for line in passage.text.split("\n"):
        parts = line.split(BETWEEN)
        row: dict[str, Cell] = {}
        twice: set[str] = set()  # a name of two columns says which cell is meant in neither
        at = start
        for number, part in enumerate(parts):
            name, found, said = part.partition(NAMED)
            if not found:
                name, said = "" if number else LABEL, part
            if name and said:
                first = at + len(part) - len(said)
                twice |= {name} & set(row)
                row[name] = Cell(said, passage, Span(first, first + len(said)))
            at += len(part) + len(BETWEEN)
        row = {name: cell for name, cell in row.items() if name not in twice}
        yield ({} if list(row) == [LABEL] else row), len(row) == 1
        start += len(line) + 1
