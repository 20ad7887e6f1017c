"""Read passages from files (JSON Lines, TSV, plain text, Markdown, dumps) and from the embedded corpus.

    {"id": …, "title": …, "text": …, "url": …}     .jsonl, also .gz; id, title and url may be missing
    pid ⇥ text ⇥ title                             .tsv, also .gz; the title may be missing, a header line is skipped
    paragraphs                                     .txt and .md, also .gz; split into passages of about 150 words
    dumps of Wikipedia                             .json and .xml; see ``records``

A broken line is skipped and reported with its number; the rest is used. At most one line, page of a dump or text file
is held, and which passages a corpus has already is noted in a table on disk: memory does not grow with the corpus.
"""

import bz2
import gzip
import hashlib
import json
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, Literal, cast
from xml.etree.ElementTree import ParseError

from searchain.embedded import assets
from searchain.errors import EmptyCorpus, RetrievalError, UsageError
from searchain.language.descriptions import described
from searchain.retrieval.records import (
    COMPRESSED,
    Found,
    lines,
    objects,
    passages_of,
    read_cirrus,
    read_kilt,
    read_mediawiki,
    split_text,
    stem,
    wikipedia_url,
)
from searchain.safe_text import without_controls
from searchain.types import Passage, Place

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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

    Raises ``RetrievalError`` if the file cannot be read, or is not text, and ``UsageError`` if it is of no known
    format.
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
    for number, record, reason in objects(file):
        if record is None:
            yield number, reason
        elif not isinstance(record.get("text"), str) or not isinstance(record.get("title") or "", str):
            yield number, "no text" if "text" not in record else "text and title must be strings"
        else:
            title, text = record.get("title") or "", record["text"]
            found = passages_of(path, record.get("id"), title, text, record.get("url"))
            yield from ((number, passage) for passage in found)


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
    heading = re.search(r"^#{1,6}\s+(.+?)\s*#*\s*$", text, re.MULTILINE) if kind(path) == ".md" else None
    title = heading[1] if heading else stem(path)
    for line, piece in split_text(without_controls(text)):
        yield from ((line, passage) for passage in passages_of(path, None, title, piece, None))


def _unquoted(field: str) -> str:
    """Return a field without the quotes of spreadsheets, which also double inner quotes."""
    return field[1:-1].replace('""', '"') if len(field) > 1 and field[0] == field[-1] == '"' else field


_READERS: dict[str, Callable[[Path, BufferedIOBase], Iterator[Found]]] = {
    "jsonl": _read_jsonl,
    "text": _read_text,
    "dpr": _read_tsv,
    "colbert": partial(_read_tsv, has_bar=True),
    "kilt": read_kilt,
    "cirrus": read_cirrus,
    "mediawiki": read_mediawiki,
}


_FIRST = 1 << 12  # the slots of a new table. It doubles when half of them are taken.


class Known:
    """The hashes of ids and their contents. Among 20 million ids any two share a hash with a chance of 1 in 100,000."""

    def __init__(self) -> None:
        self._taken, self._table = 0, _table(_FIRST)

    def note(self, id: str, content: str) -> Literal["new", "same", "clash"]:
        """Record ``id`` with ``content``; tell whether it is new, known with the same content, or a clash."""
        if 2 * self._taken >= len(self._table):
            old, self._table = self._table, _table(2 * len(self._table))
            for row in old:
                if row[0]:
                    self._table[self._place(int(row[0]))] = row
        key, value = _hash(id) | 1, _hash(content)  # no key is 0, which marks a free slot
        there = self._table[self._place(key)]
        if there[0]:
            return "same" if there[1] == value else "clash"
        there[:] = key, value
        self._taken += 1
        return "new"

    def _place(self, key: int) -> int:
        """Return the slot of ``key``, or the free slot that it would take."""
        slot = (key >> 1) % len(self._table)
        while self._table[slot, 0] not in (0, key):
            slot = (slot + 1) % len(self._table)
        return slot


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def _table(slots: int) -> "NDArray[np.uint64]":
    """Return free slots, each a key with its value, in a file that goes with them."""
    import numpy as np  # here: the start of the command line need not pay for it

    with TemporaryFile() as file:
        return np.asarray(np.memmap(file, np.uint64, shape=(slots, 2)))


DEFAULT = "default"
"""The name of the embedded corpus, as a source and as an index."""
DEFAULT_DATE = "2026-08"
"""The month in which the embedded corpus was copied from Wikipedia. It states no date itself: the newest day in its
texts is 14 August 2026 (article "Elon Musk"), and its package was published on 18 August 2026."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that could not be read as a passage."""

    source: str
    line: int
    """From 1."""
    reason: str


class Reading:
    """Reads the passages of ``sources``: iterate once; then ``sources`` and ``skipped`` describe what was read.

    ``sources`` are files, directories (every known file below, sorted by path) or ``default``. Raises ``UsageError`` if
    one does not exist or is of an unknown kind.
    """

    def __init__(self, sources: Sequence[str | Path], format: Format = "auto") -> None:
        self._format = format
        self._files: list[Path | None] = []  # ``None`` stands for the embedded corpus
        for source in sources:
            self._files += [None] if str(source) == DEFAULT else _files(Path(source), format)
        self.sources: tuple[str, ...] = ()
        """The names of the sources read so far."""
        self._skipped: list[Skipped] = []
        self._found = 0

    def __iter__(self) -> Iterator[Passage]:
        """Yield each passage once.

        Raises ``UsageError`` if a file is of no known form, ``RetrievalError`` if a source cannot be read or is not
        text, and ``EmptyCorpus`` if the sources hold no passage.
        """
        return self.beyond(())

    def beyond(self, held: Iterable[Passage]) -> Iterator[Passage]:
        """Yield each passage once, without those in ``held``. Raises as ``__iter__``."""
        known = Known()
        for passage in held:
            known.note(passage.id, to_line(passage))
        for file in self._files:
            name = file.name if file else DEFAULT
            self.sources += (name,)
            records = read_file(file, self._format) if file else enumerate(default_corpus(), 1)
            yield from self._new(name, records, known)
        if not self._found:
            skipped = self._skipped
            first = f"; first: line {skipped[0].line}: {skipped[0].reason}" if skipped else ""
            raise EmptyCorpus(
                f"no passage in {', '.join(self.sources) or 'no file'} ({len(skipped)} lines skipped{first}); "
                'a passage is a line {"id", "title", "text"} or a paragraph'
            )

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The lines skipped so far."""
        return tuple(self._skipped)

    def _new(self, name: str, records: Iterable[Found], known: Known) -> Iterator[Passage]:
        for line, found in records:
            if isinstance(found, str):
                self._skipped.append(Skipped(name, line, found))
                continue
            self._found += 1
            state = known.note(found.id, to_line(found))
            if state == "new":
                yield found
            elif state == "clash":
                self._skipped.append(Skipped(name, line, f"another passage has the id {found.id!r}"))


def default_corpus() -> tuple[Passage, ...]:
    """Return the embedded corpus: 10,033 lead sections of English Wikipedia with their short descriptions, CC BY-SA.

    Raises ``SetupError`` if its file is missing or damaged.
    """
    records = json.loads(assets.find(assets.WIKIPEDIA_LEADS).read_text())
    return tuple(
        Passage(
            id=title,
            title=title,
            text=described(" ".join(record["description"].split()), " ".join(record["extract"].split())),
            url=wikipedia_url(title),
        )
        for title, record in records.items()
    )


def to_line(passage: Passage) -> str:
    """Return the passage as one line of JSON; equal passages give equal lines."""
    record: dict[str, Any] = {"id": passage.id, "title": passage.title, "text": passage.text}
    if passage.url is not None:
        record["url"] = passage.url
    if passage.place is not None:
        record["place"] = asdict(passage.place)
    return json.dumps(record, ensure_ascii=False) + "\n"


def from_line(line: bytes | str) -> Passage:
    """Return the passage that ``to_line`` wrote; a line of an older version has no place."""
    record = json.loads(line)
    place = record.get("place")
    return Passage(record["id"], record["title"], record["text"], record.get("url"), Place(**place) if place else None)


def _files(source: Path, format: Format) -> list[Path]:
    if source.is_dir():
        inside = sorted(path for path in source.rglob("*") if path.is_file() and kind(path) in SUFFIXES)
        if not inside:
            raise UsageError(f"no {', '.join(SUFFIXES)} file in directory {str(source)!r}")
        return inside
    if not source.is_file():
        raise UsageError(f"no file {str(source)!r}; a source is a file, a directory or {DEFAULT!r}")
    if format == "auto" and kind(source) not in (*SUFFIXES, *DUMPS):
        known = ", ".join((*SUFFIXES, *DUMPS))
        raise UsageError(f"{str(source)!r} is of an unknown kind; known: {known}, each also with .gz, .bz2 or .xz")
    return [source]
