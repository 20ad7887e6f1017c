"""Leave out the running heads of PDF pages and the numbers of their lines. All functions are pure."""

import re
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from searchain.documents.pdf_grid import Row, tables_of
from searchain.documents.pdf_lines import Segment

HEADS_FROM_PAGES = 4
"""Fewest pages of a document in which running heads are recognised by repetition alone."""
SMALLER = 1.13
"""Text this many times as large as a line makes the line small."""
_EDGE_LINES = 2  # a running head is among this many lines at the top or the bottom of a page
_SAME_HEIGHT = 3.0  # greatest difference, in points, of two lines at the same height
_TABLE_ROWS = 3  # fewest rows of a table whose first and last row stay, although they repeat
_TABLE_STEP = 1.6  # greatest distance of two rows of a table in units of the usual one
_EVEN = 0.2  # greatest difference of the distance of two numbered lines from the usual one, as a share of it
_NUMBERED = 15  # fewest numbered lines of a page
_NUMBER = re.compile(r"\d+|\b[ivxl]+\b")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}


@dataclass(frozen=True, slots=True)
class _Line:
    """A line at the edge of a page, with its numbers taken out."""

    segment: Segment
    page: int
    shape: str
    numbers: tuple[int, ...]

    @property
    def height(self) -> int:
        return round(self.segment.top / _SAME_HEIGHT)

    def repeats(self, other: Self) -> bool:
        """Return whether the numbers are those of ``other``, or differ from them as the pages do."""
        later = self.page - other.page
        return abs(self.height - other.height) <= 1 and all(
            mine - theirs in (0, later) for mine, theirs in zip(self.numbers, other.numbers, strict=True)
        )


def without_line_numbers(page: Sequence[Segment]) -> list[Segment]:
    """Drop the numbers of lines at the left of a page, as transcripts have them.

    They follow one another at equal distances, and some stand alone or beside the middle of a sentence: so do not the
    numbers of items and of rows.
    """
    numbers = _counted(page)
    own = {id(segment) for segment in numbers}
    others = [segment for segment in page if id(segment) not in own]
    upright = [segment for segment in others if not segment.turned]
    return others if len(numbers) >= _NUMBERED and _number_lines(numbers, upright) else list(page)


def _counted(page: Sequence[Segment]) -> list[Segment]:
    """Return the longest column of whole numbers; an empty list if they do not follow one another."""
    columns: dict[tuple[str, int], list[Segment]] = {}
    for segment in page:
        if segment.text.isdecimal() and not segment.turned:
            for side, place in (("left", segment.left), ("right", segment.right)):
                columns.setdefault((side, round(place / _SAME_HEIGHT)), []).append(segment)
    numbers = max(columns.values(), key=len, default=[])
    values = [int(segment.text[:9]) for segment in numbers]
    return numbers if all(below - above == 1 for above, below in pairwise(values)) else []


def _number_lines(numbers: Sequence[Segment], texts: Sequence[Segment]) -> bool:
    """Tell whether ``numbers`` stand left of ``texts`` at equal distances, a quarter of them not before a beginning."""
    steps = [below.base - above.base for above, below in pairwise(numbers)]
    usual = statistics.median(steps)
    level = ([text for text in texts if abs(text.base - number.base) < usual / 2] for number in numbers)
    beside = [min(found, key=lambda one: one.left, default=None) for found in level]
    is_left = all(text is None or number.right <= text.left for number, text in zip(numbers, beside, strict=True))
    within = sum(text is None or text.text[0].islower() for text in beside)
    is_even = all(abs(step - usual) <= _EVEN * usual for step in steps)
    return is_left and is_even and 4 * within >= len(beside)


def without_running_heads(pages: Sequence[Sequence[Row]]) -> list[list[Row]]:
    """Drop lines that repeat at the same height on most pages or on most odd or even pages.

    Numbers in them may rise from page to page, as page numbers do. In a document of two or three pages the line must
    be on each page, and be a number or smaller than the text. The rows of a table stay.
    """
    if len(pages) < 2:
        return [list(page) for page in pages]
    edges = [[_line(segment, number) for segment in _edge(page)] for number, page in enumerate(pages)]
    repeated = _repeated(edges)
    seen = _places(repeated)
    body = statistics.median_high([cell.size for page in pages for row in page for cell in row.cells] or [1.0])

    def runs(line: _Line) -> bool:
        found = [seen[line.shape, line.height, parity] for parity in (0, 1)]
        if len(pages) < HEADS_FROM_PAGES:
            return sum(found) == len(pages) and _is_aside(line, body)
        return _is_on_most(found, len(pages))

    pairs = zip(pages, repeated, strict=True)
    return [_without(page, {id(line.segment) for line in lines if runs(line)}) for page, lines in pairs]


def _places(pages: Sequence[Sequence[_Line]]) -> Counter[tuple[str, int, int]]:
    """Count the pages that have a line, by its shape, its height, and whether the page is odd."""
    return Counter(
        (shape, height, number % 2)
        for number, lines in enumerate(pages)
        # a height near the limit of two steps counts for both
        for shape, height in {(line.shape, line.height + shift) for line in lines for shift in (-1, 0, 1)}
    )


def _line(segment: Segment, page: int) -> _Line:
    text = " ".join(segment.text.lower().split())
    return _Line(segment, page, _NUMBER.sub("#", text), tuple(map(_value, _NUMBER.findall(text))))


def _value(number: str) -> int:
    """Return the value of digits or of a Roman numeral."""
    if number[0].isdigit():
        return int(number[:9])
    values = [_ROMAN[letter] for letter in number]
    return sum(-one if one < other else one for one, other in pairwise([*values, 0]))


def _repeated(edges: Sequence[Sequence[_Line]]) -> list[list[_Line]]:
    """Keep the lines that stand on one of the two pages before or after as well."""
    by_shape = [{line.shape: line for line in lines} for lines in edges]
    found = []
    for number, lines in enumerate(edges):
        near = by_shape[max(number - 2, 0) : number] + by_shape[number + 1 : number + 3]
        others = [(line, [shapes[line.shape] for shapes in near if line.shape in shapes]) for line in lines]
        found.append([line for line, same in others if any(map(line.repeats, same))])
    return found


def _without(rows: Sequence[Row], heads: set[int]) -> list[Row]:
    kept = [Row([cell for cell in row.cells if id(cell) not in heads], row.is_tabular) for row in rows]
    return [row for row in kept if row.cells]


def _is_aside(line: _Line, body: float) -> bool:
    """Return whether a line is a number or holds that of the page, or is smaller than the text."""
    is_small = SMALLER * line.segment.size <= body
    return is_small or line.page + 1 in line.numbers or not line.shape.strip("#-– ")


def _is_on_most(found: Sequence[int], pages: int) -> bool:
    """Return whether the counts ``found`` on even and odd pages cover most pages, or most even or most odd ones."""
    of_parity = (pages + 1) // 2, pages // 2
    return 2 * sum(found) > pages or any(
        2 * number > all and number >= HEADS_FROM_PAGES for number, all in zip(found, of_parity, strict=True)
    )


def _edge(rows: Sequence[Row]) -> list[Segment]:
    """Return the lines nearest to the top and the bottom of a page that are not rows of a table."""
    inside = _in_tables(rows)
    every = [segment for row in rows for segment in row.cells]
    found: dict[int, Segment] = {}
    for from_below in (False, True):
        near: list[float] = []
        for segment in sorted(every, key=lambda s: s.top, reverse=from_below):
            if not near or abs(segment.top - near[-1]) > _SAME_HEIGHT:
                if len(near) == _EDGE_LINES:
                    break
                near.append(segment.top)
            if id(segment) not in inside:
                found[id(segment)] = segment
    return list(found.values())


def _in_tables(rows: Sequence[Row]) -> set[int]:
    """Return the ids of the cells in rows that follow one another at a regular distance."""
    tabular = sorted((row for row in rows if row.is_tabular), key=lambda row: row.cells[0].base)
    tables = tables_of(tabular, _TABLE_STEP) if tabular else []
    return {id(cell) for table in tables if len(table) >= _TABLE_ROWS for row in table for cell in row.cells}
