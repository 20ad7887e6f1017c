"""Replies onto the desk: from stored turns, from files, and judged sets as practice. All of a file, or none of it."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from searchain.annotation import practice
from searchain.errors import StorageError, UsageError
from searchain.types import Status
from storage.annotation import items
from storage.annotation.import_merge import Merge
from storage.annotation.import_parse import Decision, Frozen, Label, Reader, Reply, is_ours
from storage.database import Database
from storage.history import finished_turns
from storage.history.selection import Selection
from storage.transfer import other_systems, parse
from storage.transfer.jsonl import FORMAT

ENDED = (Status.ANSWERED, Status.PARTIAL, Status.NOT_FOUND)
"""Replies that came to their end: others are no fair measure of a system."""


@dataclass(frozen=True, slots=True)
class Imported:
    added: int
    skipped: int
    """There already."""


def turns(store: Database, selection: Selection, *, quota: int = items.QUOTA) -> Imported:
    """Put the selected turns' replies on the desk, those that came to their end.

    Raises:
        StorageError: a log is damaged; nothing was imported.
    """
    found = [
        (items.of_record(record), record.turn)
        for record in finished_turns.records(store, selection)
        if (turn := record.state()).status in ENDED and turn.answer.strip()
    ]
    with store.writing() as db:
        added = sum(items.add(db, item, turn=turn, quota=quota) for item, turn in found)
    return Imported(added, len(found) - added)


def file(store: Database, raw: Iterable[bytes], *, quota: int = items.QUOTA) -> Imported:
    """Put the replies of ``raw`` lines on the desk: other systems' answers, turns of ``export --format jsonl``, and
    items, labels and gold of ``annotate export --format jsonl``.

    Raises:
        StorageError: a line is broken or says something else than what is there; nothing was imported.
    """
    reader, found = Reader(store), []
    for number, line in enumerate(raw, 1):
        if line.strip():
            with parse.in_line(number):
                found.append((number, _read(reader, line)))
    added = 0
    with store.writing() as db:  # everybody else waits: what takes time is done by now
        merge = Merge(db, quota)
        for number, one in found:
            with parse.in_line(number):
                added += merge.add(one)
    return Imported(added, len(found) - added)


def folder(store: Database, path: Path, *, quota: int = items.QUOTA, limit: int | None = None) -> Imported:
    """Put the judged claims of every ``*.jsonl.gz`` in ``path`` on the desk as practice; with ``limit``, so many of all
    of them, chosen as if by lot and always the same.

    Raises:
        UsageError: there is no such file.
        StorageError: a line is broken; nothing was imported.
    """
    files = sorted(path.glob("*.jsonl.gz"))
    if not files:
        raise UsageError(f"there is no *.jsonl.gz in {str(path)!r}; name the folder of the judged sets")
    found = [item for one in files for item in _claims(one)]
    if limit is not None:
        found = sorted(found, key=items.digest)[:limit]
    with store.writing() as db:
        added = sum(items.add(db, item, quota=quota) for item in found)
    return Imported(added, len(found) - added)


def _read(reader: Reader, line: bytes) -> Reply | Frozen | Label | Decision:
    values = parse.parse(line.decode())
    if is_ours(values):
        return reader.read(values)
    if not other_systems.is_foreign(values) and values.get("format") != FORMAT:
        raise ValueError(
            "it is no other system's answer (question, system, answer, citations), no turn of `export "
            "--format jsonl` and no line of `annotate export --format jsonl`"
        )
    record = parse.record(values)
    return Reply(items.of_record(record), record.turn)


def _claims(path: Path) -> Iterator[items.Item]:
    number = 0
    try:
        with gzip.open(path) as raw:
            for line in raw:
                number += 1
                yield items.identified(practice.item(parse.parse(line.decode())))
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise StorageError(
            f"line {number} of {str(path)!r} cannot be imported: {error}; nothing was imported"
        ) from None
