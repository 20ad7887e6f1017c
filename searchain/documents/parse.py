"""Parse one file in a child process."""

from __future__ import annotations

import shutil
from pathlib import Path

from searchain.documents.kinds import ARCHIVES, kind_of_name, unknown
from searchain.documents.parsed import ParsedDocument
from searchain.documents.sandbox import run_child
from searchain.errors import DocumentRefused


def parse_file(path: Path, name: str) -> ParsedDocument:
    """Parse the file at ``path``, whose bytes must match the ending of ``name``.

    The pages of a PDF that are pictures are read where tesseract is installed.

    Args:
        name: the name of the file for people; it decides the kind and is never opened.

    Raises:
        DocumentRefused: nothing could be read; its ``state`` is ``no_text``, ``encrypted``, ``too_large`` or
            ``failed``, its ``reason`` a sentence.
    """
    kind = kind_of_name(name)
    if kind is None:
        raise unknown(name)
    if kind in ARCHIVES:
        raise DocumentRefused("failed", "A zip or web archive is no document itself; its files are added one by one.")
    answer = run_child(path, {"do": "parse", "name": name, "pictures": shutil.which("tesseract")})
    return ParsedDocument.from_json(answer.decode())
