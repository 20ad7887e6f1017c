"""Replies onto the desk: from stored turns, from files, and judged sets as practice. All of a file, or none of it."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from searchain.annotation import practice
from searchain.errors import StorageError, UsageError
from searchain.types import Status
from storage.annotation import import_foreign, import_formats, items
from storage.annotation.import_merge import Merge
from storage.annotation.import_parse import Decision, Frozen, Label, Other, Reader, Reply, is_ours
from storage.database import Database
from storage.history import finished_turns
from storage.history.selection import Selection
from storage.transfer import parse
from storage.transfer.jsonl import FORMAT

ENDED = (Status.ANSWERED, Status.PARTIAL, Status.NOT_FOUND)
"""Replies that came to their end: others would not be a fair measure of a system."""


@dataclass(frozen=True, slots=True)
class Imported:
    added: int
    skipped: int
    """There already."""
    understood: import_foreign.Understanding | None = None
    """Of other systems' answers; ``None`` without any."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How other systems' answers are read."""

    format: str | None = None
    """Of ``import_formats.FORMATS``; ``None``: the fields decide."""
    system: str | None = None
    """Who answered, where a file does not say."""
    styles: tuple[str, ...] = ()
    """Of ``citation_styles.STYLES``."""
    is_strict: bool = False
    """Texts that look like citations and are not understood are refused."""


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


def file(
    store: Database,
    raw: Iterable[bytes],
    *,
    quota: int = items.QUOTA,
    reading: Reading | None = None,
    is_trial: bool = False,
) -> Imported:
    """Put the replies of ``raw`` on the desk: other systems' answers (``import_formats``), turns of ``export --format
    jsonl``, and items, labels and gold of ``annotate export --format jsonl``.

    Args:
        store: the desk.
        raw: the lines of a file with a JSON object a line, or of one JSON document.
        quota: how many annotators judge each reply.
        reading: how other systems' answers are read.
        is_trial: nothing is stored; the result says what was understood.

    Raises:
        StorageError: a line is broken or says something else than what is there; nothing was imported.
        UsageError: ``reading`` is strict, and something looks like a citation that is not understood.
    """
    reading = reading or Reading()
    reader, understanding = Reader(store), import_foreign.Understanding()
    found: list[tuple[int, Reply | Frozen | Label | Decision | Other]] = []
    for number, values in _values(raw):
        with parse.in_line(number):
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
            with parse.in_line(number):
                added += merge.add(one)
    return Imported(added, len(found) - added, said)


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


def _values(raw: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file, each with the number of its line; a JSON document over many lines counts as its first."""
    lines = iter(enumerate(raw, 1))
    is_first = True
    for number, line in lines:
        if not line.strip():
            continue
        with parse.in_line(number):
            text = line.decode()
            if is_first and text.lstrip()[:1] in ("{", "[") and not _is_json(text):
                text = _whole(text, b"".join(other for _, other in lines))
            is_first = False
            values = parse.parse(f'{{"list": {text}}}')["list"] if text.lstrip()[:1] == "[" else parse.parse(text)
            if isinstance(values, list) and not (values and all(isinstance(one, dict) for one in values)):
                raise ValueError("it is no JSON object")
        yield from ((number, one) for one in (values if isinstance(values, list) else [values]))


def _whole(first: str, rest: bytes) -> str:
    """Join the lines of a JSON document; raises ``ValueError`` for a broken first line before others."""
    if rest.strip() and _is_json(whole := first + rest.decode()):
        return whole
    parse.parse(first)
    return first


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _read(
    reader: Reader, values: dict[str, Any], reading: Reading, understanding: import_foreign.Understanding
) -> Iterator[Reply | Frozen | Label | Decision | Other]:
    if is_ours(values):
        yield reader.read(values)
    elif values.get("format") == FORMAT:
        record = parse.record(values)
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
                yield items.identified(practice.item(parse.parse(line.decode())))
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise StorageError(
            f"line {number} of {str(path)!r} cannot be imported: {error}; nothing was imported"
        ) from None
