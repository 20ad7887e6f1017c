"""One file to passages, line by line, with the reason wherever a line is no passage."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedIOBase
from pathlib import Path

from searchain.errors import RetrievalError
from searchain.retrieval.passages import split_text
from searchain.safe_text import without_controls
from searchain.types import Passage

SUFFIXES = (".jsonl", ".tsv", ".txt", ".md")
MAX_LINE = 10_000_000
"""Bytes; a longer line is no passage."""
MAX_TEXT = 200_000_000
"""Bytes of a text file as it is unpacked, all of which is in memory at once."""
MAX_WORDS = 1_000
"""ColBERT reads the first 220 tokens of a passage: a record longer than this is split like a text file."""


def kind(path: Path) -> str:
    """The suffix that says how the file is read, ``.gz`` aside."""
    return (path.with_suffix("") if path.suffix == ".gz" else path).suffix.lower()


def read_file(path: Path) -> Iterator[tuple[int, Passage | str]]:
    """(line number from 1, passage or the reason why there is none), in order.

    Raises:
        RetrievalError: the file cannot be read, or is no text.
    """
    reader = {".jsonl": _read_jsonl, ".tsv": _read_tsv}.get(kind(path), _read_text)
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            yield from reader(path, file)
    except (OSError, EOFError, zlib.error) as error:
        raise RetrievalError(f"cannot read {str(path)!r}: {error}") from error


def _lines(file: BufferedIOBase) -> Iterator[tuple[int, str | None, str]]:
    """(number, text or None, reason), blank lines left out."""
    number = 0
    while line := file.readline(MAX_LINE):
        number += 1
        if not line.endswith(b"\n") and len(line) == MAX_LINE:
            while (rest := file.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield number, None, f"longer than {MAX_LINE:,} bytes"
            continue
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            yield number, None, "not UTF-8"
            continue
        if text.strip():
            yield number, text.rstrip("\r\n"), ""


def _read_jsonl(path: Path, file: BufferedIOBase) -> Iterator[tuple[int, Passage | str]]:
    for number, line, reason in _lines(file):
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
                for passage in _passages(
                    path, record.get("id"), record.get("title") or "", record["text"], record.get("url")
                )
            )


def _read_tsv(path: Path, file: BufferedIOBase) -> Iterator[tuple[int, Passage | str]]:
    for number, line, reason in _lines(file):
        if line is None:
            yield number, reason
            continue
        fields = line.split("\t")
        if number == 1 and fields[0].strip().lower() in ("id", "pid"):
            continue
        if len(fields) < 2:
            yield number, "no tab between pid and text"
        else:
            yield from (
                (number, passage)
                for passage in _passages(
                    path, fields[0], fields[2] if len(fields) > 2 else "", _unquoted(fields[1]), None
                )
            )


def _read_text(path: Path, file: BufferedIOBase) -> Iterator[tuple[int, Passage | str]]:
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
        yield from ((line, passage) for passage in _passages(path, None, title or _stem(path), piece, None))


def _passages(path: Path, id: object, title: str, text: str, url: object) -> Iterable[Passage | str]:
    """The passage of one record, or several when it is long; or the reason why there is none."""
    title, text = " ".join(without_controls(title).split()), without_controls(text).strip()
    if not text:
        return ["empty text"]
    if isinstance(id, bool) or not isinstance(id, str | int | None):
        return ["the id is neither text nor a number"]
    name = without_controls(str(id)).strip() if id is not None else ""
    name = name or f"{_stem(path)}-{hashlib.sha256((title + text).encode()).hexdigest()[:10]}"
    link = url if isinstance(url, str) and re.match(r"https?://", url) else None
    if len(text.split()) <= MAX_WORDS:
        return [Passage(name, title, text, link)]
    return [Passage(f"{name}#{n}", title, piece, link) for n, (_, piece) in enumerate(split_text(text), 1)]


def _unquoted(field: str) -> str:
    """A field as spreadsheets write it: in quotes, with inner quotes doubled."""
    return field[1:-1].replace('""', '"') if len(field) > 1 and field[0] == field[-1] == '"' else field


def _heading(text: str) -> str | None:
    match = re.search(r"^#{1,6}\s+(.+?)\s*#*\s*$", text, re.MULTILINE)
    return match[1] if match else None


def _stem(path: Path) -> str:
    return (path.with_suffix("") if path.suffix == ".gz" else path).stem
