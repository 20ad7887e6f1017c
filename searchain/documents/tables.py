"""Write rows of tables so that each can be understood alone, and read CSV files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from searchain.documents.decoding import decode
from searchain.documents.parsed import BlockKind
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused

MAX_ROWS = 200_000
MAX_FIELD = 1_000_000
"""Most characters of one cell."""
_SAY_NOTHING = frozenset(("value", "values", "data", "detail", "details", "description", "information"))
"""Names (in lower case) of a second column that holds values, while the first column holds their names."""
_VALUE = re.compile(r"[\d$€£¥%(+-]")
"""Matches the beginning of a value, which is not a column name."""


def with_header(rows: Sequence[Sequence[str]], has_header: bool) -> Iterator[tuple[str, int]]:
    """Yield each row as ``Name: cell; Name: cell``, or as ``cell | cell`` if the columns have no names.

    Under ``Property | Value`` a row is ``cell: cell``.

    With each row comes the level of its block: 1 where it names the columns, else 0.

    Args:
        has_header: the first row is marked as the header; otherwise it is one if no cell in it is empty, a number or
            repeated, and more rows follow.
    """
    filled = [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]
    if not filled:
        return
    names = filled[0] if has_header or is_header(filled) else []
    if names:
        yield " | ".join(name for name in names if name), 1
    for row in filled[bool(names) :]:
        yield _named(row, names), 0


def _named(row: Sequence[str], names: Sequence[str]) -> str:
    """Write one row; ``names`` are the column names, if any."""
    if len(row) == 2 and is_of_pairs(names):
        return ": ".join(filter(None, row))
    if 1 < len(row) <= len(names):
        pairs = zip(names, row, strict=False)
        return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)
    return " | ".join(filter(None, row))


def is_of_pairs(names: Sequence[str]) -> bool:
    """Tell whether a table with these columns lists properties with their values."""
    return len(names) == 2 and names[1].lower() in _SAY_NOTHING


def is_header(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first of ``rows`` names the columns."""
    first = rows[0]
    return (
        len(rows) > 2
        and len(first) > 1
        and len(set(first)) == len(first)
        and all(cell and len(cell.split()) <= 8 and not _VALUE.match(cell) for cell in first)
    )


def has_values(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether a column holds values, such as numbers, in more than half of ``rows``."""
    columns = zip(*(row for row in rows if len(row) == len(rows[0])), strict=True)
    return any(2 * sum(bool(_VALUE.match(cell)) for cell in column) > len(column) for column in columns)


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
    for text, level in with_header(rows, has_header=False):
        writer.put_block(BlockKind.TABLE_ROW, text, level=level)
