"""Find the bounding boxes of characters in a PDF, and draw its pages. Runs in the child process only."""

import ctypes
from collections.abc import Sequence

import pypdfium2
import pypdfium2.raw as pdfium

from searchain.documents.parsed import Box, marks
from searchain.documents.pdf import open_pdf
from searchain.documents.pdf_lines import frame_of, open_text
from searchain.documents.pdf_page import open_page
from searchain.documents.pictures import MAX_SHOWN, MAX_SIDE, as_webp
from searchain.errors import DocumentRefused

SCALE = 1.5
"""Pixels per point: 108 dpi."""
_INSET = 0.12
"""The share of its height by which a box is reduced when its text is read back, so that neighbours stay out."""

Rectangle = tuple[float, float, float, float]
"""Left, top, right, bottom in points of the page; the origin is at the bottom."""


def find(content: bytes, pages: Sequence[tuple[int, Sequence[tuple[int, int]]]]) -> list[tuple[list[Box], str]]:
    """Find the bounding boxes of characters, and read back the text in these boxes.

    Args:
        pages: (page from 1, [(number of the first character, number of characters)]).

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
    with open_page(document, number - 1) as opened, open_text(opened.page.raw) as text:
        frame = frame_of(opened.page.raw)
        rectangles = [box for first, count in stretches for box in _rectangles(text, first, count)]
        read = "".join(_read(text, rectangle) for rectangle in rectangles)
    boxes = [frame.box(left, bottom, right, top) for left, top, right, bottom in rectangles]
    return marks(boxes, frame.width, frame.height), read


def _rectangles(text: pdfium.FPDF_TEXTPAGE, first: int, count: int) -> list[Rectangle]:
    """Return one rectangle per line and font of ``count`` characters."""
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


def draw(content: bytes, number: int) -> bytes:
    """Draw page ``number`` (from 1) as a WebP picture.

    Raises:
        DocumentRefused: the page does not exist or cannot be drawn.
    """
    document = open_pdf(content)
    if not 1 <= number <= len(document):
        raise DocumentRefused("failed", f"The PDF has no page {number}; it has {len(document)}.")
    with open_page(document, number - 1) as opened:
        page = opened.page
        width, height = max(page.get_width(), 1.0), max(page.get_height(), 1.0)
        scale = min(SCALE, (MAX_SHOWN / (width * height)) ** 0.5, MAX_SIDE / width, MAX_SIDE / height)
        return as_webp(page.render(scale=scale).to_pil())
