"""Parse one file in a child process."""

from __future__ import annotations

import shutil
from pathlib import Path

from searchain.documents.kinds import ARCHIVES, kind_of_name, unknown
from searchain.documents.parsed import ParsedDocument
from searchain.documents.sandbox import run_child
from searchain.errors import DocumentRefused


def parse_file(path: Path, name: str, *, read_pictures: bool = False) -> ParsedDocument:
    """Parse the file at ``path``, whose bytes must match the ending of ``name``.

    Args:
        name: the name of the file for people; it decides the kind and is never opened.
        read_pictures: read scanned pages by character recognition, if ``can_read_pictures()``.

    Raises:
        DocumentRefused: nothing could be read; its ``state`` is ``no_text``, ``encrypted``, ``too_large`` or
            ``failed``, its ``reason`` a sentence.
    """
    kind = kind_of_name(name)
    if kind is None:
        raise unknown(name)
    if kind in ARCHIVES:
        raise DocumentRefused("failed", "A zip or web archive is no document itself; its files are added one by one.")
    program = shutil.which("tesseract") if read_pictures else None
    answer = run_child(path, {"do": "parse", "name": name, "pictures": program})
    return ParsedDocument.from_json(answer.decode())


def can_read_pictures() -> bool:
    """Tell whether this machine can read scanned pages, that is, whether tesseract is installed."""
    return shutil.which("tesseract") is not None
