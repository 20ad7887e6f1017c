"""Imports all turns of a file, or none.

The turns are collected in a temporary database, then copied in one transaction. Stored turns are never changed: an
identical turn is skipped together with its feedback; if a turn with the same ID differs, the whole file is refused.
"""

import tempfile
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from storage.database import Connection, Database, first, insert_row
from storage.history import feedback
from storage.history.finished_turns import Record
from storage.log import derived_tables, event_log
from storage.transfer import jsonl

COPIED = ("passages", "events", *reversed(derived_tables.DERIVED), "changed_citations")
_ELSEWHERE = "import the file into a database of its own: --db FILE"


@dataclass(frozen=True, slots=True)
class Imported:
    added: int
    skipped: int
    """Turns of the file that were already stored and are identical."""


def import_lines(store: Database, lines: Iterable[bytes], *, owner: str = "local") -> Imported:
    """Import the turns of ``lines`` (``export --format jsonl``); new conversations belong to ``owner``.

    Raises ``StorageError`` if a line is invalid or contradicts a stored turn; nothing was imported.
    """
    with tempfile.TemporaryDirectory(prefix="searchain-import-") as folder:
        with closing(Database(Path(folder) / "import.db")) as staged:
            added, skipped = _stage(store, staged, lines, owner)
        if added:
            with store.writing(beside=staged.path) as db:
                _copy(db)
    return Imported(added, skipped)


def _stage(store: Database, staged: Database, lines: Iterable[bytes], owner: str) -> tuple[int, int]:
    added = skipped = 0
    with store.reading() as there, staged.writing() as db:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            with jsonl.in_line(number):
                record = jsonl.record(jsonl.parse(line.decode()))
                if _is_there(there, record) or _is_there(db, record):
                    skipped += 1
                else:
                    _add(db, record, owner)
                    added += 1
    return added, skipped


def _is_there(db: Connection, record: Record) -> bool:
    """Return whether ``db`` has the same turn. Raises ``ValueError`` if it has another with this ID or position."""
    known = first(db, "SELECT title, created FROM conversations WHERE id = ?", record.conversation)
    if known and known != (record.title, record.begun):
        raise ValueError(f"conversation {record.conversation} is there already and differs; {_ELSEWHERE}")
    row = first(db, "SELECT conversation, position, created, question FROM turns WHERE id = ?", record.turn)
    if row is None:
        if gone := first(db, "SELECT time FROM tombstones WHERE turn = ? AND what = 'deleted'", record.turn):
            raise ValueError(f"turn {record.turn} was deleted on {gone[0][:10]}; {_ELSEWHERE}")
        in_place = "SELECT 1 FROM turns WHERE conversation = ? AND position = ?"
        if first(db, in_place, record.conversation, record.position):
            taken = f"conversation {record.conversation} has another turn in the place of {record.turn}"
            raise ValueError(f"{taken}; {_ELSEWHERE}")
        return False
    log = db.execute("SELECT time, payload FROM events WHERE turn = ? ORDER BY seq", (record.turn,)).fetchall()
    if row != (record.conversation, record.position, record.created, record.question) or tuple(log) != record.log:
        raise ValueError(f"turn {record.turn} is there already and differs; {_ELSEWHERE}")
    return True


def _add(db: Connection, record: Record, owner: str) -> None:
    row = {"id": record.conversation, "owner": owner, "title": record.title, "pinned": record.pinned}
    row |= {"created": record.begun, "updated": record.created}
    insert_row(db, "conversations", row, or_ignore=True)
    db.execute("UPDATE conversations SET updated = max(updated, ?) WHERE id = ?", (record.created, record.conversation))
    row = {name: getattr(record, name) for name in ("conversation", "position", "created", "question")}
    insert_row(db, "turns", {"id": record.turn, **row})
    for seq, ((time, _), event) in enumerate(zip(record.log, record.events(), strict=True)):
        event_log.insert(db, record.turn, seq, time, event)
    derived_tables.write_turn(db, record.turn, record.state())
    for said in record.feedback:
        feedback.add(db, owner, said)


def _copy(db: Connection) -> None:
    db.execute("INSERT OR IGNORE INTO conversations SELECT * FROM beside.conversations")
    query = """UPDATE conversations SET updated = max(updated, (SELECT updated FROM beside.conversations b
        WHERE b.id = conversations.id)) WHERE id IN (SELECT id FROM beside.conversations)"""
    db.execute(query)
    for table in ("turns", "feedback"):  # numbered here anew
        columns = ", ".join(column.name for column in db[table].columns if column.name != "number")
        db.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM beside.{table} ORDER BY number")
    for table in COPIED:
        db.execute(f"INSERT {'OR IGNORE ' * (table == 'passages')}INTO {table} SELECT * FROM beside.{table}")
