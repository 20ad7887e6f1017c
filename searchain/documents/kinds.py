"""List the kinds of files that can be read, and check that a file's bytes match its name."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from pathlib import PurePosixPath

from searchain.errors import DocumentRefused

SUFFIXES = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".pptx": "pptx",
    ".odt": "odt",
    ".ods": "ods",
    ".odp": "odp",
    ".rtf": "rtf",
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
    "xlsx": "Excel workbook",
    "pptx": "PowerPoint presentation",
    "odt": "OpenDocument text",
    "ods": "OpenDocument spreadsheet",
    "odp": "OpenDocument presentation",
    "rtf": "RTF text",
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
    ".pages": "save it as .docx",
    ".xls": "save it as .xlsx",
    ".ppt": "save it as .pptx",
    ".mobi": "save it as .epub",
    ".msg": "save it as .eml",
    ".heic": "save it as .jpg",
}
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*")
"""The first bytes of PNG, JPEG and TIFF."""
_READ = (
    "PDF, Office and OpenDocument files, RTF, EPUB, HTML, Markdown, text, CSV, JSON, XML, mail, notebooks, "
    "reStructuredText, Org, LaTeX, pictures, zip and web archives are read"
)
_PARTS = {"word/document": "docx", "xl/workbook": "xlsx", "ppt/presentation": "pptx", "META-INF/container.xml": "epub"}
"""The beginning of the name of an entry of a zip → the kind that has it."""
_OPEN_DOCUMENTS = {"text": "odt", "spreadsheet": "ods", "presentation": "odp"}
MAX_TYPE = 200
"""Most bytes of the entry of an OpenDocument file that states its type."""
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
    if kind in _PARTS.values() and content.startswith(_OLE):
        raise DocumentRefused(
            "encrypted", f"The {_NAMES[kind]} has a password or an old form; save it as .{kind} without a password."
        )
    found = _text_or(_kind_of_bytes(content), content) if kind in _TEXTS else _kind_of_bytes(content)
    if found == kind or (found == "text" and kind in _TEXTS):
        if kind == "html" and not re.search(rb"<\s*[a-zA-Z!?/]", content.replace(b"\0", b"")):
            raise DocumentRefused("failed", "The name says web page, but the file holds no HTML.")
        return kind
    article = "an" if (found or "")[:1] in "oerx" else "a"
    is_what = f"{article} {_NAMES[found]}" if found in _NAMES else ("text" if found == "text" else "something else")
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
        return _kind_of_zip(content)
    if content.startswith(b"{\\rtf"):
        return "rtf"
    if content.startswith(_PICTURES):
        return "picture"
    if content.startswith(b"WARC/") or content.startswith(b"\x1f\x8b"):
        return "warc"
    return None if b"\0" in content else "text"


def _kind_of_zip(content: bytes) -> str:
    """Return the kind of a zip by the entries in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            names = packed.namelist()
            is_stated = "mimetype" in names and packed.getinfo("mimetype").file_size < MAX_TYPE
            stated = packed.read("mimetype").decode("ascii", "replace") if is_stated else ""
    except (zipfile.BadZipFile, EOFError, ValueError, RuntimeError, zlib.error):
        return "zip"
    word = stated.rpartition("opendocument.")[2].strip().removesuffix("-template")
    found = (kind for part, kind in _PARTS.items() if any(name.startswith(part) for name in names))
    return _OPEN_DOCUMENTS.get(word) or next(found, "zip")
