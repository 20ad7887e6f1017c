"""Tables as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lab.tables.parts import Cell, Figure, Table
from searchain.safe_text import escape


def markdown(tables: Sequence[Table], runs: Sequence[Mapping[str, Any]]) -> str:
    """Paper | ours [interval] n, a dash for what is missing; below the tables what the runs have in common."""
    blocks = [block for table in tables for block in _table(table)]
    if runs:
        blocks.append("\n".join(_runs(runs)))
    return "\n\n".join(blocks) + "\n"


def as_json(tables: Sequence[Table], runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The same as plain values."""
    return {
        "tables": [
            {
                "title": table.title,
                "note": table.note,
                "columns": list(table.columns),
                "rows": {
                    name: {column: _values(cell) for column, cell in zip(table.columns, row, strict=True)}
                    for name, row in table.rows.items()
                },
            }
            for table in tables
        ],
        "runs": [dict(run) for run in runs],
    }


def _table(table: Table) -> Iterator[str]:
    yield f"## {table.title}"
    lines = [_row(["", *table.columns]), _row(["---"] * (len(table.columns) + 1))]
    lines += [_row([name, *map(_cell, row)]) for name, row in table.rows.items()]
    yield "\n".join(lines)
    if table.note:
        yield table.note


def _cell(cell: Cell) -> str:
    paper = "–" if cell.paper is None else f"{cell.paper:g}"
    return f"{paper} \\| {_figure(cell.ours)}"


def _figure(figure: Figure | None) -> str:
    if figure is None:
        return "–"
    if figure.low is None:
        return f"{figure.value:g} ({figure.n})"
    return f"{figure.value:.1f} [{figure.low:.1f}, {figure.high:.1f}] ({figure.n})"


def _values(cell: Cell) -> dict[str, Any]:
    ours = cell.ours
    found = None if ours is None else {"value": ours.value, "low": ours.low, "high": ours.high, "n": ours.n}
    return {"paper": cell.paper, "ours": found}


def _runs(runs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "Each cell: paper \\| ours [95 % interval] (questions). The runs:"
    yield ""
    yield _row(["system", "data", "index", "model", "reading", "options"])
    yield _row(["---"] * 6)
    for run in runs:
        settings = run["settings"]
        options = ", ".join(f"{name} {value}" for name, value in (settings.get("options") or {}).items())
        reading = settings.get("reading") or "default for the model"
        yield _row(
            [escape(str(one)) for one in (run["system"], run["data"], run["index"], run["model"], reading, options)]
        )


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
