"""Join the lines of each cell around which a PDF page draws lines. All functions are pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from searchain.documents.pdf_lines import Segment, join
from searchain.documents.tables import is_value

_TALLEST = 12.0
"""Greatest height of a cell in units of the font's size; what is higher is a column of text or a drawing."""
_FEW_LINES = 3  # most lines of a cell that covers several rows
_NEAR = 3.0  # greatest distance of two cells that touch, in points

_Cell = tuple[float, float, float, float]
_Sides = tuple[float, float]


def are_walled(one: Segment, other: Segment) -> bool:
    """Return whether a drawn line parts two neighbours of a row that is not too high for a table."""
    if one.cell is None or other.cell is None or one.cell == other.cell:
        return False
    return one.cell[2] <= other.cell[0] + _NEAR and min(map(_height, (one, other))) <= _TALLEST * one.size


def may_share_line(one: Segment, other: Segment) -> bool:
    """Return whether two texts at the same height may be of one line; drawn boxes side by side hold different ones."""
    if one.cell is None or other.cell is None or one.row == other.row:
        return True
    return all(abs(mine - theirs) <= _NEAR for mine, theirs in zip(one.cell[1::2], other.cell[1::2], strict=True))


def _height(segment: Segment) -> float:
    assert segment.cell is not None
    return segment.cell[3] - segment.cell[1]


def with_joined_cells(segments: Sequence[Segment]) -> list[Segment]:
    """Join the lines of the cells of each drawn row, unless these are rows of numbers; all get one base line.

    A cell that covers several rows belongs to each of them.
    """
    cells = _lines_of_cells(segments)
    moved: dict[int, list[Segment]] = {}  # what stands in the place of a segment, by its id
    for band, row in _bands(cells):
        if any(one[2] > other[0] + _NEAR for one, other in pairwise(sorted(row))):
            continue  # a name above several columns, with no line below it
        own = [lines for lines in row.values() if id(lines[0]) not in moved]
        tall = _beside(band, row, cells)
        if not own or len(own) + len(tall) < 2 or not _is_one_row(own):
            continue
        base = min(lines[0].base for lines in own)
        joined = [_joined(lines, base, band) for lines in (*own, *tall)]
        moved |= {id(line): [] for lines in (*own, *tall) for line in lines if id(line) not in moved}
        moved[id(own[0][0])] = joined
    return [one for segment in segments for one in moved.get(id(segment), [segment])]


def _lines_of_cells(segments: Sequence[Segment]) -> dict[_Cell, list[Segment]]:
    """Return drawn cell → the lines in it, without cells that are too tall for a row."""
    cells: dict[_Cell, list[Segment]] = {}
    for segment in segments:
        if segment.cell and _height(segment) <= _TALLEST * segment.size:
            cells.setdefault(segment.cell, []).append(segment)
    return cells


def _bands(cells: Mapping[_Cell, list[Segment]]) -> list[tuple[_Sides, dict[_Cell, list[Segment]]]]:
    """Return the cells between the same top and bottom, the narrowest of these bands first."""
    bands: dict[_Sides, dict[_Cell, list[Segment]]] = {}
    for cell, lines in cells.items():
        bands.setdefault((cell[1], cell[3]), {})[cell] = lines
    return sorted(bands.items(), key=lambda item: item[0][1] - item[0][0])


def _joined(lines: Sequence[Segment], base: float, band: _Sides) -> Segment:
    first = lines[0]
    assert first.cell is not None
    return replace(join(*lines), base=base, cell=(first.cell[0], band[0], first.cell[2], band[1]))


def _is_one_row(row: Sequence[Sequence[Segment]]) -> bool:
    """Return whether the lines of a drawn row belong to one row, and not to rows without lines between them."""
    pairs = (pair for lines in row for pair in combinations(lines, 2))
    if any(abs(one.base - other.base) < 0.3 * min(one.size, other.size) for one, other in pairs):
        return False  # two lines at one height
    most = max(map(len, row))
    full = [lines for lines in row if len(lines) == most > 1]
    return len(full) < 2 or not any(all(is_value(line.text) for line in lines) for lines in full)


def _beside(band: _Sides, row: Collection[_Cell], cells: Mapping[_Cell, list[Segment]]) -> list[list[Segment]]:
    """Return the lines of the cells that cover this row and others, and touch it or one another."""
    found: list[_Cell] = []
    left, right = min(cell[0] for cell in row), max(cell[2] for cell in row)
    covering = [
        cell
        for cell, lines in cells.items()
        if cell not in row and len(lines) <= _FEW_LINES and cell[1] - _NEAR <= band[0] and band[1] <= cell[3] + _NEAR
    ]
    for cell in sorted(covering):
        if abs(cell[0] - right) <= _NEAR:
            found.append(cell)
            right = cell[2]
    for cell in sorted(covering, reverse=True):
        if abs(cell[2] - left) <= _NEAR:
            found.append(cell)
            left = cell[0]
    return [cells[cell] for cell in found]
