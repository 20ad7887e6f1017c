"""Parse one file with the module for its kind. Runs in the child process only."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import PurePosixPath
from typing import cast

from searchain.documents.dates import day_of
from searchain.documents.kinds import check_kind
from searchain.documents.parsed import Kind, ParsedDocument
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused
from searchain.safe_text import one_line

_PARSERS = {
    "pdf": "pypdfium2",
    "docx": "mammoth",
    "html": "lxml",
    "md": "markdown-it-py",
    "epub": "lxml",
}
MAX_TITLE = 200


def read_document(content: bytes, name: str, *, read_pictures: str | None) -> ParsedDocument:
    """Parse ``content``.

    Args:
        name: the name of the file for people; its ending decides the kind.
        read_pictures: the program that reads scanned pages; ``None``: do not read them.

    Raises:
        DocumentRefused: nothing can be read.
    """
    kind = check_kind(content, name)
    writer = Writer(has_anchors=kind != "pdf")
    title = _read(kind, content, writer, read_pictures)
    text = writer.text
    unread = f"Not read: {', '.join(writer.unread)}." if writer.unread else None
    if not _has_text(text):
        raise DocumentRefused("no_text", " ".join(filter(None, ("The file holds no text.", unread))))
    library = _PARSERS.get(kind)
    parser = f"{library} {version(library)}" if library else "text 1"
    stem = PurePosixPath(name.replace("\\", "/")).name
    return ParsedDocument(
        name=name,
        type=cast(Kind, kind),
        version=hashlib.sha256(content).hexdigest(),
        bytes=len(content),
        parser=f"{parser}, tesseract" if writer.words else parser,
        title=one_line(title or "")[:MAX_TITLE] or stem.rpartition(".")[0] or stem,
        text=text,
        blocks=tuple(writer.blocks),
        pages=tuple(writer.pages),
        runs=tuple(writer.runs),
        words=tuple(writer.words),
        unread=unread,
        author=one_line(writer.author)[:MAX_TITLE] or None,
        changed=day_of(writer.changed),
    )


def _has_text(text: str) -> bool:
    return sum(character.isalnum() for character in text[:10_000]) >= 3


def _read(kind: str, content: bytes, writer: Writer, program: str | None) -> str | None:
    """Write the text; return the title that the document states."""
    match kind:
        case "pdf":
            from searchain.documents import pdf

            return pdf.read(content, writer, program)
        case "html":
            from searchain.documents import html

            return html.read(content, writer)
        case "md":
            from searchain.documents import markdown

            return markdown.read(content, writer)
        case "docx":
            from searchain.documents import docx

            return docx.read(content, writer)
        case "epub":
            from searchain.documents import epub

            return epub.read(content, writer)
        case "csv":
            from searchain.documents import tables

            tables.read(content, writer)
        case _:
            from searchain.documents import plain_text

            plain_text.read(content, writer)
    return None
