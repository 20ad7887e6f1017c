"""Show a citation in the original: draw the page, and find the bounding boxes of the cited words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import cast

from rapidfuzz import fuzz

from searchain.documents.boxes import marks
from searchain.documents.parsed import Box, ParsedDocument, Region
from searchain.documents.sandbox import run_child
from searchain.errors import DocumentRefused

AGREEMENT = 90.0
"""Least similarity, in percent, of the cited text and the text read back from the boxes; below it none is shown."""
Pages = list[tuple[int, list[tuple[int, int]]]]
"""[(page from 1, [(number of the first character, number of characters)])]."""
Found = list[tuple[list[Box], str]]
"""For each page its boxes, and the text read back from them."""
_NOT_COMPARED = re.compile(r"[\W_\x02]+")


def regions(original: Path, parsed: ParsedDocument, start: int, end: int) -> list[Region]:
    """Find ``parsed.text[start:end]`` in the PDF ``original``; return one region per page, in order.

    A region without boxes is a page on which the words were not found again. The list is empty if the document has no
    pages. Starting the child process takes about 0.3 CPU-seconds, so keep the result.
    """

    def find(pages: Pages) -> Found:
        try:
            return cast(Found, json.loads(run_child(original, {"do": "find", "pages": pages})))
        except DocumentRefused:
            return [([], "")] * len(pages)

    return locate(parsed, start, end, find)


def locate(parsed: ParsedDocument, start: int, end: int, find: Callable[[Pages], Found]) -> list[Region]:
    """Do as ``regions``, with a function ``find`` that searches the original as ``pdf_views.find`` does."""
    if not parsed.pages or start >= end:
        return []
    pictures = _regions_of_words(parsed, start, end)
    pages: dict[int, list[tuple[int, int]]] = {}
    wanted: dict[int, str] = {}
    for run in parsed.runs:
        first, last = max(run.start, start), min(run.start + run.length, end)
        if first < last:
            pages.setdefault(run.page, []).append((run.character + first - run.start, last - first))
            wanted[run.page] = wanted.get(run.page, "") + parsed.text[first:last]
    if not pages:
        return pictures or [Region(parsed.page_of(start) or 1, ())]
    found = find(list(pages.items()))
    characters = [
        Region(page, tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in boxes) if _agrees(wanted[page], read) else ())
        for page, (boxes, read) in zip(pages, found, strict=True)
    ]
    return sorted(pictures + characters, key=lambda region: region.page)


def _agrees(wanted: str, read: str) -> bool:
    one, other = _NOT_COMPARED.sub("", wanted), _NOT_COMPARED.sub("", read)
    return fuzz.ratio(one or wanted, other or read) >= AGREEMENT


def _regions_of_words(parsed: ParsedDocument, start: int, end: int) -> list[Region]:
    boxes: dict[int, list[Box]] = {}
    for word in parsed.words:
        if word.start < end and word.end > start:
            boxes.setdefault(word.page, []).append(word.box)
    return [Region(page, tuple(marks(found, 1.0, 1.0))) for page, found in boxes.items()]


def page_image(original: Path, page: int, type: str = "pdf", stop: Event | None = None) -> bytes:
    """Draw page ``page`` (from 1) of a PDF or a picture as a WebP picture of at most 4 megapixels.

    ``stop`` ends the drawing when it is set.

    Raises:
        DocumentRefused: the page does not exist or cannot be drawn.
    """
    return run_child(original, {"do": "draw", "type": type, "page": page}, stop=stop)
