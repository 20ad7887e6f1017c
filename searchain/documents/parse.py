"""Parse one file: choose the kind, run the child process, return the document or say why not."""

from __future__ import annotations

from pathlib import Path

from searchain.documents.parsed import ParsedDocument


def parse_file(path: Path, name: str, *, read_pictures: bool = False) -> ParsedDocument:
    """Parse the file at ``path``, whose kind its bytes and the suffix of ``name`` must agree on.

    Args:
        name: what people call the file; it decides the kind and is never opened.
        read_pictures: read pages without text by character recognition, where ``can_read_pictures()``.

    Raises:
        DocumentRefused: nothing could be read; its ``state`` is ``no_text``, ``encrypted``, ``too_large`` or
            ``failed``, its ``reason`` a sentence.
    """
    raise NotImplementedError


def can_read_pictures() -> bool:
    """Tell whether this machine can read scanned pages: whether tesseract is installed."""
    raise NotImplementedError
