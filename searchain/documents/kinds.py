"""List the kinds of files that can be read, and check that a file's bytes match its name."""

import io
import re
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import NamedTuple

from searchain.errors import DocumentRefused


class Form(NamedTuple):
    """What is known of a kind of file."""

    name: str
    suffixes: tuple[str, ...]
    module: str = ""
    """The module whose ``read`` writes the text and returns the title that the document states.

    It raises ``DocumentRefused`` if the file is damaged or holds too much."""
    package: str | None = None
    """The distribution that this module reads it with."""
    is_text: bool = False


FORMS = {
    "pdf": Form("PDF", (".pdf",), "pdf", "pypdfium2"),
    "docx": Form("Word document", (".docx",), "docx", "mammoth"),
    "xlsx": Form("Excel workbook", (".xlsx", ".xlsm"), "xlsx", "lxml"),
    "pptx": Form("PowerPoint presentation", (".pptx",), "pptx", "lxml"),
    "odt": Form("OpenDocument text", (".odt",), "odf", "lxml"),
    "ods": Form("OpenDocument spreadsheet", (".ods",), "odf", "lxml"),
    "odp": Form("OpenDocument presentation", (".odp",), "odf", "lxml"),
    "rtf": Form("RTF text", (".rtf",), "rtf", "striprtf"),
    "html": Form("web page", (".html", ".htm", ".xhtml"), "html", "lxml", is_text=True),
    "md": Form("Markdown text", (".md", ".markdown"), "markdown", "markdown-it-py", is_text=True),
    "txt": Form("text", (".txt",), "plain_text", is_text=True),
    "epub": Form("EPUB book", (".epub",), "epub", "lxml"),
    "csv": Form("table", (".csv", ".tsv"), "tables", is_text=True),
    "eml": Form("mail", (".eml",), "mail", is_text=True),
    "mbox": Form("mailbox", (".mbox",), "mail", is_text=True),
    "ipynb": Form("notebook", (".ipynb",), "notebooks", "markdown-it-py", is_text=True),
    "json": Form("JSON", (".json", ".jsonl"), "values", is_text=True),
    "xml": Form("XML", (".xml",), "xml_elements", "lxml", is_text=True),
    "rst": Form("reStructuredText", (".rst",), "rst", "docutils", is_text=True),
    "org": Form("Org text", (".org",), "org", is_text=True),
    "tex": Form("LaTeX text", (".tex",), "tex", "pylatexenc", is_text=True),
    "picture": Form("picture", (".png", ".jpg", ".jpeg", ".tif", ".tiff"), "pictures", "pillow"),
    "zip": Form("zip", (".zip",)),
    "warc": Form("web archive", (".warc", ".warc.gz")),
}
"""Kind → its form. A zip and a web archive hold other files (``files_in``)."""
SUFFIXES = {suffix: kind for kind, form in FORMS.items() for suffix in form.suffixes}
"""File name ending in lower case → kind."""
ARCHIVES = frozenset({"zip", "warc"})
_BETTER = {"doc": "docx", "pages": "docx", "xls": "xlsx", "ppt": "pptx", "mobi": "epub", "msg": "eml", "heic": "jpg"}
"""Ending of a file that is not read → the one to save it with."""
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*")  # the first bytes of PNG, JPEG and TIFF
_READ = (
    "PDF, Office and OpenDocument files, RTF, EPUB, HTML, Markdown, text, CSV, JSON, XML, mail, notebooks, "
    "reStructuredText, Org, LaTeX, pictures, zip and web archives are read"
)
_PARTS = {"word/document": "docx", "xl/workbook": "xlsx", "ppt/presentation": "pptx", "META-INF/container.xml": "epub"}
"""The beginning of the name of an entry of a zip → the kind that has it."""
_OPEN_DOCUMENTS = {"text": "odt", "spreadsheet": "ods", "presentation": "odp"}
MAX_TYPE = 200
"""Most bytes of the entry of an OpenDocument file that states its type."""
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # the first bytes of old Office files and of new ones with a password


def kind_of_name(name: str) -> str | None:
    """Return the kind of a file by the ending of ``name``, ``None`` for an unknown ending."""
    lower = name.lower()
    if lower.endswith(".warc.gz"):
        return "warc"
    return SUFFIXES.get(PurePosixPath(lower).suffix)


def unknown(name: str) -> DocumentRefused:
    """Return the refusal of a file whose name has no readable kind."""
    suffix = PurePosixPath(name.lower()).suffix
    better = _BETTER.get(suffix[1:])
    advice = f"save it as .{better}" if better else _READ
    said = f"Files that end with {suffix} are not read" if suffix else "A file without an ending is not read"
    return DocumentRefused("failed", f"{said}; {advice}.")


def check_kind(content: bytes, name: str) -> str:
    """Return the kind of a file; its bytes must match its name.

    Raises ``DocumentRefused`` if they do not agree, or the kind is not read.
    """
    kind = kind_of_name(name)
    if kind is None:
        raise unknown(name)
    if not content:
        raise DocumentRefused("no_text", "The file is empty.")
    if kind in _PARTS.values() and content.startswith(_OLE):
        raise DocumentRefused(
            "encrypted", f"The {FORMS[kind].name} has a password or an old form; save it as .{kind} without a password."
        )
    form, found = FORMS[kind], _kind_of_bytes(content)
    if form.is_text:
        found = _text_or(found, content)
    if found == kind or (found == "text" and form.is_text):
        if kind == "html" and not re.search(rb"<\s*[a-zA-Z!?/]", content.replace(b"\0", b"")):
            raise DocumentRefused("failed", "The name says web page, but the file holds no HTML.")
        return kind
    article = "an" if (found or "")[:1] in "oerx" else "a"
    is_what = f"{article} {FORMS[found].name}" if found in FORMS else ("text" if found == "text" else "something else")
    raise DocumentRefused(
        "failed", f"The name says {FORMS[kind].name}, but the bytes are {is_what}; give the file its right ending."
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
