"""The formats of ``export`` and ``annotate export``; a format's module is imported only when it is used.

Each module has a function ``write`` that yields pieces of a file, so that any number of turns needs little memory.
Questions, model text and passages are untrusted; each module escapes them for its format. Files get names that people
recognise and every file system takes.
"""

import io
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from importlib import import_module
from urllib.parse import quote

from searchain.errors import StorageError, UsageError
from searchain.events import Turn
from searchain.types import Outcome, Place
from storage.collections.documents import Document
from storage.history.finished_turns import Record
from ui.translation import N_

DocumentOf = Callable[[Place], Document | None]
"""Returns the own document of a place, if the person who exports may see it."""
EVERYTHING = "SearChain conversations"
_MOST = 80  # most bytes of the title in a file name; file systems take 255 for the whole name


def file_name(title: str, suffix: str, day: str = "") -> str:
    """Return the words of ``title`` and the ``day``, joined by hyphens, with ``suffix``.

    Args:
        title: letters and digits of any script are kept, all else stands between words.
        day: a time that begins with a date, such as "2026-11-23T10:00:00Z"; by default today.

    >>> file_name("Who painted “The Mona Lisa”?", ".md", "2026-11-23T10:00:00Z")
    'Who-painted-The-Mona-Lisa-2026-11-23.md'
    >>> file_name("../..", ".csv", "2026-11-23")
    'conversation-2026-11-23.csv'
    """
    words = "-".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", title)))
    return f"{_cut(words) or 'conversation'}-{day[:10] or datetime.now(UTC).date().isoformat()}{suffix}"


def attachment(name: str) -> str:
    """Return a ``Content-Disposition`` header with the name in ASCII for old browsers and in full for others."""
    plain = re.sub(r"[^\w .-]", "", unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()).strip("-")
    return f"attachment; filename=\"{plain}\"; filename*=utf-8''{quote(name, safe='')}"


def _cut(words: str) -> str:
    """Cut ``words`` to ``_MOST`` bytes, between words if possible."""
    if len(words.encode()) <= _MOST:
        return words
    begin = words.encode()[: _MOST + 1].decode(errors="ignore")
    return begin.rpartition("-")[0] or begin[:-1]


_LINES = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its module, the suffix and media type of its files, and its purpose."""

    module: str
    suffix: str
    media_type: str
    about: str
    needs_documents: bool = False
    """Whether ``write`` takes, as a second value, a function from a place to the own document that is shown for it."""

    @property
    def write(self) -> Callable[..., Iterator[str | bytes]]:
        """The module's ``write``; that of Word yields bytes. It raises ``StorageError`` if a turn cannot be read."""
        return import_module(self.module).write

    def pieces(self, records: Iterable[Record], documents: DocumentOf) -> Iterator[str | bytes]:
        """Call ``write`` with what it needs."""
        return self.write(records, documents) if self.needs_documents else self.write(records)


FORMATS = {
    "jsonl": Format(
        "storage.transfer.jsonl", ".jsonl", _LINES, N_("lossless, every event of every turn; can be imported")
    ),
    "openai": Format(
        "ui.exports.openai_chat", ".openai.jsonl", _LINES, N_("one conversation per line, as OpenAI messages")
    ),
    "csv": Format("ui.exports.csv_rows", ".csv", "text/csv", N_("one row per sentence and citation, for programs")),
    "spreadsheet": Format(
        "ui.exports.spreadsheet", ".csv", "text/csv", N_("one row per sentence and citation, few columns")
    ),
    "word": Format(
        "ui.exports.word",
        ".docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        N_("replies with numbered footnotes"),
    ),
    "markdown": Format("ui.exports.markdown", ".md", "text/markdown", N_("replies with footnotes and quoted passages")),
    "html": Format("ui.exports.html_page", ".html", "text/html", N_("one self-contained page to read")),
    "proof": Format(
        "ui.exports.proof",
        ".proof.html",
        "text/html",
        N_("one page with quotations and hashes, to be checked on any machine"),
        needs_documents=True,
    ),
    "bibtex": Format(
        "ui.exports.bibtex", ".bib", "application/x-bibtex", N_("the sources, each once, for a bibliography")
    ),
    "alce": Format("ui.exports.alce", ".alce.json", "application/json", N_("what the ALCE evaluation reads")),
}
"""Formats of turns. Their ``write(records)`` takes finished turns, by conversation and position."""

PACKED_LABELS = "labels.jsonl"
"""The name of the file with the labels in the zip of ``annotate export --protocol``."""
LABEL_FORMATS = {
    "jsonl": Format(
        "storage.annotation.export_jsonl",
        ".jsonl",
        _LINES,
        N_("everything, every version of every label; can be imported"),
    ),
    "csv": Format(
        "ui.exports.labels_csv",
        ".csv",
        "text/csv",
        N_("the labels that count and gold: a row for each knowledge item, mark and annotator"),
    ),
}
"""Formats of labels. Their ``write(store, names)`` takes a database and a function that converts annotators' names."""


def unpacked(raw: bytes) -> Iterator[bytes]:
    """Yield the lines of the labels in a zip of ``export --protocol``.

    Raises ``StorageError`` if they are not in the bytes.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as pack, pack.open(PACKED_LABELS) as lines:
            yield from lines
    except (OSError, KeyError, ValueError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
        raise StorageError(f"this is no zip of `annotate export --protocol` ({error}); nothing was imported") from None


def encoded(pieces: Iterable[str | bytes]) -> Iterator[bytes]:
    """Yield pieces of a file as bytes."""
    return (piece if isinstance(piece, bytes) else piece.encode() for piece in pieces)


class _Unmarked(Record):
    """A turn that says nothing of how far its reply can be believed."""

    def state(self) -> Turn:
        turn = super().state()
        sources = tuple(replace(source, probability=None) for source in turn.sources)
        return replace(
            turn, outcome=Outcome.NO_SEARCH, probability=None, sources=sources, candidates=(), conflict=(), message=""
        )


def unmarked(record: Record) -> Record:
    """Return the record of the same reply, with its citations but without signs and odds."""
    return _Unmarked(*(getattr(record, field.name) for field in fields(record)))


def format_named(name: str) -> Format:
    """Return a format of turns by its name. Raises ``UsageError`` if no format has this name."""
    if name not in FORMATS:
        raise UsageError(f"there is no format {name!r}; there are: {', '.join(FORMATS)}")
    return FORMATS[name]
