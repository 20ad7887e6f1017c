"""Read passages from files (JSON Lines, TSV, plain text, Markdown, dumps) and from the embedded corpus.

    {"id": …, "title": …, "text": …, "url": …}     .jsonl, also .gz; id, title and url may be missing
    pid ⇥ text ⇥ title                             .tsv, also .gz; the title may be missing, a header line is skipped
    paragraphs                                     .txt and .md, also .gz; split into passages of about 150 words
    dumps of Wikipedia                             .json and .xml; see ``records``

A broken line is skipped and reported with its number; the rest is used. Which passages a corpus already has is recorded
in a database on disk, so that memory does not grow with the corpus.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from searchain.embedded import assets
from searchain.errors import EmptyCorpus, UsageError
from searchain.language.descriptions import described
from searchain.retrieval.readers import DUMPS, SUFFIXES, Format, kind, read_file
from searchain.retrieval.records import Found, wikipedia_url
from searchain.types import Passage, Place


class Known:
    """The hashes of ids and their contents. Among 20 million ids any two share a hash with a chance of 1 in 100,000."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("")  # a file that goes with the connection; what it holds is never undone
        self._database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536")
        self._database.execute("CREATE TABLE known (id INTEGER PRIMARY KEY, content INTEGER)")

    def note(self, id: str, content: str) -> Literal["new", "same", "clash"]:
        """Record ``id`` with ``content``; tell whether it is new, known with the same content, or a clash."""
        key, value = _hash(id), _hash(content)
        if self._database.execute("INSERT OR IGNORE INTO known VALUES (?, ?)", (key, value)).rowcount:
            return "new"
        (held,) = self._database.execute("SELECT content FROM known WHERE id = ?", (key,)).fetchone()
        return "same" if held == value else "clash"

    def close(self) -> None:
        self._database.close()


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)


DEFAULT = "default"
"""The name of the embedded corpus, as a source and as an index."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that could not be read as a passage."""

    source: str
    line: int
    """From 1."""
    reason: str


class Reading:
    """Reads the passages of ``sources``: iterate once; then ``sources`` and ``skipped`` describe what was read.

    Args:
        sources: files, directories (every known file below, sorted by path) or ``default``.
        format: how files are read.

    Raises:
        UsageError: a source does not exist or is of an unknown kind.
    """

    def __init__(self, sources: Sequence[str | Path], format: Format = "auto") -> None:
        self._format = format
        self._files: list[Path | None] = []
        """``None`` stands for the embedded corpus."""
        for source in sources:
            self._files += [None] if str(source) == DEFAULT else _files(Path(source), format)
        self._names: list[str] = []
        self._skipped: list[Skipped] = []
        self._found = 0

    def __iter__(self) -> Iterator[Passage]:
        """Yield each passage once.

        Raises:
            UsageError: a file is of no known form.
            RetrievalError: a source cannot be read or is not text.
            EmptyCorpus: the sources hold no passage.
        """
        return self.beyond(())

    def beyond(self, held: Iterable[Passage]) -> Iterator[Passage]:
        """Yield each passage once, without those in ``held``. Raises as ``__iter__``."""
        with closing(Known()) as known:
            for passage in held:
                known.note(passage.id, to_line(passage))
            for file in self._files:
                name = file.name if file else DEFAULT
                self._names.append(name)
                records = read_file(file, self._format) if file else enumerate(default_corpus(), 1)
                yield from self._new(name, records, known)
        if not self._found:
            skipped = self._skipped
            first = f"; first: line {skipped[0].line}: {skipped[0].reason}" if skipped else ""
            raise EmptyCorpus(
                f"no passage in {', '.join(self._names) or 'no file'} ({len(skipped)} lines skipped{first}); "
                'a passage is a line {"id", "title", "text"} or a paragraph'
            )

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources read so far."""
        return tuple(self._names)

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

    Raises:
        SetupError: its package is missing or damaged.
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
