"""Open the pages of a PDF with the values of its form. Runs in the child process only.

The appearances of fields and typed notes are made part of the page, so that their characters are read, marked and drawn
like all others. They come after the characters of the page, whose numbers stay the same.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium

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
    """Open page ``number`` (from 0), and close it at the end.

    Raises:
        PdfiumError: the page is damaged.
    """
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
        text = pdfium.FPDFText_LoadPage(page.raw)
        own = pdfium.FPDFText_CountChars(text)
        pdfium.FPDFText_ClosePage(text)
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
