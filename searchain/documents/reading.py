"""Parse one file with the module for its kind. Runs in the child process only."""

import hashlib
from datetime import date
from importlib import import_module
from importlib.metadata import version
from pathlib import PurePosixPath

from searchain.documents.kinds import FORMS, check_kind
from searchain.documents.parsed import ParsedDocument
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused
from searchain.language.languages import language_of
from searchain.safe_text import one_line


def day_of(stated: str) -> str | None:
    """Return the day in a date of a PDF or of ISO 8601; ``None`` without one.

    >>> day_of("D:20240503120000+02'00'"), day_of("2024-05-03T10:00:00Z"), day_of("3 May")
    ('2024-05-03', '2024-05-03', None)
    """
    digits = stated.strip().removeprefix("D:").replace("-", "")[:8]
    try:
        return date.fromisoformat(digits).isoformat() if len(digits) == 8 else None
    except ValueError:
        return None


_IN_PAGES = ("pdf", "picture")  # kinds that are shown page by page, and that need a program where a page is a picture
MAX_TITLE = 200
TASTE = 5_000
"""How many characters of a text its language is known from."""
IN_OTHER_LANGUAGE = "In {}: its sentences are quoted; only a capable language model reads them."


def read_document(content: bytes, name: str, *, read_pictures: str | None) -> ParsedDocument:
    """Parse ``content``; the ending of ``name``, which is for people, decides the kind.

    ``read_pictures``: the program that reads scanned pages; ``None``: do not read them. Raises ``DocumentRefused`` if
    nothing can be read.
    """
    kind = check_kind(content, name)
    writer = Writer(has_anchors=kind not in _IN_PAGES)
    form = FORMS[kind]
    more = (read_pictures,) if kind in _IN_PAGES else ()
    title = import_module(f"searchain.documents.{form.module}").read(content, writer, *more)
    text = writer.text
    unread = f"Not read: {', '.join(writer.unread)}." if writer.unread else None
    language = language_of(text[:TASTE])
    notes = unread, IN_OTHER_LANGUAGE.format(language) if language != "English" else None
    if sum(map(str.isalnum, text[:10_000])) < 3:
        raise DocumentRefused("no_text", " ".join(filter(None, ("The file holds no text.", unread))))
    parser = f"{form.package} {version(form.package)}" if form.package else "text 1"
    stem = PurePosixPath(name.replace("\\", "/")).name
    return ParsedDocument(
        name=name,
        type=kind,
        version=hashlib.sha256(content).hexdigest(),
        bytes=len(content),
        parser=f"{parser}, tesseract" if writer.words else parser,
        title=one_line(title or "")[:MAX_TITLE] or stem.rpartition(".")[0] or stem,
        text=text,
        blocks=tuple(writer.blocks),
        pages=tuple(writer.pages),
        runs=tuple(writer.runs),
        words=tuple(writer.words),
        labels=tuple(writer.labels),
        unread=" ".join(filter(None, notes)) or None,
        author=one_line(writer.author)[:MAX_TITLE] or None,
        changed=day_of(writer.changed),
    )
