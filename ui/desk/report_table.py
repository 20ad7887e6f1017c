"""Tables of plain text, and the formats of figures in them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from textwrap import wrap
from typing import Any

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


_LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"},
        **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
        **{"α": r"$\alpha$", "κ": r"$\kappa$", "÷": r"$\div$", "−": "$-$", "≥": r"$\ge$", "→": r"$\to$"},
        **{"–": "--", "’": "'", "“": "``", "”": "''", "…": r"\dots{}", "·": r"$\cdot$", "§": r"\S{}"},
    }
)


def latex_lines(tables: Iterable[Table]) -> Iterator[str]:
    """Write ``tables`` as LaTeX, which needs no packages; names in other scripts need XeLaTeX or LuaLaTeX."""
    for table in tables:
        yield f"\\begin{{table}}\n\\caption{{{_latex(table.title)}}}\\label{{tab:{table.name}}}"
        yield f"\\begin{{tabular}}{{{'l' * len(table.head)}}}\n\\hline"
        for number, cells in enumerate((table.head, *table.rows)):
            yield "{}" + " & ".join(map(_latex, cells)) + r" \\" + ("" if number else "\n\\hline")
        yield "\\hline\n\\end{tabular}"
        yield from [f"\\par\\footnotesize {_latex(table.note)}"] * bool(table.note)
        yield "\\end{table}\n"


def _latex(text: str) -> str:
    return one_line(text).translate(_LATEX)


FIGURES = ("section", "row", "figure", "value", "low", "high", "n")
"""The columns of ``figure_rows``."""
_NAMING = ("measure", "name", "annotator", "judge", "system", "one", "other", "item")


def figure_rows(values: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[object, ...]]:
    """Yield a row for each number and estimate of a report as JSON; rows of lists are named by their names."""
    match values:
        case {"value": value, "low": low, "high": high, "n": n}:
            yield (path[0], " ".join(path[1:-1]), path[-1], value, low, high, n)
        case dict():
            for name, inner in values.items():
                yield from figure_rows(inner, (*path, str(name)))
        case list():
            for one in values:
                names = (
                    one
                    if isinstance(one, list)
                    else [one.get(name) for name in _NAMING]
                    if isinstance(one, dict)
                    else []
                )
                inner = next((part for part in one if isinstance(part, dict)), None) if isinstance(one, list) else one
                yield from figure_rows(inner, (*path, *(name for name in names if isinstance(name, str))))
        case bool():
            return
        case int() | float() if path:
            yield (path[0], " ".join(path[1:-1]), path[-1], values, None, None, None)
