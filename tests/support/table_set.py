"""A generated set of PDF files with tables over several pages, and the rows as they should be read.

Every table has as many rows as are drawn over its page breaks; the values of a row occur in no other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.support.pdf_files import Sheet, Text, pdf, width

NAMES = ("Well", "Depth (m)", "Drilled", "Owner")
DATED = ("Delivered", "Goods", "Crates", "Price")
PAGES, ROWS = 4, 38
_GOODS = ("lamp glass", "copper wire", "sail cloth", "roof slate", "pine tar", "rope")


@dataclass(frozen=True)
class Table:
    """How the rows of one file are drawn."""

    name: str
    names: Sequence[str] = NAMES
    left: Sequence[float] = (60, 190, 300, 410)
    """Where each column begins, in points."""
    right: frozenset[int] = frozenset()
    """Columns that end at the beginning of the next one, as numbers do."""
    by_column: Sequence[Sequence[int]] = ((0, 1, 2, 3),)
    """Groups of columns that the file draws one after the other on each page."""
    heads: frozenset[int] = frozenset({0})
    """Pages (from 0) on which the names of the columns stand."""
    empty: int = 0
    """Every how many rows a cell is left out."""
    wrapped: bool = False
    """Whether the last cell of every third row takes two lines."""
    above: Sequence[str] = field(default=())
    """Running heads; ``{page}`` is the number of the page."""
    step: float = 16.0

    @property
    def rows(self) -> list[list[str]]:
        return [row for page in range(PAGES) for row in self._rows(page)]

    @property
    def read(self) -> list[str]:
        """The rows as they should stand in the text."""
        return [
            "; ".join(f"{name}: {cell}" for name, cell in zip(self.names, row, strict=True) if cell)
            for row in self.rows
        ]

    @property
    def content(self) -> bytes:
        return pdf([Sheet(list(self._texts(page))) for page in range(PAGES)])

    def _rows(self, page: int) -> list[list[str]]:
        return [self._row(page * ROWS + n + 1) for n in range(ROWS)]

    def _row(self, n: int) -> list[str]:
        if self.names is DATED:
            date = f"{n % 28 + 1:02}/{n % 12 + 1:02}/20{n % 25:02}"
            cells = [date, f"{_GOODS[n % 6]} lot {n}", str(3 + n), f"{n * 7}.50"]
        else:
            owner = f"Farm {chr(65 + n % 26)}{n}" + (
                " and the heirs of widow Persson" if self.wrapped and n % 3 == 0 else ""
            )
            cells = [f"W-{n:03}", str(40 + 3 * n), str(1850 + n), owner]
        if self.empty and n % self.empty == 0:
            cells[1 + n // self.empty % 2] = ""
        return cells

    def _texts(self, page: int) -> Iterator[Text]:
        for n, head in enumerate(self.above):
            yield Text(60, 770 - 12 * n, head.format(page=page + 1), 9)
        if self.above:
            yield Text(300, 30, str(page + 1), 9)
        rows = [*([list(self.names)] if page in self.heads else []), *self._rows(page)]
        for group in self.by_column:
            y = 735.0
            for row in rows:
                lines = [self._lines(cell, m) for m, cell in enumerate(row)]
                for m in group:
                    for n, line in enumerate(lines[m]):
                        yield Text(self._left(line, m), y - 11 * n, line, 10)
                y -= self.step + 11 * (max(map(len, lines)) - 1)

    def _lines(self, cell: str, column: int) -> list[str]:
        head, _, tail = cell.partition(" of ")
        return [f"{head} of", tail] if tail and column == 3 else [cell] if cell else []

    def _left(self, line: str, column: int) -> float:
        if column not in self.right:
            return self.left[column]
        return self.left[column + 1] - 12 - sum(map(width, line)) * 10


def table_set() -> list[Table]:
    every = frozenset(range(PAGES))
    return [
        Table("names on the first page"),
        Table("names on every page", heads=every),
        Table("running heads", heads=every, above=("Register of wells, page {page}", "District of Orsa")),
        Table("numbers from the right", right=frozenset({1, 2})),
        Table("names close together", left=(60, 100, 155, 200)),
        Table("empty cells", empty=5),
        Table("dates as a block", names=DATED, by_column=((0,), (1, 2, 3))),
        Table("drawn by column", by_column=((0,), (1,), (2,), (3,)), heads=every),
        Table("cells of two lines", wrapped=True, step=14.5),
    ]
