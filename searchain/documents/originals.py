"""Handle files as a whole: find those of a folder or an archive, parse one, and show a citation in it."""

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import cast

from rapidfuzz import fuzz

from searchain.documents.kinds import ARCHIVES, kind_of_name, unknown
from searchain.documents.parsed import Box, ParsedDocument, Region, marks
from searchain.documents.sandbox import run_child
from searchain.errors import DocumentRefused


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file to parse."""

    name: str
    """The name with its folders, for people and for ``parse_file``; never a path to open."""
    path: Path
    """The file with its bytes. A file from a zip or a web archive exists until the next one is requested."""
    url: str | None = None
    """The URL from which a web archive got it."""
    refused: DocumentRefused | None = None
    """The reason not to parse it; ``path`` is then the archive."""


def files_in(path: Path, name: str | None = None) -> Iterator[FoundFile]:
    """Find the files of a folder, a zip or a web archive, in order of their names; any other file is the only one.

    Hidden files and links are left out. A file that no parser can read comes with ``refused``, and so does an archive
    that cannot be opened as a whole. An archive in a folder is opened; its name comes before the names of its files.
    ``name``: the name of the file for people; by default that of ``path``.
    """
    name = name or path.name
    if path.is_dir():
        for inner in sorted(path.rglob("*")):
            relative = inner.relative_to(path)
            if any(part.startswith(".") for part in relative.parts) or inner.is_symlink() or not inner.is_file():
                continue
            yield from files_in(inner, relative.as_posix())
        return
    kind = kind_of_name(name)
    if kind in ARCHIVES:
        try:
            yield from _packed(path, name, kind)
        except DocumentRefused as refusal:
            yield FoundFile(name, path, refused=refusal)
    else:
        yield FoundFile(name, path, refused=None if kind else unknown(name))


def _packed(path: Path, name: str, kind: str) -> Iterator[FoundFile]:
    with tempfile.TemporaryDirectory(prefix="searchain-unpacked-") as folder:
        for entry in json.loads(run_child(path, {"do": "unpack", "kind": kind}, folder=Path(folder))):
            inner = entry["name"] if kind == "warc" else f"{name}/{entry['name']}"
            if entry["number"] is None:
                yield FoundFile(inner, path, entry["url"], DocumentRefused(entry["state"], entry["reason"]))
            else:
                file = Path(folder) / str(entry["number"])
                yield FoundFile(inner, file, entry["url"])
                file.unlink(missing_ok=True)


def parse_file(path: Path, name: str) -> ParsedDocument:
    """Parse the file at ``path``, whose bytes must match the ending of ``name``.

    The pages of a PDF that are pictures are read where tesseract is installed. ``name`` is for people, and never
    opened. Raises ``DocumentRefused`` if nothing could be read; its ``state`` is ``no_text``, ``encrypted``,
    ``too_large`` or ``failed``, its ``reason`` a sentence.
    """
    kind = kind_of_name(name)
    if kind is None:
        raise unknown(name)
    if kind in ARCHIVES:
        raise DocumentRefused("failed", "A zip or web archive is no document itself; its files are added one by one.")
    answer = run_child(path, {"do": "parse", "name": name, "pictures": shutil.which("tesseract")})
    return ParsedDocument.from_json(answer.decode())


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
    """Do as ``regions``, with a function ``find`` that searches the original as ``pdf.find`` does."""
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

    ``stop`` ends the drawing when it is set. Raises ``DocumentRefused`` if the page does not exist or cannot be drawn.
    """
    return run_child(original, {"do": "draw", "type": type, "page": page}, stop=stop)
