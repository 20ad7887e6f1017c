"""Unpack a zip or a web archive into the working folder of the child process.

There the files have numbers as names, because a name in an archive must not be used as a path.
"""

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypedDict
from urllib.parse import unquote, urlsplit

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from searchain.documents import limits
from searchain.documents.decoding import guessed
from searchain.documents.kinds import ARCHIVES, kind_of_name, unknown
from searchain.documents.office_xml import open_zip
from searchain.errors import DocumentRefused

_MICROSOFT, _OASIS = "application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument."
_SUFFIX_OF_TYPE = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "application/epub+zip": ".epub",
    "application/rtf": ".rtf",
    f"{_MICROSOFT}wordprocessingml.document": ".docx",
    f"{_MICROSOFT}spreadsheetml.sheet": ".xlsx",
    f"{_MICROSOFT}presentationml.presentation": ".pptx",
    f"{_OASIS}text": ".odt",
    f"{_OASIS}spreadsheet": ".ods",
    f"{_OASIS}presentation": ".odp",
}
MOST_SPECIAL = 1 / 3
"""The greatest share of accented letters in names that were written in code page 437."""
_IS_UTF_8 = 0x800  # the flag of a zip entry whose name is UTF-8


class Unpacked(TypedDict):
    """One file of an archive; ``number`` is its name in the folder, ``None`` if it was refused."""

    name: str
    number: int | None
    url: str | None
    state: str | None
    reason: str | None


def unpack(content: bytes, kind: str) -> list[Unpacked]:
    """Write the files of an archive into the working folder, named ``0``, ``1`` and so on.

    Raises ``DocumentRefused`` if the archive as a whole is damaged, has a password or unpacks to too much.
    """
    return list(_unpack_zip(content) if kind == "zip" else _unpack_warc(content))


def _refused(name: str, refusal: DocumentRefused, url: str | None = None) -> Unpacked:
    return Unpacked(name=name, number=None, url=url, state=refusal.state, reason=refusal.reason)


def _written(name: str, number: int, content: bytes, url: str | None = None) -> Unpacked:
    Path(str(number)).write_bytes(content)
    return Unpacked(name=name, number=number, url=url, state=None, reason=None)


def is_hidden(name: str) -> bool:
    """Tell whether a file is a dot file, or one that macOS adds to zips."""
    parts = re.split(r"[\\/]", name)
    return any(part.startswith(".") and part not in (".", "..") or part == "__MACOSX" for part in parts)


def _unpack_zip(content: bytes) -> Iterator[Unpacked]:
    with open_zip(content) as packed:
        entries = packed.infolist()
        encoding = _encoding_of_names(entries)
        named = sorted((_name_in_zip(entry, encoding), number) for number, entry in enumerate(entries))
        for name, number in named:
            entry = entries[number]
            if entry.is_dir() or is_hidden(name):
                continue
            kind = kind_of_name(name)
            if kind is None:
                yield _refused(name, unknown(name))
            elif kind in ARCHIVES:
                yield _refused(name, DocumentRefused("failed", "An archive in an archive is not opened; unpack it."))
            elif entry.file_size > limits.MAX_BYTES:
                yield _refused(name, limits.too_large(entry.file_size))
            else:
                try:
                    yield _written(name, number, packed.read(entry))
                except (zipfile.BadZipFile, EOFError, NotImplementedError):
                    yield _refused(name, DocumentRefused("failed", "The file is damaged in the zip."))


def _encoding_of_names(entries: Sequence[zipfile.ZipInfo]) -> str | None:
    """Return the encoding of the names that do not say UTF-8; ``None`` for code page 437, which the format prescribes.

    Many programs write the code page of their machine. Names that were written in code page 437 consist of letters, and
    most of them are plain ones.
    """
    names = [entry.filename for entry in entries if not entry.flag_bits & _IS_UTF_8]
    special = [character for name in names for character in name if not character.isascii()]
    letters = sum(character.isalpha() for name in names for character in name)
    if all(map(str.isalpha, special)) and len(special) <= MOST_SPECIAL * letters:
        return None
    joined = "\n".join(names).encode("cp437")
    try:
        joined.decode()
    except UnicodeDecodeError:
        return guessed(joined)
    return "utf-8"


def _name_in_zip(entry: zipfile.ZipInfo, encoding: str | None) -> str:
    if encoding is None or entry.flag_bits & _IS_UTF_8:
        return entry.filename
    return entry.filename.encode("cp437").decode(encoding, errors="replace")


def _unpack_warc(content: bytes) -> Iterator[Unpacked]:
    """Yield the pages in a web archive, one per URL; pictures, scripts and errors are left out."""
    total, seen = 0, set()
    try:
        for number, record in enumerate(ArchiveIterator(io.BytesIO(content))):
            if number > limits.MAX_ENTRIES:
                raise DocumentRefused("too_large", f"The web archive has more than {limits.MAX_ENTRIES:,} records.")
            if record.rec_type not in ("response", "resource"):
                continue
            url = record.rec_headers.get_header("WARC-Target-URI") or ""
            headers = record.http_headers or record.rec_headers
            status = record.http_headers.get_statuscode() if record.http_headers else "200"
            media = (headers.get_header("Content-Type") or "").partition(";")[0].strip().lower()
            suffix = _SUFFIX_OF_TYPE.get(media)
            if suffix is None or status != "200" or url in seen:
                continue
            seen.add(url)
            name = _name_of(url, suffix)
            body = record.content_stream().read(limits.MAX_BYTES + 1)
            total += len(body)
            if total > limits.MAX_UNPACKED:
                raise DocumentRefused(
                    "too_large", f"The web archive unpacks to more than {limits.MAX_UNPACKED / 1e6:.0f} MB."
                )
            if len(body) > limits.MAX_BYTES:
                yield _refused(name, limits.too_large(len(body)), url)
            else:
                yield _written(name, number, body, url)
    except (ArchiveLoadFailed, EOFError, OSError, ValueError, AttributeError) as error:
        if not seen:
            raise DocumentRefused("failed", "The web archive is damaged and cannot be read.") from error


def _name_of(url: str, suffix: str) -> str:
    """Return a name for people (host, path and query) with the ending of its kind."""
    parts = urlsplit(url)
    name = (parts.netloc + unquote(parts.path).rstrip("/")) + (f"?{parts.query}" if parts.query else "")
    return name if name.lower().endswith(suffix) else f"{name}{suffix}"
