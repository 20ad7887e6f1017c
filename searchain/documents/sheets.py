"""Write the cells of a sheet as tables, each cell with its name, and numbers as a spreadsheet shows them."""

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext
from functools import lru_cache
from typing import NamedTuple

from babel.dates import format_datetime
from babel.numbers import parse_pattern

from searchain.documents.parsed import BlockKind
from searchain.documents.tables import MAX_COLUMNS, Cell, Row, lines_of, put_lines, put_rows
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 14: "yyyy-mm-dd",
    15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 41: "#,##0", 42: "$#,##0", 43: "#,##0.00", 44: "$#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss",
    47: "mm:ss", 48: "0.0E+0",
}  # fmt: skip
"""Number of a format that no workbook spells out → its code. A date in the system's form is written as ISO 8601."""
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<currency>[^][-]*)(?:-[^][]*)?\]|[_*].|\[(?P<elapsed>h+|m+|s+)\]|\[[^][]*\]'
    r"|(?P<half>AM/PM|A/P)|(?P<date>y+|m+|d+|h+|s+)|(?P<general>General)"
    r"|(?P<digits>[0#?][0#?,]*(?:\.[0#?]*,*)?|\.[0#?]+)(?P<power>E[+-]0+)?|(?P<end>;)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CLDR = {"m": "M", "mm": "MM", "mmm": "MMM", "mmmm": "MMMM", "mmmmm": "MMM", "ddd": "EEE", "dddd": "EEEE"}
"""Parts of a date that have other letters in Babel's patterns."""
_UNITS = {"h": 3600, "m": 60, "s": 1}


class _Token(NamedTuple):
    kind: str
    text: str


def shown(value: float, code: str, *, from_1904: bool = False) -> str:
    """Write ``value`` as a spreadsheet shows it in a cell with the format ``code``.

    >>> shown(1234.5, '"$"#,##0.00'), shown(0.125, "0.0%"), shown(45415, "d mmm yyyy"), shown(3.0, "General")
    ('$1,234.50', '12.5%', '3 May 2024', '3')
    """
    if code == "General":
        return _general(value)
    sections = _sections(code)
    tokens = sections[0]
    is_other = len(sections) > 1 and value < 0
    if is_other:
        tokens, value = sections[1], -value
    elif len(sections) > 2 and value == 0:
        tokens = sections[2]
    kinds = {token.kind for token in tokens}
    try:
        if kinds & {"date", "elapsed"}:
            return _date(value, tokens, from_1904)
        text = _number(abs(value), tokens)
    except (InvalidOperation, OverflowError, ValueError):
        text = None
    sign = "-" if value < 0 else ""
    return sign + text if text is not None else _general(value)


@lru_cache(maxsize=1000)
def _sections(code: str) -> list[list[_Token]]:
    """Cut a format into its sections: for positive numbers, for negative ones, for zero."""
    sections: list[list[_Token]] = [[]]
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup or "", match[match.lastgroup] if match.lastgroup else ""
        if kind == "end":
            sections.append([])
        elif kind in ("quoted", "escaped", "currency") or (kind == "other" and text != "@"):
            sections[-1].append(_Token("text", text))
        elif kind == "power":
            sections[-1].append(_Token("digits", match[0].upper()))
        elif kind:
            sections[-1].append(_Token("general" if text == "@" else kind, text))
    return [section or [_Token("text", "")] for section in sections]


def _general(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.10g}"


def _number(value: float, tokens: list[_Token]) -> str | None:
    """Write a number that is not negative; ``None`` if the format has several groups of digits, as fractions have."""
    groups = [token.text for token in tokens if token.kind == "digits"]
    if len(groups) > 1 or any(token.kind == "half" for token in tokens):
        return None
    number = Decimal(f"{value:.15g}")
    number *= 100 ** sum(token.text.count("%") for token in tokens if token.kind == "text")
    texts = (
        _digits(number, text) if kind == "digits" else _general(value) if kind == "general" else text
        for kind, text in tokens
    )
    return " ".join("".join(texts).split())


def _digits(number: Decimal, code: str) -> str:
    """Write a number by its placeholders, such as ``#,##0.0#``; each comma at their end divides it by a thousand."""
    pattern = code.rstrip(",")
    with localcontext(rounding=ROUND_HALF_UP):
        scaled = number / 1000 ** (len(code) - len(pattern))
        written = str(parse_pattern(pattern.replace("?", "#").replace("E-", "E")).apply(scaled, "en"))
    return "" if written == "0" and "0" not in pattern else written


def _date(value: float, tokens: list[_Token], from_1904: bool) -> str:
    """Write a number of days as a date, a time of day or a duration. Raises an error if there is no such day."""
    seconds = round(value * 86_400)
    day = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30 if value >= 60 else 31)
    has_half = any(token.kind == "half" for token in tokens)
    pattern = before = ""
    for number, (kind, part) in enumerate(tokens):
        letters = part.lower()
        match kind:
            case "elapsed":
                pattern += str(seconds // _UNITS[letters[0]]).zfill(len(letters))
            case "half":
                pattern += "a"
            case "date":
                after = next((token.text[0].lower() for token in tokens[number + 1 :] if token.kind == "date"), "")
                is_minute = letters in ("m", "mm") and (before == "h" or after == "s")
                pattern += letters if is_minute else _in_cldr(letters, has_half)
            case "text" | "other":
                pattern += "'" + part.replace("'", "’") + "'"
        before = part[0].lower() if kind in ("date", "elapsed") else before
    pattern = pattern.replace("''", "")  # between neighbouring texts
    return " ".join(format_datetime(day + timedelta(seconds=seconds), pattern, locale="en").split())


def _in_cldr(letters: str, has_half: bool) -> str:
    """Return a part of a date in the letters of Babel's patterns; ``has_half``: hours count from 1 to 12."""
    if letters[0] == "h" and not has_half:
        return letters.upper()
    return _CLDR.get(letters, letters)


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
        """Write the name of the sheet as a heading, then its tables and what else it holds."""
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
            writer.put_block(BlockKind.PARAGRAPH, title.text, labels=((0, f"{self.name}!{title.label}"),))
        table = _with_heads(rows)
        if len({cell.column for row in table for cell in row}) > MAX_COLUMNS:
            for row in table:  # each a table of its own
                put_rows([[self._cell(cell) for cell in row]], writer)
        else:
            put_lines(lines_of(self._grid(table)), writer)

    def _grid(self, rows: Sequence[Sequence[Filled]]) -> list[Row]:
        """Put cells into the rows and the columns that are used, each into all that it covers."""
        columns = sorted({cell.column for row in rows for cell in row})
        numbers = [row[0].row for row in rows]
        grid = [[_EMPTY] * len(columns) for _ in rows]
        for row in rows:
            first = row[0]
            is_across = len(row) == 1 and len(columns) > 1 and first.column == columns[0] and not first.is_value
            for cell in row:
                until = columns[-1] if is_across else cell.right
                across = slice(bisect_left(columns, cell.column), bisect_right(columns, until))
                down = slice(bisect_left(numbers, cell.row), bisect_right(numbers, cell.bottom))
                if grid[down.start][across.start] is _EMPTY:  # no other covers it
                    made = [self._cell(cell)] * len(columns[across])
                    for covered in grid[down]:
                        covered[across] = made
        return [tuple(row) for row in grid]

    def _cell(self, cell: Filled) -> Cell:
        return Cell(cell.text, cell.is_name, label=f"{self.name}!{cell.label}", is_value=cell.is_value)


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
