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
from storage.annotation import import_foreign, import_forms, import_judged, items
from storage.annotation.import_merge import Merge
from storage.annotation.import_parse import Frozen, Reader, Reply, Row, is_ours
from storage.database import Database
from storage.history import finished_turns
from storage.history.selection import Selection
from storage.transfer import jsonl
from storage.transfer.jsonl import FORMAT

ENDED = (Status.ANSWERED, Status.PARTIAL, Status.NOT_FOUND)
"""Statuses of runs that ended normally; the replies of other runs would not measure a system fairly."""


ANNOTATOR, GOLD, NONE = LABELS = ("annotator", "gold", "none")
"""A judged set's judgements become labels of its annotators, gold labels, or nothing."""


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
    """A name out of ``import_forms.forms``; ``None``: detect it by the fields."""
    system: str | None = None
    """The name of the system, if a file does not name it."""
    styles: tuple[str, ...] = ()
    """Names out of ``citation_styles.STYLES``."""
    is_strict: bool = False
    """Whether a file is refused if it has text that looks like a citation but was not recognised."""
    labels: str = ANNOTATOR
    """What becomes of a judged set's judgements; one of ``LABELS``."""


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
    """Put the replies of a file on the desk: other systems' answers (``import_forms``), turns of
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
    if reading.format not in (None, *import_forms.forms()):
        raise UsageError(f"{reading.format!r} is no form; `annotate import --list-forms` names them")
    if reading.labels not in LABELS:
        raise UsageError(f"judgements cannot become {reading.labels!r}; name one of {', '.join(LABELS)}")
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
    lines = [(number, line) for number, line in enumerate(raw, 1) if line.strip()]
    if len(lines) > 1 and not _is_json(lines[0][1]) and _is_json(whole := b"".join(line for _, line in lines)):
        lines = [(lines[0][0], whole)]
    for number, line in lines:
        with jsonl.in_line(number):
            text = line.decode()
            values = jsonl.parse(f'{{"list": {text}}}')["list"] if text.lstrip()[:1] == "[" else jsonl.parse(text)
            if isinstance(values, list) and not (values and all(isinstance(one, dict) for one in values)):
                raise ValueError("it is no JSON object")
        yield from ((number, one) for one in (values if isinstance(values, list) else [values]))


def _is_json(text: bytes) -> bool:
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
        for answer in import_forms.answers(values, reading.format, reading.system):
            yield _reply(answer, reading, understanding)


def _reply(answer: dict[str, Any], reading: Reading, understanding: import_foreign.Understanding) -> Reply:
    name, is_judged = answer["form"]["name"], bool(answer["form"]["judged"])
    answer, spans = import_judged.composed(answer) if is_judged else (answer, ())
    item = import_foreign.item(answer, understanding, reading.styles)
    if not is_judged:
        return Reply(item, import_foreign.turn(answer))
    item, labels = import_judged.labelled(item, spans, answer)
    if reading.labels == NONE:
        labels = []
    if reading.labels == GOLD and len(labels) > 1:
        raise ValueError(
            f"{len(labels)} annotators judged it; import their labels as annotators, and decide on the desk"
        )
    understanding.judged_by.update(name for name, _ in labels)
    return Reply(item, import_foreign.turn(answer), tuple(labels), name, is_gold=reading.labels == GOLD)


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
