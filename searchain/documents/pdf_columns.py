"""Find the names of the columns of a PDF's tables, in one line or several. All functions are pure."""

import itertools
import statistics
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from searchain.documents.pdf_grid import Row, tables_of
from searchain.documents.pdf_lines import Segment, join
from searchain.documents.tables import is_value

_FEWEST_ROWS = 2  # fewest rows below the names
_LONGEST = 25  # most words of a name
_REACH = 2.2  # greatest space between the names and the row or the line below them, in units of the font's size
_BETWEEN = 3.5  # the same between two rows with a heading between them
_TIGHT = 0.95  # lines of names are nearer than this share of the distance of two rows
_LOOSE = 1.6  # a line with names of several columns is nearer to the names below it than this share
_SAME = 0.3  # greatest distance of texts on one line, in units of the font's size
_FAR = 1.8  # greatest distance of two rows of a table in units of the usual one
_YEARS = range(1900, 2101)

_Sides = tuple[float, float]


@dataclass(slots=True)
class _Line:
    """A line above the rows of a table, from the left."""

    cells: list[Segment]
    spans: list[list[int]]  # the columns that each cell stands above

    @property
    def base(self) -> float:
        return self.cells[0].base

    def names_all(self, columns: int) -> bool:
        """Return whether each column, but perhaps the first, has a cell of its own; a column may be empty below it."""
        found = [n for span in self.spans for n in span]
        return max(map(len, self.spans)) == 1 and len(found) == len(set(found)) and {*found, 0} == {*range(columns)}


@dataclass(frozen=True, slots=True)
class _Grid:
    """The columns of a table, by the rows that have a cell in each of them."""

    columns: Sequence[_Sides]
    first: Row  # the first row below the names
    step: float  # the usual distance of two rows

    def spans(self, cells: Sequence[Segment], crowded: Container[object]) -> list[list[int]]:
        """Return the columns that each cell of a line stands above.

        A cell with lines around it covers what these cover, but for the ``crowded`` ones that hold several names.
        """
        return [
            self._under(cell.left, cell.right, 0) or self._around(cell)
            if cell.cell is None or cell.cell in crowded
            else self._under(cell.cell[0], cell.cell[2], 0.5)
            for cell in cells
        ]

    def _under(self, low: float, high: float, share: float) -> list[int]:
        shared = ((min(high, right) - max(low, left), right - left) for left, right in self.columns)
        return [n for n, (common, width) in enumerate(shared) if common > share * width]

    def _around(self, cell: Segment) -> list[int]:
        """Return the columns on both sides of a cell that stands above the space between them."""
        before = sum(right <= cell.left for _, right in self.columns)
        is_between = 0 < before < len(self.columns) and cell.right <= self.columns[before][0]
        return [before - 1, before] if is_between else []

    def groups(self, cells: Sequence[Segment], spans: Sequence[Sequence[int]]) -> list[list[int]] | None:
        """Return the columns that each name of several columns stands in the middle of; ``None`` if it is not clear."""
        last = len(self.columns) - 1
        found: list[list[int]] = []
        if not all(spans):
            return None
        for n, (cell, span) in enumerate(zip(cells, spans, strict=True)):
            lowest = spans[n - 1][-1] + 1 if n else 0
            highest = spans[n + 1][0] - 1 if n < len(cells) - 1 else last
            if lowest > span[0] or highest < span[-1]:
                return None
            choices = itertools.product(range(lowest, span[0] + 1), range(span[-1], highest + 1))
            first, end = min(choices, key=lambda ends: abs(self._middle(*ends) - (cell.left + cell.right) / 2))
            if found and found[-1][-1] != first - 1:
                return None
            found.append([*range(first, end + 1)])
        is_whole = len(found) > 1 and found[0][0] <= 1 and found[-1][-1] == last
        return found if is_whole else None

    def _middle(self, first: int, last: int) -> float:
        return (self.columns[first][0] + self.columns[last][1]) / 2

    def is_title(self, spans: Sequence[Sequence[int]]) -> bool:
        """Return whether a line has one cell above all columns, but perhaps the first."""
        return len(spans) == 1 and len(spans[0]) >= max(len(self.columns) - 1, 2)

    def is_clear(self, line: _Line) -> bool:
        """Return whether it is clear which columns each cell of a line names."""
        return all(len(span) <= 1 or cell.cell for cell, span in zip(line.cells, line.spans, strict=True))

    def is_tight(self, one: _Line, other: _Line) -> bool:
        """Return whether two lines are nearer than two rows."""
        return abs(one.base - other.base) < _TIGHT * self.step


def with_heads(rows: Sequence[Row]) -> list[Row]:
    """Join the lines that name the columns of each table to one row before its first row.

    A name of several columns comes before their own names, and a column without a name has an empty cell.
    """
    lines = list(rows)
    table: list[Row] = []
    for is_table, group in itertools.groupby(rows, key=lambda row: row.is_tabular and len(row.cells) > 1):
        for part in tables_of(list(group), _FAR) if is_table else ():
            table = [*table, *part] if table and _is_near(table[-1], part[0]) else part
            if _add_head(part, lines) or (len(table) > len(part) and _add_head(table, lines)):
                table = []
    return lines


def _is_near(row: Row, other: Row) -> bool:
    """Return whether two rows of a table may have a heading between them."""
    one, two = row.cells[0], other.cells[0]
    return one.turned == two.turned and 0 < two.top - max(cell.bottom for cell in row.cells) <= _BETWEEN * one.size


def _add_head(table: Sequence[Row], lines: list[Row]) -> bool:
    """Put the head of a table before its first row, in the place of its lines; return whether it has one."""
    grid = _grid(table)
    head = _head(grid, lines) if grid else None
    if not grid or not head:
        return False
    names, used, title = head
    moved = {id(cell) for line in used for cell in line.cells} | {id(title)}
    new = [Row([title], is_title=True)] if title else []
    new.append(Row(names, is_tabular=True, names_columns=True))
    at = next(n for n, row in enumerate(lines) if row is grid.first)
    lines[:] = [*_without(lines[:at], moved), *new, *_without(lines[at:], moved)]
    return True


def _without(rows: Sequence[Row], moved: set[int]) -> Iterator[Row]:
    for row in rows:
        cells = [cell for cell in row.cells if id(cell) not in moved]
        if len(cells) == len(row.cells):
            yield row
        elif cells:
            yield replace(row, cells=cells)


def _grid(table: Sequence[Row]) -> _Grid | None:
    """Return the columns of a table; ``None`` if nothing tells names from rows."""
    counts = Counter(len(row.cells) for row in table)
    most = max(counts, key=lambda count: (counts[count], count))
    full = [row for row in table if len(row.cells) == most]
    first = _first(table, full)
    full = [row for row in full if first is not None and row.cells[0].base >= first.cells[0].base]
    if first is None or len(full) < _FEWEST_ROWS:
        return None
    columns = [
        (min(cell.left for cell in column), max(cell.right for cell in column))
        for column in zip(*(row.cells for row in full), strict=True)
    ]
    steps = [abs(below.cells[0].base - above.cells[0].base) for above, below in pairwise(full)]
    are_apart = all(one[1] <= other[0] + 1 for one, other in pairwise(columns))
    return _Grid(columns, first, statistics.median(steps)) if are_apart else None


def _first(table: Sequence[Row], full: Sequence[Row]) -> Row | None:
    """Return the first row with a value; in a table of words, the second row if the first alone is bold or shaded."""
    columns = [[cell.text for cell in column] for column in zip(*(row.cells for row in full), strict=True)]
    if not any(_mostly(map(is_value, texts)) for texts in columns):
        are_bold = [all(cell.is_bold for cell in row.cells) for row in table]
        is_marked = (are_bold[0] and not _mostly(are_bold)) or _is_shaded_alone(table)
        return table[1] if is_marked else None
    has_value = _test_of_values(columns)
    return next((row for row in table if has_value([cell.text for cell in row.cells])), None)


def _is_shaded_alone(table: Sequence[Row]) -> bool:
    """Tell whether one colour, which no other row has, is behind all of the first row."""
    first, *others = ({cell.shade for cell in row.cells} for row in table)
    return len(first) == 1 and None not in first and bool(others) and all(map(first.isdisjoint, others))


def _test_of_values(columns: Sequence[Sequence[str]]) -> Callable[[Sequence[str]], bool]:
    """Return what tells whether a row has a value: a number, if columns hold any, or a date in a column of dates."""
    are_dated = [_mostly(map(_is_dated, texts)) for texts in columns]
    is_value_here = _is_number if any(_mostly(map(_is_number, texts)) for texts in columns) else _is_amount

    def has_value(texts: Sequence[str]) -> bool:
        dated = itertools.compress(texts, are_dated) if len(texts) == len(columns) else ()
        return any(map(is_value_here, texts)) or any(map(_is_dated, dated))

    return has_value


def _mostly(values: Iterable[bool]) -> bool:
    found = list(values)
    return 2 * sum(found) > len(found)


def _is_dated(text: str) -> bool:
    """Return whether a text is a year or has one among words, as the names of columns may."""
    years = [word for word in text.split() if word.isdecimal() and int(word) in _YEARS]
    return bool(years) and (text in years or any(map(str.isalpha, text)))


def _is_amount(text: str) -> bool:
    return is_value(text) and any(map(str.isdigit, text)) and not _is_dated(text)


def _is_number(text: str) -> bool:
    return _is_amount(text) and not any(map(str.isalpha, text))


def _head(grid: _Grid, page: Sequence[Row]) -> tuple[list[Segment], list[_Line], Segment | None] | None:
    """Return the names, the lines with them, and what stands within the table above all its columns."""
    above = list(_above(grid, page))
    has_title = bool(above) and grid.is_title(above[-1].spans)
    lines = _names(above[:-1] if has_title else above, grid)
    columns: list[dict[str, Segment]] = [{} for _ in grid.columns]
    for line in reversed(lines):
        for cell, span in zip(line.cells, line.spans, strict=True):
            for n in span if any(map(str.isalnum, cell.text)) else ():
                columns[n].setdefault(cell.text, cell)
    if not all(columns[1:]):
        return None
    names = [_name(list(cells.values()), sides, lines[0]) for cells, sides in zip(columns, grid.columns, strict=True)]
    is_next = has_title and lines[-1:] == above[-2:-1]
    return names, lines, above[-1].cells[0] if is_next else None


def _name(cells: Sequence[Segment], sides: _Sides, line: _Line) -> Segment:
    left, right = sides
    if not cells:
        return Segment("", [], left, line.cells[0].top, right, line.cells[0].bottom, line.base, line.cells[0].size)
    return replace(join(*cells), left=left, right=right, base=line.base)


def _above(grid: _Grid, page: Sequence[Row]) -> Iterator[_Line]:
    """Yield the lines above the first row that could hold names, from the nearest on; the table's title is the last."""
    lines = list(_lines_above(grid, page))
    crowded = {cell for line in lines for cell, count in Counter(one.cell for one in line).items() if count > 1}
    is_drawn = grid.first.cells[0].cell is not None
    has_names = False
    for cells in lines:
        spans = grid.spans(cells, crowded)
        is_across = len(cells) == 1 and len(spans[0]) > 1
        if not _could_be_names(cells, spans) or (is_drawn or is_across) > bool(cells[0].cell):
            return
        is_drawn = bool(cells[0].cell)
        is_title = is_across and grid.is_title(spans)
        if has_names or not is_title:  # else it is a heading between the names and the first row
            has_names = True
            yield _Line(cells, spans)
        if has_names and is_title:
            return


def _could_be_names(cells: Sequence[Segment], spans: Sequence[Sequence[int]]) -> bool:
    """Tell whether cells above a table could name columns, and none of them stands beside the table."""
    is_outside = any(not span and not cell.cell for cell, span in zip(cells, spans, strict=True))
    return not is_outside and any(spans) and all(map(_could_name, cells))


def _lines_above(grid: _Grid, page: Sequence[Row]) -> Iterator[list[Segment]]:
    """Yield the cells of each line above a table, from the nearest on, as long as there is no wide space between.

    What is drawn in a box beside the table is left out.
    """
    first = grid.first.cells[0]
    above = (
        cell
        for row in page
        for cell in row.cells
        if cell.turned == first.turned
        and cell.base < first.base - _SAME * first.size
        and not (cell.cell and (cell.cell[2] <= grid.columns[0][0] or cell.cell[0] >= grid.columns[-1][1]))
    )
    cells = sorted(above, key=lambda cell: -cell.base)
    top = first.top
    while cells:
        line = [cell for cell in cells if cells[0].base - cell.base <= _SAME * first.size]
        if top - max(cell.cell[3] if cell.cell else cell.bottom for cell in line) > _REACH * first.size:
            return
        yield sorted(line, key=lambda cell: cell.left)
        cells = cells[len(line) :]
        top = min(cell.top for cell in line)


def _could_name(cell: Segment) -> bool:
    return not _is_number(cell.text) and not cell.text.endswith(":") and len(cell.text.split()) <= _LONGEST


def _names(above: Sequence[_Line], grid: _Grid) -> list[_Line]:
    """Return the lines that hold the names, from the lowest on."""
    full = next((n for n, line in enumerate(above) if line.names_all(len(grid.columns))), 0)
    lines = [line for line in above[full : full + 1] if grid.is_clear(line)]
    if not lines:
        return []
    for line in reversed(above[:full]):
        if not grid.is_tight(line, lines[0]) or max(map(len, line.spans)) > 1:
            break
        lines.insert(0, line)
    for line in above[full + 1 :]:
        are_drawn = all(cell.cell for cell in (*line.cells, *lines[-1].cells))
        groups = None if are_drawn else grid.groups(line.cells, line.spans)
        if groups and lines[-1].base - line.base < _LOOSE * grid.step:
            line.spans = groups
        elif not are_drawn and not (grid.is_tight(line, lines[-1]) and max(map(len, line.spans)) == 1):
            break
        lines.append(line)
    return lines
