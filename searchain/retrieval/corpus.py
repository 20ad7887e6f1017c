"""Files of passages to passages: JSON Lines, TSV, plain text and Markdown, and the embedded corpus.

    {"id": …, "title": …, "text": …, "url": …}     .jsonl, also .gz; id, title and url may be missing
    pid ⇥ text ⇥ title                             .tsv, also .gz; the title may be missing, a header line is skipped
    paragraphs                                     .txt and .md, also .gz; split into passages of about 150 words

A broken line is skipped and reported with its number; the rest is used.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote

from searchain import assets
from searchain.errors import EmptyCorpus, RetrievalError, UsageError
from searchain.retrieval.passages import split_text
from searchain.types import Passage

DEFAULT = "default"
"""The name of the embedded corpus, as a source and as an index."""
MAX_LINE = 10_000_000
"""Bytes; a longer line is no passage."""
MAX_WORDS = 1_000
"""ColBERT reads the first 220 tokens of a passage: a record longer than this is split like a text file."""
SUFFIXES = (".jsonl", ".tsv", ".txt", ".md")


@dataclass(frozen=True, slots=True)
class Skipped:
    """One broken line."""

    source: str
    line: int
    """From 1."""
    reason: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """Passages in a fixed order, with unique ids."""

    passages: tuple[Passage, ...]
    sources: tuple[str, ...]
    """File names, or ``default``."""
    skipped: tuple[Skipped, ...] = ()

    @property
    def hash(self) -> str:
        """64 hexadecimal digits: equal exactly when ids, titles, texts, URLs and their order are."""
        digest = hashlib.sha256()
        for passage in self.passages:
            digest.update(to_line(passage).encode())
        return digest.hexdigest()


def read(sources: Sequence[str | Path]) -> Corpus:
    """The passages of ``sources``: files, directories (every known file below, sorted by path) or ``default``.

    Raises:
        UsageError: a source does not exist or is of an unknown kind.
        RetrievalError: a source cannot be read or is no text.
        EmptyCorpus: no passage in any of them.
    """
    found: dict[str, Passage] = {}
    skipped: list[Skipped] = []
    names = []
    for source in sources:
        if str(source) == DEFAULT:
            found |= {passage.id: passage for passage in default_corpus().passages if passage.id not in found}
            names.append(DEFAULT)
            continue
        for path in _files(Path(source)):
            names.append(path.name)
            for line, passage in _read_file(path):
                reason = passage if isinstance(passage, str) else _clash(passage, found)
                if reason:
                    skipped.append(Skipped(path.name, line, reason))
                else:
                    found.setdefault(passage.id, passage)
    if not found:
        first = f"; first: line {skipped[0].line}: {skipped[0].reason}" if skipped else ""
        raise EmptyCorpus(f"no passage in {', '.join(names) or 'no file'} ({len(skipped)} lines skipped{first}); "
                          'a passage is a line {"id", "title", "text"} or a paragraph')
    return Corpus(tuple(found.values()), tuple(names), tuple(skipped))


def default_corpus() -> Corpus:
    """The embedded corpus: 10,033 lead sections of English Wikipedia, CC BY-SA.

    Raises:
        SetupError: its package is missing or damaged.
    """
    records = json.loads(assets.find(assets.WIKIPEDIA_LEADS).read_text())
    return Corpus(tuple(
        Passage(id=title, title=title, text=" ".join(record["extract"].split()), url=wikipedia_url(title))
        for title, record in records.items()), (DEFAULT,))


def wikipedia_url(title: str) -> str:
    """The English Wikipedia page of ``title``.

    >>> wikipedia_url("Who's Afraid? (C# & R)")
    "https://en.wikipedia.org/wiki/Who's_Afraid%3F_(C%23_%26_R)"
    """
    return "https://en.wikipedia.org/wiki/" + quote(title.replace(" ", "_"), safe="/:@!$'()*,;")


def to_line(passage: Passage) -> str:
    """The passage as one line of JSON, the same for the same passage everywhere."""
    record = {"id": passage.id, "title": passage.title, "text": passage.text}
    if passage.url is not None:
        record["url"] = passage.url
    return json.dumps(record, ensure_ascii=False) + "\n"


def _files(source: Path) -> list[Path]:
    if source.is_dir():
        inside = sorted(path for path in source.rglob("*") if path.is_file() and _kind(path) in SUFFIXES)
        if not inside:
            raise UsageError(f"no {', '.join(SUFFIXES)} file in directory {str(source)!r}")
        return inside
    if not source.is_file():
        raise UsageError(f"no file {str(source)!r}; a source is a file, a directory or {DEFAULT!r}")
    if _kind(source) not in SUFFIXES:
        raise UsageError(f"{str(source)!r} is of an unknown kind; known: {', '.join(SUFFIXES)}, each also with .gz")
    return [source]


def _kind(path: Path) -> str:
    return (path.with_suffix("") if path.suffix == ".gz" else path).suffix.lower()


def _clash(passage: Passage, found: dict[str, Passage]) -> str | None:
    """Why the passage cannot be added; a passage that is there already is no clash."""
    other = found.get(passage.id)
    return f"another passage has the id {passage.id!r}" if other not in (None, passage) else None


def _read_file(path: Path) -> Iterator[tuple[int, Passage | str]]:
    """(line number, passage or the reason why there is none)."""
    reader = {".jsonl": _read_jsonl, ".tsv": _read_tsv}.get(_kind(path), _read_text)
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            yield from reader(path, file)
    except (OSError, EOFError) as error:
        raise RetrievalError(f"cannot read {str(path)!r}: {error}") from error


def _lines(file: IO[bytes]) -> Iterator[tuple[int, str | None, str]]:
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


def _read_jsonl(path: Path, file: IO[bytes]) -> Iterator[tuple[int, Passage | str]]:
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
            yield from ((number, passage) for passage in _passages(
                path, record.get("id"), record.get("title") or "", record["text"], record.get("url")))


def _read_tsv(path: Path, file: IO[bytes]) -> Iterator[tuple[int, Passage | str]]:
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
            yield from ((number, passage) for passage in _passages(
                path, fields[0], fields[2] if len(fields) > 2 else "", _unquoted(fields[1]), None))


def _read_text(path: Path, file: IO[bytes]) -> Iterator[tuple[int, Passage | str]]:
    content = file.read()
    if b"\0" in content[:8_192]:
        raise RetrievalError(f"{str(path)!r} is no text file")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RetrievalError(f"{str(path)!r} is not UTF-8 (byte {error.start:,}); convert it first") from None
    title = _heading(text) if _kind(path) == ".md" else None
    for line, piece in split_text(_tidy(text)):
        yield from ((line, passage) for passage in _passages(path, None, title or _stem(path), piece, None))


def _passages(path: Path, id: object, title: str, text: str, url: object) -> Iterable[Passage | str]:
    """The passage of one record, or several when it is long; or the reason why there is none."""
    title, text = " ".join(_tidy(title).split()), _tidy(text).strip()
    if not text:
        return ["empty text"]
    if isinstance(id, bool) or not isinstance(id, str | int | None):
        return ["the id is neither text nor a number"]
    name = _tidy(str(id)).strip() if id is not None else ""
    name = name or f"{_stem(path)}-{hashlib.sha256((title + text).encode()).hexdigest()[:10]}"
    link = url if isinstance(url, str) and re.match(r"https?://", url) else None
    if len(text.split()) <= MAX_WORDS:
        return [Passage(name, title, text, link)]
    return [Passage(f"{name}#{n}", title, piece, link) for n, (_, piece) in enumerate(split_text(text), 1)]


def _tidy(text: str) -> str:
    """Without what no display, database or tokenizer takes: NULs and other controls, and lone surrogates."""
    text = re.sub("[\ud800-\udfff]", "\ufffd", text.replace("\r\n", "\n"))
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", " ", text)


def _unquoted(field: str) -> str:
    """A field as spreadsheets write it: in quotes, with inner quotes doubled."""
    return field[1:-1].replace('""', '"') if len(field) > 1 and field[0] == field[-1] == '"' else field


def _heading(text: str) -> str | None:
    match = re.search(r"^#{1,6}\s+(.+?)\s*#*\s*$", text, re.MULTILINE)
    return match[1] if match else None


def _stem(path: Path) -> str:
    return (path.with_suffix("") if path.suffix == ".gz" else path).stem
