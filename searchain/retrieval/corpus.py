"""Files of passages to passages: JSON Lines, TSV, plain text and Markdown, and the embedded corpus.

    {"id": …, "title": …, "text": …, "url": …}     .jsonl, also .gz; id, title and url may be missing
    pid ⇥ text ⇥ title                             .tsv, also .gz; the title may be missing, a header line is skipped
    paragraphs                                     .txt and .md, also .gz; split into passages of about 150 words

A broken line is skipped and reported with its number; the rest is used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from searchain.embedded import assets
from searchain.errors import EmptyCorpus, UsageError
from searchain.language.descriptions import described
from searchain.retrieval.readers import SUFFIXES, kind, read_file
from searchain.types import Passage, Place

DEFAULT = "default"
"""The name of the embedded corpus, as a source and as an index."""


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
            for line, passage in read_file(path):
                reason = passage if isinstance(passage, str) else _clash(passage, found)
                if reason:
                    skipped.append(Skipped(path.name, line, reason))
                elif isinstance(passage, Passage):
                    found.setdefault(passage.id, passage)
    if not found:
        first = f"; first: line {skipped[0].line}: {skipped[0].reason}" if skipped else ""
        raise EmptyCorpus(
            f"no passage in {', '.join(names) or 'no file'} ({len(skipped)} lines skipped{first}); "
            'a passage is a line {"id", "title", "text"} or a paragraph'
        )
    return Corpus(tuple(found.values()), tuple(names), tuple(skipped))


def default_corpus() -> Corpus:
    """The embedded corpus: 10,033 lead sections of English Wikipedia with their short descriptions, CC BY-SA.

    Raises:
        SetupError: its package is missing or damaged.
    """
    records = json.loads(assets.find(assets.WIKIPEDIA_LEADS).read_text())
    return Corpus(
        tuple(
            Passage(
                id=title,
                title=title,
                text=described(" ".join(record["description"].split()), " ".join(record["extract"].split())),
                url=wikipedia_url(title),
            )
            for title, record in records.items()
        ),
        (DEFAULT,),
    )


def wikipedia_url(title: str) -> str:
    """The English Wikipedia page of ``title``.

    >>> wikipedia_url("Who's Afraid? (C# & R)")
    "https://en.wikipedia.org/wiki/Who's_Afraid%3F_(C%23_%26_R)"
    """
    return "https://en.wikipedia.org/wiki/" + quote(title.replace(" ", "_"), safe="/:@!$'()*,;")


def to_line(passage: Passage) -> str:
    """The passage as one line of JSON, the same for the same passage everywhere."""
    record: dict[str, Any] = {"id": passage.id, "title": passage.title, "text": passage.text}
    if passage.url is not None:
        record["url"] = passage.url
    if passage.place is not None:
        record["place"] = asdict(passage.place)
    return json.dumps(record, ensure_ascii=False) + "\n"


def from_line(line: bytes | str) -> Passage:
    """The passage that ``to_line`` wrote; a line of an older version has no place."""
    record = json.loads(line)
    place = record.get("place")
    return Passage(record["id"], record["title"], record["text"], record.get("url"), Place(**place) if place else None)


def _files(source: Path) -> list[Path]:
    if source.is_dir():
        inside = sorted(path for path in source.rglob("*") if path.is_file() and kind(path) in SUFFIXES)
        if not inside:
            raise UsageError(f"no {', '.join(SUFFIXES)} file in directory {str(source)!r}")
        return inside
    if not source.is_file():
        raise UsageError(f"no file {str(source)!r}; a source is a file, a directory or {DEFAULT!r}")
    if kind(source) not in SUFFIXES:
        raise UsageError(f"{str(source)!r} is of an unknown kind; known: {', '.join(SUFFIXES)}, each also with .gz")
    return [source]


def _clash(passage: Passage, found: dict[str, Passage]) -> str | None:
    """Why the passage cannot be added; a passage that is there already is no clash."""
    other = found.get(passage.id)
    return f"another passage has the id {passage.id!r}" if other not in (None, passage) else None
