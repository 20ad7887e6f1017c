"""What a citation shows of the original: the page as a picture, and where its words stand."""

from __future__ import annotations

from pathlib import Path

from searchain.documents.parsed import ParsedDocument, Region


def regions(original: Path, parsed: ParsedDocument, start: int, end: int) -> list[Region]:
    """Find where ``parsed.text[start:end]`` stands in the PDF ``original``: a region per page, in order.

    A region without boxes is a page whose words could not be found again there; an empty list means that the document
    has no pages. Takes about 0.2 s: keep the result.
    """
    raise NotImplementedError


def page_image(original: Path, page: int) -> bytes:
    """Draw page ``page`` (from 1) of the PDF ``original`` as a WebP picture of at most 4 megapixels.

    Raises:
        DocumentRefused: there is no such page, or it cannot be drawn.
    """
    raise NotImplementedError
