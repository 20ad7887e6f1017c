"""Where characters of a PDF stand, and its pages as pictures. Runs in the child process only."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Sequence

import pypdfium2
import pypdfium2.raw as pdfium

from searchain.documents.parsed import Box
from searchain.documents.pdf import open_pdf
from searchain.documents.pdf_lines import Frame, frame_of, open_text
from searchain.errors import DocumentRefused

SCALE = 1.5
"""Pixels per point: 108 dpi."""
MAX_PIXELS = 4_000_000
MAX_SIDE = 8_000
"""Pixels; a WebP picture has at most 16,383."""
_INSET = 0.12
"""By how much of its height a box is narrowed when its text is read back, so that neighbours stay out."""
_MARGIN = 0.12
"""By how much of its height a box is made higher for the eye."""

Rectangle = tuple[float, float, float, float]
"""Left, top, right, bottom in points of the page; the origin is at the bottom."""


def find(content: bytes, pages: Sequence[tuple[int, Sequence[tuple[int, int]]]]) -> list[tuple[list[Box], str]]:
    """Find where characters stand, and read back what stands there.

    Args:
        pages: (page from 1, [(number of the first character, how many)]).

    Returns:
        (boxes, the text read back from them) per page; nothing for a page that cannot be opened.
    """
    document = open_pdf(content)
    return [_find_on_page(document, page, stretches) for page, stretches in pages]


def _find_on_page(
    document: pypdfium2.PdfDocument, number: int, stretches: Sequence[tuple[int, int]]
) -> tuple[list[Box], str]:
    if not 1 <= number <= len(document):
        return [], ""
    page = document[number - 1]
    frame = frame_of(page.raw)
    with open_text(page.raw) as text:
        rectangles = [box for first, count in stretches for box in _rectangles(text, first, count)]
        read = "".join(_read(text, rectangle) for rectangle in rectangles)
    return _marks(frame, rectangles), read


def _rectangles(text: pdfium.FPDF_TEXTPAGE, first: int, count: int) -> list[Rectangle]:
    """One rectangle per line and font of ``count`` characters."""
    found = []
    for n in range(pdfium.FPDFText_CountRects(text, first, count)):
        left, top, right, bottom = (ctypes.c_double() for _ in range(4))
        pdfium.FPDFText_GetRect(text, n, left, top, right, bottom)
        if left.value < right.value and bottom.value < top.value:
            found.append((left.value, top.value, right.value, bottom.value))
    return found


def _read(text: pdfium.FPDF_TEXTPAGE, rectangle: Rectangle) -> str:
    left, top, right, bottom = rectangle
    inset = _INSET * min(right - left, top - bottom)
    edges = (left + inset, top - inset, right - inset, bottom + inset)
    length = pdfium.FPDFText_GetBoundedText(text, *edges, None, 0)
    if length <= 0:
        return ""
    buffer = (ctypes.c_ushort * (length + 1))()
    written = pdfium.FPDFText_GetBoundedText(text, *edges, buffer, length)
    return bytes(buffer)[: 2 * written].decode("utf-16-le", errors="replace").rstrip("\0")


def _marks(frame: Frame, rectangles: Sequence[Rectangle]) -> list[Box]:
    """One box per line: rectangles as displayed, made a little higher, neighbours on a line joined.

    Lines may run across the page or up and down: whichever way the rectangles are longer.
    """
    boxes = [frame.box(left, bottom, right, top) for left, top, right, bottom in rectangles]
    wide = sum((box[2] - box[0]) * frame.width for box in boxes)
    high = sum((box[3] - box[1]) * frame.height for box in boxes)
    if wide >= high:
        return _clamped(_joined(boxes))
    return _clamped([_swapped(box) for box in _joined([_swapped(box) for box in boxes])])


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """Join neighbours on one line across, such as words in bold and plain letters, and add the margin."""
    joined: list[Box] = []
    for left, top, right, bottom in boxes:
        more = _MARGIN * (bottom - top)
        box = left, top - more, right, bottom + more
        if joined and _on_one_line(joined[-1], box):
            last = joined.pop()
            box = min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3])
        joined.append(box)
    return joined


def _on_one_line(one: Box, other: Box) -> bool:
    height = min(one[3] - one[1], other[3] - other[1])
    overlap = min(one[3], other[3]) - max(one[1], other[1])
    return overlap > 0.5 * height and max(other[0] - one[2], one[0] - other[2]) < 2 * height


def _swapped(box: Box) -> Box:
    return box[1], box[0], box[3], box[2]


def _clamped(boxes: Sequence[Box]) -> list[Box]:
    """Within the page; what is not displayed at all is left out."""
    found = []
    for box in boxes:
        left, top, right, bottom = (round(min(max(share, 0.0), 1.0), 5) for share in box)
        if left < right and top < bottom:
            found.append((left, top, right, bottom))
    return found


def draw(content: bytes, number: int) -> bytes:
    """Draw page ``number`` (from 1) as a WebP picture.

    Raises:
        DocumentRefused: there is no such page, or it cannot be drawn.
    """
    document = open_pdf(content)
    if not 1 <= number <= len(document):
        raise DocumentRefused("failed", f"The PDF has no page {number}; it has {len(document)}.")
    page = document[number - 1]
    width, height = max(page.get_width(), 1.0), max(page.get_height(), 1.0)
    scale = min(SCALE, (MAX_PIXELS / (width * height)) ** 0.5, MAX_SIDE / width, MAX_SIDE / height)
    picture = page.render(scale=scale, may_draw_forms=False).to_pil()
    output = io.BytesIO()
    picture.convert("RGB").save(output, "WEBP", quality=80, method=2)
    return output.getvalue()
