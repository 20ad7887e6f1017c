"""Tables of plain text, and the formats of figures in them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from textwrap import wrap

from searchain.annotation.estimates import Estimate
from searchain.safe_text import one_line

NONE = "–"
WIDTH = 120
_LONGEST = 60
"""The most characters of a line, and of a cell, in a terminal."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its heading. Cells are untrusted text; the first column names the row."""

    name: str
    """The anchor of a link to the table, such as ``systems``."""
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def shown(estimate: Estimate, digits: int = 2) -> str:
    """Format an estimate as ``0.80 [0.71, 0.88]``; without a value, give the reason."""
    if estimate.value is None:
        return f"{NONE} ({estimate.reason})"
    interval = (
        f" [{estimate.low:.{digits}f}, {estimate.high:.{digits}f}]"
        if estimate.low is not None and estimate.high is not None
        else ""
    )
    return f"{estimate.value:.{digits}f}{interval}"


def number(value: float | None, digits: int) -> str:
    """Format a value as ``0.80``; without a value return a dash."""
    return NONE if value is None else f"{value:.{digits}f}"


def row(one: object, columns: Mapping[str, str]) -> tuple[str, ...]:
    """Format the attributes of ``one`` that ``columns`` names, a heading → the path of an attribute."""
    return tuple(_figure(attrgetter(path)(one)) for path in columns.values())


def _figure(value: Estimate | float | str | None) -> str:
    match value:
        case Estimate():
            return shown(value)
        case float() | None:
            return number(value, 2)
    return str(value)


def text_lines(tables: Iterable[Table]) -> Iterator[str]:
    """Lay out ``tables`` for a terminal, each with its heading and note, an empty line between two."""
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
