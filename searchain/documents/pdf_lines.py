"""Read the lines of a PDF page: characters with their numbers in PDFium and their positions.

Runs in the child process only. PDFium's own text is not used, because on some pages its length differs from the number
of characters, so that offsets drift. Each character is read by its number instead.
"""

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pypdfium2.raw as pdfium
from pypdfium2 import PdfTextPage

from searchain.documents.parsed import Box
from searchain.documents.parsed import turned as turned_box
from searchain.documents.pdf_page import Colour, OpenPage, Rules, Tick, around_all, rules_of

SPLIT = 0.7
"""A gap in a line wider than this, in units of the font's size, may separate cells or columns."""
SPLIT_TYPED = 1.2
"""The same for fonts of which all characters are equally wide, also the space."""
_FIXED_PITCH = 1  # the flag of a font of which all characters are equally wide
TICKED, UNTICKED = "[x]", "[ ]"
_HYPHEN = "\x02"  # PDFium's character for a hyphen at the end of a line
_HYPHENS = frozenset({0x02, 0xFFFE})
_LINE_ENDS = frozenset({0x0A, 0x0D, 0x2028, 0x2029})
_DROPPED = frozenset({0x7F, 0xFFFE, 0xFFFF})  # characters without a meaning, besides control characters
_Character = tuple[int, str]  # (number of the character in PDFium, the character)


@dataclass(slots=True)
class Segment:
    """A part of a line without a wide gap.

    Its sides are in points from the top left of the page, turned so that the line is horizontal.
    """

    text: str
    characters: list[int]
    """One number in PDFium per code point of ``text``."""
    left: float
    top: float
    right: float
    bottom: float
    base: float = 0.0
    """The height of the line on which its first letter stands."""
    size: float = 0.0
    """The font's size in points as displayed."""
    is_bold: bool = False
    ends_in_hyphen: bool = False
    row: int = 0
    """The same number for all segments of a line."""
    turned: int = 0
    """The clockwise rotation of the line on the displayed page in degrees: 0, 90, 180 or 270."""
    is_field: bool = False
    """Whether it is the value of a form's field, or a typed note."""
    cell: Box | None = None
    """The cell around it, if lines are drawn around it."""
    shade: Colour | None = None
    """The colour of the area behind it, if one is drawn."""


def join(first: Segment, *others: Segment) -> Segment:
    """Join segments with spaces between them."""
    if not others:
        return first
    segments = (first, *others)
    return replace(
        first,
        text=" ".join(segment.text for segment in segments),
        characters=[*first.characters, *(n for segment in others for n in (-1, *segment.characters))],
        left=min(segment.left for segment in segments),
        top=min(segment.top for segment in segments),
        right=max(segment.right for segment in segments),
        bottom=max(segment.bottom for segment in segments),
        is_bold=all(segment.is_bold for segment in segments),
        ends_in_hyphen=segments[-1].ends_in_hyphen,
    )


@dataclass(frozen=True, slots=True)
class Frame:
    """The transformation from points of a page to shares (0–1) of the displayed page, rotated and cropped."""

    matrix: tuple[float, float, float, float, float, float]
    width: float
    height: float
    """In points, as displayed."""

    def place(self, x: float, y: float) -> tuple[float, float]:
        a, b, c, d, e, f = self.matrix
        return a * x + c * y + e, b * x + d * y + f

    def points(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point to points from the top left of the displayed page."""
        across, down = self.place(x, y)
        return across * self.width, down * self.height

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Convert a rectangle in page points to left, top, right and bottom as shares."""
        (x0, y0), (x1, y1) = self.place(left, bottom), self.place(right, top)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def points_box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Convert a rectangle in page points to left, top, right and bottom in points as displayed."""
        x0, y0, x1, y1 = self.box(left, bottom, right, top)
        return x0 * self.width, y0 * self.height, x1 * self.width, y1 * self.height


def frame_of(page: pdfium.FPDF_PAGE) -> Frame:
    """Compute the frame of ``page`` from the displayed positions of three points."""
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    unit = 1_000_000  # of device units a side: three digits finer than a pixel

    def displayed(x: float, y: float) -> tuple[float, float]:
        across, down = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, unit, unit, 0, x, y, across, down)
        return across.value / unit, down.value / unit

    step = 100.0
    (e, f), (x1, y1), (x2, y2) = displayed(0, 0), displayed(step, 0), displayed(0, step)
    matrix = ((x1 - e) / step, (y1 - f) / step, (x2 - e) / step, (y2 - f) / step, e, f)
    return Frame(matrix, max(width, 1.0), max(height, 1.0))


def segments_of(opened: OpenPage) -> list[Segment]:
    """Read the lines of a page in PDFium's order, split at wide gaps; the ticks of its form come last."""
    frame, text = frame_of(opened.page.raw), opened.page.get_textpage()
    rules = rules_of(opened.page, frame.points)
    found: list[Segment] = []
    for row, line in enumerate(_lines(text, opened)):
        found += _parts(text, frame, rules, line, row)
    own = opened.own_characters
    if own is not None:
        for segment in found:
            segment.is_field = segment.characters[0] >= own
    return found + [_ticked(tick, frame, -n) for n, tick in enumerate(opened.ticks, 1)]


def _ticked(tick: Tick, frame: Frame, row: int) -> Segment:
    """Write a checkbox as text, which has no characters in PDFium."""
    text = TICKED if tick.is_set else UNTICKED
    left, top, right, bottom = frame.points_box(tick.left, tick.bottom, tick.right, tick.top)
    size = bottom - top
    return Segment(text, [-1] * len(text), left, top, right, bottom, bottom - 0.25 * size, size, row=row, is_field=True)


def _lines(text: PdfTextPage, opened: OpenPage) -> Iterator[list[_Character]]:
    """Yield the characters of each line; the values of a form begin one, and the signs in its ticks are left out."""
    line: list[_Character] = []
    for number, code in _codes(text):
        if line and (number == opened.own_characters or code in _LINE_ENDS):
            yield line
            line = []
        if code in _HYPHENS:
            yield [*line, (number, _HYPHEN)]
            line = []
        elif _is_shown(code) and not (opened.ticks and _is_tick(text, opened, number)):
            line.append((number, " " if chr(code).isspace() else chr(code)))
    if line:
        yield line


def _codes(text: PdfTextPage) -> Iterator[tuple[int, int]]:
    """Yield the number and the code point of each character; a surrogate pair is one."""
    unicode_of, count = pdfium.FPDFText_GetUnicode, pdfium.FPDFText_CountChars(text)
    number = 0
    while number < count:
        at, code = number, unicode_of(text, number)
        number += 1
        if 0xD800 <= code < 0xDC00 and number < count and 0xDC00 <= (low := unicode_of(text, number)) < 0xE000:
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            number += 1
        yield at, code


def _is_shown(code: int) -> bool:
    """Return whether a code point has a meaning in text; line ends have none within a line."""
    if code in _DROPPED or code in _LINE_ENDS or 0xD800 <= code < 0xE000:
        return False
    return code == 0x09 or 0x20 <= code <= 0x10FFFF


def _is_tick(text: PdfTextPage, opened: OpenPage, number: int) -> bool:
    x, y = _origin(text, number)
    return number >= (opened.own_characters or 0) and any(tick.holds(x, y) for tick in opened.ticks)


def _origin(text: PdfTextPage, number: int) -> tuple[float, float]:
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text, number, x, y)
    return x.value, y.value


def _parts(text: PdfTextPage, frame: Frame, rules: Rules, line: list[_Character], row: int) -> Iterator[Segment]:
    ends_in_hyphen = line[-1][1] == _HYPHEN
    if ends_in_hyphen:
        line = [*line[:-1], (line[-1][0], "-")]
    shown = [number for number, character in line if character != " "]
    if not shown:
        return
    turned = _turned(text, frame, shown[0])
    rules = Rules() if turned else rules
    boxes = {number: _box(text, frame, number, turned) for number in _ends_of_words(line)}
    font = _font(text, shown[0])
    is_bold = font.is_bold and _font(text, shown[-1]).is_bold
    parts = _parted(line, boxes, (SPLIT_TYPED if font.is_typed else SPLIT) * font.size, rules)
    for part in parts:
        left, top, right, bottom = around = around_all(boxes[number] for number, _ in part if number in boxes)
        yield Segment(
            text="".join(character for _, character in part),
            characters=[number for number, _ in part],
            left=left,
            top=top,
            right=right,
            bottom=bottom,
            base=_base(text, frame, part[0][0], turned),
            size=font.size,
            is_bold=is_bold,
            ends_in_hyphen=ends_in_hyphen and part is parts[-1],
            row=row,
            turned=turned,
            cell=rules.cell(around),
            shade=rules.shade(around),
        )


def _parted(line: list[_Character], boxes: dict[int, Box], widest: float, rules: Rules) -> list[list[_Character]]:
    """Split a line at gaps wider than ``widest`` and at drawn lines; keep one space between words."""
    current: list[_Character] = []
    parts = [current]
    edge: Box | None = None
    for number, character in line:
        if character == " ":
            if current and current[-1][1] != " ":
                current.append((number, " "))
            continue
        box = boxes.get(number)
        if box is not None:
            if edge and current[-1][1] == " " and (_gap(edge, box) > widest or rules.part(edge, box)):
                current.pop()
                current = []
                parts.append(current)
            edge = box
        current.append((number, character))
    if current[-1][1] == " ":
        current.pop()
    return parts


def _ends_of_words(line: list[_Character]) -> set[int]:
    """Return the numbers of the first and last character of each word; only their positions are read, for speed."""
    found = set()
    for before, (number, character), after in zip([(0, " "), *line], line, [*line[1:], (0, " ")], strict=False):
        if character != " " and (before[1] == " " or after[1] == " "):
            found.add(number)
    return found


def _gap(one: Box, other: Box) -> float:
    """Return the horizontal distance of two characters, in either order."""
    return max(other[0] - one[2], one[0] - other[2])


def _turned(text: PdfTextPage, frame: Frame, number: int) -> int:
    """Return a character's clockwise rotation as displayed, rounded to 0, 90, 180 or 270 degrees."""
    angle = max(pdfium.FPDFText_GetCharAngle(text, number), 0.0)  # clockwise
    (x0, y0), (x1, y1) = frame.place(0, 0), frame.place(math.cos(angle), -math.sin(angle))
    across, down = (x1 - x0) * frame.width, (y1 - y0) * frame.height
    return round(math.degrees(math.atan2(down, across)) / 90) % 4 * 90


def _box(text: PdfTextPage, frame: Frame, number: int, turned: int) -> Box:
    return turned_box(frame.points_box(*text.get_charbox(number)), turned, frame.width, frame.height)


def _base(text: PdfTextPage, frame: Frame, number: int, turned: int) -> float:
    """Return how far below the top of the page, turned so that the line is horizontal, a character stands."""
    point = frame.points(*_origin(text, number))
    return turned_box((*point, *point), turned, frame.width, frame.height)[1]


@dataclass(frozen=True, slots=True)
class _Font:
    size: float  # in points as displayed
    is_bold: bool
    is_typed: bool  # whether all its characters are equally wide


def _font(text: PdfTextPage, number: int) -> _Font:
    matrix = pdfium.FS_MATRIX()
    scale = 1.0
    if pdfium.FPDFText_GetMatrix(text, number, matrix):
        scale = (matrix.c**2 + matrix.d**2) ** 0.5
    size = pdfium.FPDFText_GetFontSize(text, number) * scale
    flags = ctypes.c_int()
    length = pdfium.FPDFText_GetFontInfo(text, number, None, 0, flags)
    buffer = ctypes.create_string_buffer(max(length, 1))
    pdfium.FPDFText_GetFontInfo(text, number, buffer, length, flags)
    name = buffer.value.lower()
    is_bold = pdfium.FPDFText_GetFontWeight(text, number) >= 600 or b"bold" in name
    return _Font(max(size, 0.1), is_bold, bool(flags.value & _FIXED_PITCH) or b"courier" in name or b"mono" in name)
