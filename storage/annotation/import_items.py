"""Imports replies to the desk from stored turns, files, and judged sets for practice: a whole file or nothing of it."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from searchain.annotation import guided_practice
from searchain.errors import NotFound, StorageError, UsageError
from searchain.types import Status
from storage.annotation import import_foreign, import_formats, items
from storage.annotation.import_merge import Merge
from storage.annotation.import_parse import Frozen, Reader, Reply, Row, is_ours
from storage.database import Database
from storage.history import finished_turns
from storage.history.selection import Selection
from storage.transfer import jsonl
from storage.transfer.jsonl import FORMAT

ENDED = (Status.ANSWERED, Status.PARTIAL, Status.NOT_FOUND)
"""Statuses of runs that ended normally; the replies of other runs would not measure a system fairly."""


@dataclass(frozen=True, slots=True)
class Imported:
    added: int
    skipped: int
    """Replies that the desk had already."""
    understood: import_foreign.Understanding | None = None
    """Counts of recognised marks in other systems' answers; ``None`` if the file has no such answers."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Options for reading other systems' answers."""

    format: str | None = None
    """One of ``import_formats.FORMATS``; ``None``: detect it by the fields."""
    system: str | None = None
    """The name of the system, if a file does not name it."""
    styles: tuple[str, ...] = ()
    """Names out of ``citation_styles.STYLES``."""
    is_strict: bool = False
    """Whether a file is refused if it has text that looks like a citation but was not recognised."""


def turns(store: Database, selection: Selection, *, quota: int = items.QUOTA, latest: int | None = None) -> Imported:
    """Put the replies of the selected turns on the desk, but only of runs that ended normally.

    With ``latest``, only that many, the newest ones.

    Raises:
        StorageError: a log is damaged; nothing was imported.
    """
    found = [
        (items.of_record(record), record.turn)
        for record in finished_turns.records(store, selection)
        if (turn := record.state()).status in ENDED and turn.answer.strip()
    ]
    if latest is not None:  # the ids of turns begin with the time
        found = sorted(found, key=lambda one: one[1])[-latest:]
    with store.writing() as db:
        added = sum(items.add(db, item, turn=turn, quota=quota) for item, turn in found)
    return Imported(added, len(found) - added)


def own_turn(store: Database, turn: str, owner: str, *, quota: int = items.QUOTA) -> str:
    """Put one reply of ``owner`` on the desk, unless it is there; return its item.

    Raises:
        NotFound: there is no such reply, or its run did not end normally.
    """
    turns(store, Selection(turn=turn, owner=owner), quota=quota)
    with store.reading() as db:
        row = db.execute(
            "SELECT a.id FROM annotation_items a JOIN turns t ON t.id = a.turn JOIN conversations c "
            "ON c.id = t.conversation WHERE a.turn = ? AND c.owner = ? AND a.withdrawn IS NULL",
            (turn, owner),
        ).fetchone()
    if row is None:
        raise NotFound("this reply cannot be judged: it did not come to its end, or is no longer there")
    return str(row[0])


def file(
    store: Database,
    raw: Iterable[bytes],
    *,
    quota: int = items.QUOTA,
    reading: Reading | None = None,
    is_trial: bool = False,
) -> Imported:
    """Put the replies of a file on the desk: other systems' answers (``import_formats``), turns of
    ``export --format jsonl``, and items, labels and gold labels of ``annotate export --format jsonl``.

    Args:
        store: the desk.
        raw: the lines of a file, with one JSON object per line or one JSON document in all.
        quota: how many annotators judge each reply.
        reading: options for reading other systems' answers.
        is_trial: store nothing; the result still counts the recognised marks.

    Raises:
        StorageError: a line is invalid or contradicts what is stored; nothing was imported.
        UsageError: ``reading`` is strict, and some text looks like a citation but was not recognised.
    """
    reading = reading or Reading()
    reader, understanding = Reader(store), import_foreign.Understanding()
    found: list[tuple[int, Reply | Frozen | Row]] = []
    for number, values in _values(raw):
        with jsonl.in_line(number):
            found += [(number, one) for one in _read(reader, values, reading, understanding)]
    said = understanding if understanding.replies else None
    if reading.is_strict and understanding.uncited:
        raise UsageError(f"{'; '.join(understanding.lines())}; nothing was imported. Leave --strict out to import them")
    if is_trial:
        return Imported(0, 0, said)
    added = 0
    with store.writing() as db:  # everybody else waits: what takes time is done by now
        merge = Merge(db, quota)
        for number, one in found:
            with jsonl.in_line(number):
                added += merge.add(one)
    return Imported(added, len(found) - added, said)


def folder(store: Database, path: Path, *, quota: int = items.QUOTA, limit: int | None = None) -> Imported:
    """Put the judged claims of every ``*.jsonl.gz`` in ``path`` on the desk as practice; ``limit`` caps their number.

    Raises:
        UsageError: ``path`` has no such file.
        StorageError: a line is invalid; nothing was imported.
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


def _values(raw: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file with their line numbers. A JSON document of several lines has number 1."""
    lines = iter(enumerate(raw, 1))
    is_first = True
    for number, line in lines:
        if not line.strip():
            continue
        with jsonl.in_line(number):
            text = line.decode()
            if is_first and text.lstrip()[:1] in ("{", "[") and not _is_json(text):
                text = _whole(text, b"".join(other for _, other in lines))
            is_first = False
            values = jsonl.parse(f'{{"list": {text}}}')["list"] if text.lstrip()[:1] == "[" else jsonl.parse(text)
            if isinstance(values, list) and not (values and all(isinstance(one, dict) for one in values)):
                raise ValueError("it is no JSON object")
        yield from ((number, one) for one in (values if isinstance(values, list) else [values]))


def _whole(first: str, rest: bytes) -> str:
    """Join the lines of a JSON document; if that fails, raise ``ValueError`` for the first line."""
    if rest.strip() and _is_json(whole := first + rest.decode()):
        return whole
    jsonl.parse(first)
    return first


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _read(
    reader: Reader, values: dict[str, Any], reading: Reading, understanding: import_foreign.Understanding
) -> Iterator[Reply | Frozen | Row]:
    if is_ours(values):
        yield reader.read(values)
    elif values.get("format") == FORMAT:
        record = jsonl.record(values)
        yield Reply(items.of_record(record), record.turn)
    else:
        for answer in import_formats.answers(values, reading.format, reading.system):
            yield Reply(import_foreign.item(answer, understanding, reading.styles), import_foreign.turn(answer))


def _claims(path: Path) -> Iterator[items.Item]:
    number = 0
    try:
        with gzip.open(path) as raw:
            for line in raw:
                number += 1
                yield items.identified(guided_practice.item(jsonl.parse(line.decode())))
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise StorageError(
            f"line {number} of {str(path)!r} cannot be imported: {error}; nothing was imported"
        ) from None
