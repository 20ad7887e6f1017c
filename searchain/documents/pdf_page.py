"""Read what a PDF page has besides its characters: the values of its form, and the lines that it draws.

Runs in the child process only. The appearances of fields and typed notes are made part of the page, so that their
characters are read, marked and drawn like all others. They come after the characters of the page, whose numbers stay
the same.
"""

import ctypes
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

import pypdfium2
import pypdfium2.raw as pdfium

from searchain.documents.parsed import Box

_TYPED = (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT)
_BOXES = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)


@dataclass(frozen=True, slots=True)
class Tick:
    """A checkbox or radio button; its sides are in points of the page, from the bottom left."""

    left: float
    bottom: float
    right: float
    top: float
    is_set: bool

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.bottom <= y <= self.top


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page with its form."""

    page: pypdfium2.PdfPage
    own_characters: int | None = None
    """The number of characters before those of fields and notes; ``None`` without these."""
    ticks: tuple[Tick, ...] = ()


@contextmanager
def open_page(document: pypdfium2.PdfDocument, number: int) -> Iterator[OpenPage]:
    """Open page ``number`` (from 0), and close it at the end. Raises ``PdfiumError`` if the page is damaged."""
    opened = _filled(document, number) or OpenPage(document[number])
    try:
        yield opened
    finally:
        opened.page.close()


def _filled(document: pypdfium2.PdfDocument, number: int) -> OpenPage | None:
    """Open a page and make its fields part of it; ``None`` if it has none."""
    page = document[number]
    try:
        notes = range(pdfium.FPDFPage_GetAnnotCount(page.raw))
        ticks = [tick for n in notes for tick in _typed(document, page.raw, n)]
        if not ticks:
            return None
        own = page.get_textpage().count_chars()
        if pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_FAIL:
            return None
    finally:
        page.close()
    return OpenPage(document[number], own, tuple(tick for tick in ticks if tick))


def _typed(document: pypdfium2.PdfDocument, page: pdfium.FPDF_PAGE, number: int) -> Iterator[Tick | None]:
    """Yield annotation ``number`` if it is a field or a typed note: a tick, or ``None`` for any other."""
    note = pdfium.FPDFPage_GetAnnot(page, number)
    if not note:
        return
    try:
        if pdfium.FPDFAnnot_GetSubtype(note) not in _TYPED:
            return
        form = document.formenv
        if not form or pdfium.FPDFAnnot_GetFormFieldType(form, note) not in _BOXES:
            yield None
            return
        sides = pdfium.FS_RECTF()
        pdfium.FPDFAnnot_GetRect(note, ctypes.byref(sides))
        is_set = bool(pdfium.FPDFAnnot_IsChecked(form, note))
        yield Tick(sides.left, sides.bottom, sides.right, sides.top, is_set)
    finally:
        pdfium.FPDFPage_CloseAnnot(note)


MOST_RULES = 20_000
"""Most lines of a page; a page with more is a drawing, and none is read."""
_DEEPEST = 5  # greatest depth of drawings within drawings
_THIN = 2.0  # greatest thickness of a drawn line, in points
_SAME = 1.5  # greatest distance of two parts of one line across its direction, in points
_BREAK = 3.0  # greatest distance of two parts along it
_SHORTEST = 6.0
_FAR = 1e6
_SOLID = 0xFF

MOST_SHADES = 500
"""Most filled areas of a page; a page with more is a drawing, and none is read."""

Colour = tuple[int, ...]
_Place = Callable[[float, float], tuple[float, float]]
_Rule = tuple[float, float, float]  # the position of a line across its direction, its start and its end


@dataclass(frozen=True, slots=True)
class Rules:
    """The vertical and horizontal lines of a page, in points from its top left as displayed."""

    across: Sequence[_Rule] = ()
    """The horizontal lines, from the top."""
    down: Sequence[_Rule] = ()
    """The vertical lines, from the left."""
    shades: Sequence[tuple[Box, Colour]] = ()
    """The filled areas, in the order in which they are drawn."""

    def cell(self, box: Box) -> Box | None:
        """Return the cell around a text; ``None`` without lines above and below it and on a side of it.

        The lines above and below reach from side to side. Where there is but one side, a line just as long as the text
        underlines it.
        """
        if not self.across:
            return None
        left, top, right, bottom = box
        y = (top + bottom) / 2
        before, after = _beside(self.down, (left + right) / 2, y, y)
        if before is None and after is None:
            return None
        low = left - _SAME if before is None else before + _BREAK
        high = right + _SAME if after is None else after - _BREAK
        above, below = _beside(self.across, y, low, high)
        if above is None or below is None:
            return None
        return (-_FAR if before is None else before), above, (_FAR if after is None else after), below

    def shade(self, box: Box) -> Colour | None:
        """Return the colour of the filled area behind the middle of a text; ``None`` without one."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for (left, top, right, bottom), colour in reversed(self.shades):
            if left <= x <= right and top <= y <= bottom:
                return colour
        return None

    def part(self, one: Box, other: Box) -> bool:
        """Return whether a vertical line stands between a letter and the next one on its right."""
        first = bisect_left(self.down, one[2] - 1, key=lambda rule: rule[0])
        last = bisect_right(self.down, other[0] + 1, key=lambda rule: rule[0])
        y = (other[1] + other[3]) / 2
        return any(start <= y <= end for _, start, end in self.down[first:last])


def _beside(rules: Sequence[_Rule], at: float, low: float, high: float) -> tuple[float | None, float | None]:
    """Return the positions of the lines next to ``at`` on both sides that go past ``low`` to ``high``."""

    def nearest(some: Iterable[_Rule]) -> float | None:
        return next((position for position, start, end in some if start <= low and high <= end), None)

    middle = bisect_left(rules, at, key=lambda rule: rule[0])
    return nearest(rules[:middle][::-1]), nearest(rules[middle:])


def rules_of(page: pypdfium2.PdfPage, place: _Place) -> Rules:
    """Read the lines and the filled areas of a page. ``place``: converts points of the page to those of ``Rules``."""
    across: list[_Rule] = []
    down: list[_Rule] = []
    shades: list[tuple[Box, Colour]] = []
    for left, top, right, bottom in _strokes(page, place, shades):
        if bottom - top <= _THIN < right - left:
            across.append(((top + bottom) / 2, left, right))
        elif right - left <= _THIN < bottom - top:
            down.append(((left + right) / 2, top, bottom))
        if len(across) + len(down) > MOST_RULES:
            return Rules()
    return Rules(_joined(across), _joined(down), shades if len(shades) <= MOST_SHADES else ())


def _joined(rules: Sequence[_Rule]) -> list[_Rule]:
    """Join the parts of each line, such as the sides of neighbouring cells."""
    lines: list[list[_Rule]] = []
    for rule in sorted(rules):
        if not lines or rule[0] - lines[-1][0][0] > _SAME:
            lines.append([])
        lines[-1].append(rule)
    found: list[_Rule] = []
    for line in lines:
        position, spans = line[0][0], sorted(rule[1:] for rule in line)
        start, end = spans[0]
        for low, high in [*spans[1:], (float("inf"), 0.0)]:
            if low > end + _BREAK:
                if end - start >= _SHORTEST:
                    found.append((position, start, end))
                start = low
            end = max(end, high)
    return found


def _strokes(page: pypdfium2.PdfPage, place: _Place, shades: list[tuple[Box, Colour]]) -> Iterator[Box]:
    """Yield the box around each straight part of the paths of a page, and around each thin path.

    Filled paths that are not thin are added to ``shades``.
    """
    for path in page.get_objects([pdfium.FPDF_PAGEOBJ_PATH], max_depth=_DEEPEST):
        is_stroked, colour = _look(path.raw)
        if not is_stroked and colour is None:
            continue
        matrix, outer = path.get_matrix(), path.container
        while outer is not None:
            matrix, outer = matrix.multiply(outer.get_matrix()), outer.container
        points = [place(*matrix.on_point(x, y)) * 2 for x, y in _corners(path.raw)]
        around = around_all(points or [(0.0,) * 4])
        if min(around[2] - around[0], around[3] - around[1]) <= _THIN:
            yield around
        else:
            if colour is not None:
                shades.append((around, colour))
            yield from map(around_all, pairwise(points))


def around_all(boxes: Iterable[Box]) -> Box:
    """Return the box around all ``boxes``."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _look(path: pdfium.FPDF_PAGEOBJECT) -> tuple[bool, Colour | None]:
    """Return whether a path is stroked, and the colour that it is filled with, if that is not white."""
    fill, is_stroked = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fill, is_stroked)
    parts = tuple(ctypes.c_uint() for _ in range(4))
    pdfium.FPDFPageObj_GetFillColor(path, *parts)
    colour = tuple(part.value for part in parts[:3])
    is_filled = bool(fill.value) and any(part != _SOLID for part in colour)
    return bool(is_stroked.value), colour if is_filled else None


def _corners(path: pdfium.FPDF_PAGEOBJECT) -> Iterator[tuple[float, float]]:
    """Yield the points of a path; one that begins anew or is closed has its first point again."""
    start: tuple[float, float] | None = None
    for n in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, n)
        x, y = ctypes.c_float(), ctypes.c_float()
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        at = x.value, y.value
        if start is None or pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO:
            start = at
        yield at
        if pdfium.FPDFPathSegment_GetClose(segment):
            yield start
