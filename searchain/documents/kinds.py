"""List the kinds of files that can be read, and check that a file's bytes match its name."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from searchain.errors import DocumentRefused

SUFFIXES = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "md",
    ".markdown": "md",
    ".txt": "txt",
    ".epub": "epub",
    ".csv": "csv",
    ".tsv": "csv",
    ".eml": "eml",
    ".mbox": "mbox",
    ".ipynb": "ipynb",
    ".json": "json",
    ".jsonl": "json",
    ".xml": "xml",
    ".rst": "rst",
    ".org": "org",
    ".tex": "tex",
    ".png": "picture",
    ".jpg": "picture",
    ".jpeg": "picture",
    ".tif": "picture",
    ".tiff": "picture",
    ".zip": "zip",
    ".warc": "warc",
    ".warc.gz": "warc",
}
"""File name ending in lower case → kind. A zip and a web archive hold other files (``files_in``)."""
ARCHIVES = frozenset({"zip", "warc"})
_TEXTS = frozenset(("html", "md", "txt", "csv", "eml", "mbox", "ipynb", "json", "xml", "rst", "org", "tex"))
_NAMES = {
    "pdf": "PDF",
    "docx": "Word document",
    "html": "web page",
    "md": "Markdown text",
    "txt": "text",
    "epub": "EPUB book",
    "csv": "table",
    "eml": "mail",
    "mbox": "mailbox",
    "ipynb": "notebook",
    "json": "JSON",
    "xml": "XML",
    "rst": "reStructuredText",
    "org": "Org text",
    "tex": "LaTeX text",
    "picture": "picture",
    "zip": "zip",
    "warc": "web archive",
}
_ADVICE = {
    ".doc": "save it as .docx",
    ".rtf": "save it as .docx",
    ".odt": "save it as .docx",
    ".pages": "save it as .docx",
    ".xls": "save its sheets as .csv",
    ".xlsx": "save its sheets as .csv",
    ".ods": "save its sheets as .csv",
    ".ppt": "save it as .pdf",
    ".pptx": "save it as .pdf",
    ".odp": "save it as .pdf",
    ".mobi": "save it as .epub",
    ".msg": "save it as .eml",
    ".heic": "save it as .jpg",
}
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*")
"""The first bytes of PNG, JPEG and TIFF."""
_READ = (
    "PDF, DOCX, EPUB, HTML, Markdown, text, CSV, JSON, XML, mail, notebooks, reStructuredText, Org, LaTeX, pictures, "
    "zip and web archives are read"
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of old Office files and of new ones with a password."""


def kind_of_name(name: str) -> str | None:
    """Return the kind of a file by the ending of ``name``, ``None`` for an unknown ending."""
    lower = name.lower()
    if lower.endswith(".warc.gz"):
        return "warc"
    return SUFFIXES.get(PurePosixPath(lower).suffix)


def unknown(name: str) -> DocumentRefused:
    """Return the refusal of a file whose name has no readable kind."""
    suffix = PurePosixPath(name.lower()).suffix
    advice = _ADVICE.get(suffix, _READ)
    said = f"Files that end with {suffix} are not read" if suffix else "A file without an ending is not read"
    return DocumentRefused("failed", f"{said}; {advice}.")


def check_kind(content: bytes, name: str) -> str:
    """Return the kind of a file; its bytes must match its name.

    Raises:
        DocumentRefused: they do not agree, or the kind is not read.
    """
    kind = kind_of_name(name)
    if kind is None:
        raise unknown(name)
    if not content:
        raise DocumentRefused("no_text", "The file is empty.")
    if kind == "docx" and content.startswith(_OLE):
        raise DocumentRefused(
            "encrypted", "The Word document has a password or an old form; save it as .docx without a password."
        )
    found = _text_or(_kind_of_bytes(content), content) if kind in _TEXTS else _kind_of_bytes(content)
    if found == kind or (found == "text" and kind in _TEXTS):
        if kind == "html" and not re.search(rb"<\s*[a-zA-Z!?/]", content.replace(b"\0", b"")):
            raise DocumentRefused("failed", "The name says web page, but the file holds no HTML.")
        return kind
    is_what = f"a {_NAMES[found]}" if found in _NAMES else ("text" if found == "text" else "something else")
    raise DocumentRefused(
        "failed", f"The name says {_NAMES[kind]}, but the bytes are {is_what}; give the file its right ending."
    )


def _text_or(found: str | None, content: bytes) -> str | None:
    """Return ``text`` if the bytes are text that looks like something else or like nothing at first; else ``found``."""
    from searchain.documents.decoding import is_text  # here: only the child process guesses encodings

    is_odd = found is None or (found == "pdf" and b"endobj" not in content)
    return "text" if is_odd and is_text(content) else found


def _kind_of_bytes(content: bytes) -> str | None:
    """Return the kind that the bytes show, ``text`` for bytes without zeros, or ``None``."""
    if b"%PDF-" in content[:1024]:
        return "pdf"
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        if b"word/document" in content:
            return "docx"
        if b"META-INF/container.xml" in content:
            return "epub"
        return "zip"
    if content.startswith(_PICTURES):
        return "picture"
    if content.startswith(b"WARC/") or content.startswith(b"\x1f\x8b"):
        return "warc"
    return None if b"\0" in content else "text"
