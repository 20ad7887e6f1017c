"""Find the columns and the grids of a PDF page by the free space between their words.

All functions are pure. A grid is recognised by a gutter that several lines share, not by wide gaps alone.
"""

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from searchain.documents.pdf_cells import are_walled, may_share_line, with_joined_cells
from searchain.documents.pdf_lines import Segment, join

WIDE = 1.5
"""A gap wider than this, in units of the font's size, separates two texts of a line even where no other line has it."""
_ROOM = 0.6  # least width of a gutter in units of the font's size
_SURE = 1.2  # a gutter at least this wide needs ``_FEW`` lines with text on both sides; a narrower one needs ``_MANY``
_FEW, _MANY = 2, 4
_REACH = 6.0  # a gutter ends where no line within this distance, in units of the font's size, has text on both sides
_COLUMN_LINES = 5
"""Fewest lines beside a gutter between two columns of running text, or between parts of a grid drawn one by one."""
_MATCHED = 0.8  # the share of the lines beside such a gutter that have text on both sides
_COLUMN_WORDS = 3
_ROW_STEP = 1.2  # the least distance of the next row of a table, in units of the distance of lines within a row
_FILLED = 0.72
"""The lines of running text, by their median, fill this share of their column; the cells of a grid differ more."""

_LEVEL = 0.3  # greatest distance of texts on one line, in units of the font's size
_BESIDE = 4  # most lines of drawn boxes side by side at one height

_Gap = tuple[float, float]


@dataclass(slots=True)
class Row:
    """The cells of one line of a grid, from the left, or the segments of one line of text."""

    cells: list[Segment]
    is_tabular: bool = False
    names_columns: bool = False
    is_title: bool = False
    """Whether it is the title of a table, which stands within the lines around it."""

    @property
    def is_alone(self) -> bool:
        """Whether the line has fields of a form, but no text of the page."""
        return all(cell.is_field for cell in self.cells)


@dataclass(slots=True, eq=False)
class _Gutter:
    """A vertical strip without text, beside which several lines have text on both sides."""

    left: float
    right: float
    lines: list[int]  # the numbers of the lines with text on both sides

    def is_between(self, one: Segment, other: Segment) -> bool:
        return one.right <= self.left + 0.1 and self.right <= other.left + 0.1

    def goes_on(self, number: int, inner: Sequence[_Gap], outer: Sequence[_Gap], least: float) -> bool:
        """Narrow the gutter to what it shares with a gap of line ``number``; return whether that is wide enough."""
        left, right, gap = max(
            ((max(self.left, gap[0]), min(self.right, gap[1]), gap) for gap in (*inner, *outer)),
            key=lambda shared: shared[1] - shared[0],
        )
        if right - left < least:
            return False
        self.left, self.right = left, right
        if gap in inner:
            self.lines.append(number)
        return True


def rows_of(segments: Sequence[Segment]) -> list[Row]:
    """Put the lines of a page in reading order, and tell which of them are rows of a grid."""
    turned: dict[int, list[Segment]] = {}
    for segment in segments:
        turned.setdefault(segment.turned, []).append(segment)
    return [row for group in turned.values() for row in _Region(with_joined_cells(group)).rows()]


class _Region:
    """The segments of one direction of writing on one page."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.lines = _lines(segments)
        if segments[0].turned and segments[0].base > segments[-1].base:  # PDFium reads some turned pages upwards
            segments = [segment for line in self.lines for segment in line]
        self.order = {id(segment): number for number, segment in enumerate(segments)}
        self.columns: list[_Gutter] = []
        self.grids: list[_Gutter] = []
        found = _gutters(self.lines)
        self.lines = [self._joined(number, line, found) for number, line in enumerate(self.lines)]
        self.mates = Counter(segment.row for line in self.lines for segment in line)  # drawn together
        for gutter in found:
            self._judge(gutter)

    def _joined(self, number: int, line: list[Segment], gutters: Sequence[_Gutter]) -> list[Segment]:
        """Join neighbours of a line that neither a gutter nor a wide gap separates, in the order of the file."""
        cells = [[line[0]]]
        for one, other in pairwise(line):
            is_apart = _divide(gutters, number, one, other)
            is_far = other.left - one.right > WIDE * other.size or one.cell != other.cell
            if one.row != other.row or is_apart or is_far:
                cells.append([])
            cells[-1].append(other)
        joined = []
        for cell in cells:
            cell.sort(key=lambda segment: self.order[id(segment)])
            joined.append(join(*cell))
            self.order[id(joined[-1])] = self.order[id(cell[0])]
        return joined

    def _judge(self, gutter: _Gutter) -> None:
        """Add a gutter to those of the columns or of the grids; leave it out where the file's order is right."""
        pairs = [pair for n in gutter.lines for pair in pairwise(self.lines[n]) if gutter.is_between(*pair)]
        sides = [[pair[side] for pair in pairs] for side in (0, 1)]
        are_running = [_is_running(side) for side in sides]
        least = max(_COLUMN_LINES, _MATCHED * (gutter.lines[-1] + 1 - gutter.lines[0]))
        if _most(one.row == other.row or self.order[id(other)] == self.order[id(one)] + 1 for one, other in pairs):
            (self.columns if all(are_running) else self.grids).append(gutter)
        elif len(pairs) >= least:
            running = itertools.compress(sides, are_running)
            if all(_most(self.mates[segment.row] > 1 for segment in side) for side in running):
                self.grids.append(gutter)

    def rows(self) -> list[Row]:
        """Return the lines in reading order, cut at the gutters of columns."""
        rows: list[Row] = []
        for number, line in enumerate(self.lines):
            cells = [line[0]]
            is_tabular = False
            for one, other in pairwise(line):
                in_grid = _divide(self.grids, number, one, other) or are_walled(one, other)
                in_line = one.row == other.row and not _divide(self.columns, number, one, other)
                if in_grid or one.is_field or other.is_field or in_line:
                    is_tabular |= in_grid
                    cells.append(other)
                else:
                    rows.append(Row(cells, is_tabular))
                    cells, is_tabular = [other], False
            rows.append(Row(cells, is_tabular))
        rows.sort(key=lambda row: min(self.order[id(cell)] for cell in row.cells))
        return _with_fields(self._by_columns(rows))

    def _by_columns(self, rows: Sequence[Row]) -> list[Row]:
        """Read columns that the file draws across one after the other; a line across a gutter parts them."""
        if not self.columns:
            return list(rows)
        ordered: list[Row] = []
        for is_across, stretch in itertools.groupby(rows, key=self._is_across):
            found = list(stretch)
            ordered += found if is_across else sorted(found, key=self._column)
        return ordered

    def _near(self, row: Row) -> list[_Gutter]:
        base = row.cells[0].base
        ends = ((one, self.lines[one.lines[0]][0].base, self.lines[one.lines[-1]][0].base) for one in self.columns)
        return [gutter for gutter, top, bottom in ends if top - 1 <= base <= bottom + 1]

    def _is_across(self, row: Row) -> bool:
        left, right = row.cells[0].left, row.cells[-1].right
        near = self._near(row)
        return not near or any(left < gutter.left and gutter.right < right for gutter in near)

    def _column(self, row: Row) -> int:
        return sum(gutter.right <= row.cells[0].left + 1 for gutter in self._near(row))


def _divide(gutters: Iterable[_Gutter], number: int, one: Segment, other: Segment) -> bool:
    """Return whether one of ``gutters`` has these neighbours in line ``number`` on its sides."""
    return any(number in gutter.lines and gutter.is_between(one, other) for gutter in gutters)


def _lines(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Group segments on one base line; the lines are ordered from the top, the segments from the left."""
    lines: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda segment: segment.base):
        near = (line for line in reversed(lines[-_BESIDE:]) if _are_level(segment, line[0]))
        if (same := next((line for line in near if may_share_line(segment, line[0])), None)) is None:
            lines.append(same := [])
        same.append(segment)
    return [sorted(line, key=lambda segment: segment.left) for line in lines]


def _are_level(segment: Segment, other: Segment) -> bool:
    return segment.base - other.base <= _LEVEL * min(segment.size, other.size)


def _gutters(lines: Sequence[Sequence[Segment]]) -> list[_Gutter]:
    """Follow the free space of each line down the page."""
    found: list[_Gutter] = []
    open_ones: list[_Gutter] = []
    for number, line in enumerate(lines):
        size, base = line[0].size, line[0].base
        inner, outer = _gaps(line)
        near = [gutter for gutter in open_ones if base - lines[gutter.lines[-1]][0].base <= _REACH * size]
        open_ones = [gutter for gutter in near if gutter.goes_on(number, inner, outer, _ROOM * size)]
        fresh = [
            _Gutter(left, right, [number])
            for left, right in inner
            if not any(left <= gutter.left and gutter.right <= right for gutter in open_ones)
        ]
        found += fresh
        open_ones += fresh
    return [gutter for gutter in found if len(gutter.lines) >= _least_lines(gutter, lines[gutter.lines[0]][0].size)]


def _gaps(line: Sequence[Segment]) -> tuple[list[_Gap], list[_Gap]]:
    """Return the wide gaps between the segments of a line, and the free space on both sides of the line."""
    ends = list(accumulate((segment.right for segment in line), max))
    gaps = [(end, other.left) for end, other in zip(ends, line[1:], strict=False)]
    inner = [gap for gap in gaps if gap[1] - gap[0] >= _ROOM * line[0].size]
    return inner, [(-math.inf, line[0].left), (ends[-1], math.inf)]


def _least_lines(gutter: _Gutter, size: float) -> int:
    return _FEW if gutter.right - gutter.left >= _SURE * size else _MANY


def _most(values: Iterable[bool]) -> bool:
    found = list(values)
    return 2 * sum(found) >= len(found)


def _is_running(segments: Sequence[Segment]) -> bool:
    """Return whether these lines are running text: nearly as wide as their column, and of several words.

    In a narrow column two words a line are enough where most lines begin within a sentence.
    """
    if len(segments) < _COLUMN_LINES:
        return False
    widths = [segment.right - segment.left for segment in segments]
    words = statistics.median(sum(any(map(str.isalpha, word)) for word in s.text.split()) for s in segments)
    is_within = _most(segment.text[0].islower() for segment in segments)
    return words >= _COLUMN_WORDS - is_within and statistics.median(widths) >= _FILLED * max(widths)


def _with_fields(rows: Sequence[Row]) -> list[Row]:
    """Move a field of a form that stands alone in its line behind the line above it."""
    ordered = [row for row in rows if not row.is_alone]
    for row in rows:
        if row.is_alone:
            base = row.cells[0].base
            above = [n for n, other in enumerate(ordered) if other.cells[0].base <= base]
            at = max(above, key=lambda n: (ordered[n].cells[0].base, n), default=len(ordered) - 1)
            ordered.insert(at + 1, row)
    return ordered


def with_wrapped_cells(rows: Sequence[Row]) -> list[Row]:
    """Join lines to the row of a table above them whose cells they continue.

    Such lines have fewer cells, each below one of several words, and are nearer to the row than the next row is. In a
    table of three columns or more, one cell alone continues the row at any distance of lines.
    """
    joined: list[Row] = []
    at = 0
    while at < len(rows):
        row = rows[at]
        at += 1
        joined.append(row)
        columns = [[cell] for cell in row.cells]
        end = at
        while row.is_tabular and end < len(rows) and _continues(columns, rows[end], rows[end - 1]):
            end += 1
        if end == at:
            continue
        step = max(_step(one, other) for one, other in pairwise(rows[at - 1 : end]))
        is_sure = len(columns) > 2 and all(len(line.cells) == 1 for line in rows[at:end])
        if is_sure or end == len(rows) or _step(rows[end - 1], rows[end]) >= _ROW_STEP * step:
            joined[-1] = Row([join(*column) for column in columns], is_tabular=True)
            at = end
    return joined


def _continues(columns: Sequence[list[Segment]], line: Row, above: Row) -> bool:
    """Add the cells of ``line`` to ``columns`` if each of them continues the text of one column."""
    under = [_under(cell, [column[0] for column in columns]) for cell in line.cells]
    places = [n for n in under if n is not None]
    are_below = len(places) == len(set(places)) == len(under) < len(columns)
    if not are_below or not 0 < _step(above, line) <= WIDE * line.cells[0].size:
        return False
    pairs = list(zip(places, line.cells, strict=True))
    if all(_goes_on(n, columns[n], cell) for n, cell in pairs):
        for n, cell in pairs:
            columns[n].append(cell)
        return True
    return False


def _goes_on(column: int, cells: Sequence[Segment], below: Segment) -> bool:
    """Return whether ``below`` may be the next line of a cell; in the first column it may be a row of its own."""
    words = sum(len(cell.text.split()) for cell in cells)
    return words > 1 and any(c.isalpha() for c in below.text) and (column > 0 or below.text[0].islower())


def tables_of(rows: Sequence[Row], furthest: float) -> list[list[Row]]:
    """Part rows that are further apart than ``furthest``, in units of the usual distance, as two tables are."""
    steps = [_step(above, below) for above, below in pairwise(rows)]
    usual = statistics.median(steps or [0])
    tables = [[rows[0]]]
    for row, step in zip(rows[1:], steps, strict=True):
        if not 0 <= step <= furthest * usual:
            tables.append([])
        tables[-1].append(row)
    return tables


def _step(above: Row, below: Row) -> float:
    return below.cells[0].base - above.cells[0].base


def _under(cell: Segment, columns: Sequence[Segment]) -> int | None:
    """Return the number of the only column that ``cell`` stands below."""
    found = [n for n, column in enumerate(columns) if min(cell.right, column.right) > max(cell.left, column.left)]
    return found[0] if len(found) == 1 else None
