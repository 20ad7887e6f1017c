"""Read passages from one file, with a reason for each line that is not a passage.

A reader holds at most one line, page of a dump or text file, so memory does not grow with the corpus.
"""

import bz2
import gzip
import json
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import IO, Any, Literal, cast
from xml.etree.ElementTree import ParseError

from searchain.errors import RetrievalError, UsageError
from searchain.retrieval.records import (
    COMPRESSED,
    Found,
    lines,
    passages_of,
    read_cirrus,
    read_kilt,
    read_mediawiki,
    split_text,
    stem,
)
from searchain.safe_text import without_controls

SUFFIXES = (".jsonl", ".tsv", ".txt", ".md")
DUMPS = (".json", ".xml")
"""Endings of dumps, which are read only if the file itself is named, not in a folder."""
MAX_TEXT = 200_000_000
"""Most bytes of an unpacked text file, which is read into memory at once."""
Format = Literal["auto", "kilt", "cirrus", "mediawiki", "dpr", "colbert"]
"""The format of a file; ``auto`` chooses by its ending and its first line."""
_OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


def kind(path: Path) -> str:
    """Return the file's suffix in small letters, without ``.gz`` and the like."""
    return (path.with_suffix("") if path.suffix in COMPRESSED else path).suffix.lower()


def read_file(path: Path, format: Format = "auto") -> Iterator[Found]:
    """Yield (number of the line or page from 1, passage or the reason for none), in order.

    Raises:
        RetrievalError: the file cannot be read, or is not text.
        UsageError: it is of no known format.
    """
    try:
        chosen = format if format != "auto" else _format_of(path)
        with _open(path) as file:
            yield from _READERS[chosen](path, cast(BufferedIOBase, file))
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise RetrievalError(f"cannot read {str(path)!r}: {error}") from error
    except ParseError as error:
        raise RetrievalError(f"{str(path)!r} is no whole XML: {error}; fetch it again") from error


def _open(path: Path) -> IO[bytes]:
    return cast(IO[bytes], _OPENERS.get(path.suffix, open)(path, "rb"))


def _format_of(path: Path) -> str:
    """Return the format of a file by its ending and first line."""
    ending = kind(path)
    if ending in (".tsv", ".xml"):
        return "dpr" if ending == ".tsv" else "mediawiki"
    if ending not in (".json", ".jsonl"):
        return "text"
    with _open(path) as file:
        _, line, _ = next(lines(cast(BufferedIOBase, file)), (0, None, ""))
    try:
        first = json.loads(line or "")
    except (ValueError, RecursionError):
        first = None
    if isinstance(first, dict) and "wikipedia_title" in first:
        return "kilt"
    if isinstance(first, dict) and "index" in first and "text" not in first:
        return "cirrus"
    if ending == ".json":
        raise UsageError(f"{str(path)!r} is of no known format: a line a record is needed; try --format kilt or cirrus")
    return "jsonl"


def _read_jsonl(path: Path, file: BufferedIOBase) -> Iterator[Found]:
    for number, line, reason in lines(file):
        if line is None:
            yield number, reason
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            yield number, "not JSON"
            continue
        if not isinstance(record, dict):
            yield number, "not a JSON object"
        elif not isinstance(record.get("text"), str) or not isinstance(record.get("title") or "", str):
            yield number, "no text" if "text" not in record else "text and title must be strings"
        else:
            yield from (
                (number, passage)
                for passage in passages_of(
                    path, record.get("id"), record.get("title") or "", record["text"], record.get("url")
                )
            )


def _read_tsv(path: Path, file: BufferedIOBase, *, has_bar: bool = False) -> Iterator[Found]:
    """Read lines ``pid ⇥ text [⇥ title]``; with ``has_bar``, a text may be ``Title | text``."""
    for number, line, reason in lines(file):
        if line is None:
            yield number, reason
            continue
        fields = line.split("\t")
        if number == 1 and fields[0].strip().lower() in ("id", "pid"):
            continue
        if len(fields) < 2:
            yield number, "no tab between pid and text"
            continue
        text, title = _unquoted(fields[1]), fields[2] if len(fields) > 2 else ""
        if not title and text.startswith("Title:") and " Text:" in text:  # as the paper's corpus writes it
            title, _, text = text.removeprefix("Title:").partition(" Text:")
        elif not title and has_bar and " | " in text:
            title, _, text = text.partition(" | ")
        yield from ((number, passage) for passage in passages_of(path, fields[0], title, text, None))


def _read_text(path: Path, file: BufferedIOBase) -> Iterator[Found]:
    content = file.read(MAX_TEXT + 1)
    if len(content) > MAX_TEXT:
        raise RetrievalError(f"{str(path)!r} holds more than {MAX_TEXT:,} bytes of text; split it into several files")
    if b"\0" in content[:8_192]:
        raise RetrievalError(f"{str(path)!r} is no text file")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RetrievalError(f"{str(path)!r} is not UTF-8 (byte {error.start:,}); convert it first") from None
    title = _heading(text) if kind(path) == ".md" else None
    for line, piece in split_text(without_controls(text)):
        yield from ((line, passage) for passage in passages_of(path, None, title or stem(path), piece, None))


def _unquoted(field: str) -> str:
    """Return a field without the quotes of spreadsheets, which also double inner quotes."""
    return field[1:-1].replace('""', '"') if len(field) > 1 and field[0] == field[-1] == '"' else field


def _heading(text: str) -> str | None:
    match = re.search(r"^#{1,6}\s+(.+?)\s*#*\s*$", text, re.MULTILINE)
    return match[1] if match else None


_READERS: dict[str, Callable[[Path, BufferedIOBase], Iterator[Found]]] = {
    "jsonl": _read_jsonl,
    "text": _read_text,
    "dpr": _read_tsv,
    "colbert": partial(_read_tsv, has_bar=True),
    "kilt": read_kilt,
    "cirrus": read_cirrus,
    "mediawiki": read_mediawiki,
}
