"""Rows of tables in public PDFs: with all their cells, and with the right names of their columns.

    python -m lab.benchmarks.pdf_rows FOLDER [--wrong]

``lab/data/pdf-rows.json`` names the tables of files in FOLDER and, as a person read them, the names of their columns.
The cells are those of ``pdftotext -layout`` (Debian's poppler-utils): between the first and the last row, each of its
lines with as many parts as the table has columns (``goes_on``: what stands in the next line). The name of several
columns comes before their own ones. The files come with the sources of pdfplumber (``plumber-…``),
tabula-py and img2table on PyPI.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import click

from lab.benchmarks.documents import pdftotext
from searchain.documents import parse_file

SPEC = Path(__file__).parent.parent / "data" / "pdf-rows.json"


@click.command(help=__doc__.partition("\n")[0])
@click.option("--wrong", is_flag=True, help="Print the rows that are not right.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(wrong: bool, folder: Path) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for table in json.loads(SPEC.read_text(encoding="utf-8")):
        path = next(folder.glob(f"**/{table['file']}"), None)
        if path is None:
            click.echo(f"{table['file']} is not in {folder}")
            continue
        lines = Counter(plain(line) for line in parse_file(path, path.name).text.split("\n"))
        for row in rows(path, table):
            named = plain("; ".join(f"{name}: {cell}" if name else cell for name, cell in row))
            is_whole = any(all(plain(cell) in line for _, cell in row) for line in lines)
            counts[path.name] += Counter(rows=1, whole=is_whole, right=lines[named] > 0)
            if wrong and not lines[named]:
                click.echo(f"  {named}")
    for name, count in (*counts.items(), ("all", sum(counts.values(), Counter()))):
        click.echo(
            f"{name:45}{count['rows']:6} rows{count['whole']:6} with all cells{count['right']:6} and right names"
        )


def rows(path: Path, table: dict) -> Iterator[list[tuple[str, str]]]:
    """The rows of a table: each cell after the name of its column."""
    page = str(table["page"])
    text = pdftotext(path, "-layout", "-f", page, "-l", page)
    text = text[text.index(table.get("after", "")) :]
    lines = [cells_of(line.strip()) for line in text.splitlines()]
    fitting = [cells for cells in lines if len(cells) == len(table["names"])]
    first = next(n for n, cells in enumerate(fitting) if cells[0] == table["first"])
    ends = (n for n, cells in enumerate(fitting[first:], 1) if cells[0] == table.get("last"))
    count = table.get("rows") or next(ends, len(fitting))
    for first_cell, *cells in fitting[first : first + count]:
        whole = " ".join(filter(None, (first_cell, table.get("goes_on", {}).get(first_cell))))
        yield list(zip(table["names"], (whole, *cells), strict=True))


def cells_of(line: str) -> list[str]:
    """The parts of a line between wide spaces; behind leading dots each word is one."""
    head, dots, numbers = line.partition(". .")
    if not dots:
        head, dots, numbers = line.partition(" . ")
    if dots:
        return [head.strip(" ."), *numbers.strip(" .").split()]
    return [" ".join(cell.split()) for cell in re.split(r"\s{2,}", line)]


def plain(text: str) -> str:
    """The text without doubled spaces, and without leading dots at the ends of cells."""
    return "; ".join(" ".join(cell.split()).rstrip(" .") for cell in text.split("; "))


if __name__ == "__main__":
    main()
