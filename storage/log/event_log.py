"""The append-only event log: the record of every turn. Every event is stored here before it is shown.

A run may append only while ``storage.log.runs`` names its process as the owner. If another process has ended the run,
the append fails and the run stops. The last event also fills the typed tables, in the same transaction.
"""

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from searchain.errors import NotFound, StorageError
from searchain.events import Event, RunFinished, Turn, fold, from_payload, to_payload
from searchain.safe_text import without_surrogates
from searchain.secrecy import hidden
from searchain.types import ChangedCitation
from storage.database import Connection, Database, first, insert_row, now
from storage.log import derived_tables, spending
from storage.log.conversations import KEPT

_NOTES = """SELECT c.turn, c.number, c.state, d.name, CASE WHEN d.id IS NOT NULL THEN c.now END AS now
    FROM changed_citations c JOIN turns t ON t.id = c.turn JOIN conversations v ON v.id = t.conversation
    LEFT JOIN documents d ON d.id = c.document AND d.removed IS NULL AND EXISTS (
        SELECT 1 FROM collections l WHERE l.id = d.collection AND (l.owner = v.owner OR l.is_public OR EXISTS (
            SELECT 1 FROM collection_members m WHERE m.collection = l.id AND m.user = v.owner)))
    WHERE c.state != 'there'"""
"""Citations whose document was replaced and says otherwise, or was removed; ``storage.collections.places`` writes them.
The words of a later version are read only where the owner of the conversation may search the collection now."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event of a turn's log."""

    seq: int
    """Its position in the turn: from 0, without gaps."""
    time: datetime
    """When it was stored, in UTC."""
    event: Event


def append(store: Database, turn: str, process: str, seq: int, event: Event) -> StoredEvent:
    """Store one event of a run that ``process`` owns; ``RunFinished`` ends the run.

    Raises ``StorageError`` if the file cannot be written, or ``process`` no longer owns the run; nothing was stored.
    """
    with store.writing() as db:
        claim = db.execute("UPDATE runs SET heartbeat = ? WHERE turn = ? AND process = ?", (time.time(), turn, process))
        if not claim.rowcount:
            raise StorageError(f"turn {turn} was ended by another process; ask again")
        return write(db, turn, seq, event)


def write(db: Connection, turn: str, seq: int, event: Event) -> StoredEvent:
    """Store one event as ``append`` does, inside the caller's transaction, without checking who owns the run."""
    moment = now()
    event = insert(db, turn, seq, moment, event)
    if isinstance(event, RunFinished):
        derived_tables.write_turn(db, turn, fold(stored.event for stored in _read(db, turn, -1)))
        spending.book(db, turn, event.usage, moment)
        db.execute("DELETE FROM runs WHERE turn = ?", (turn,))
    return StoredEvent(seq, datetime.fromisoformat(moment), event)


def insert(db: Connection, turn: str, seq: int, moment: str, event: Event) -> Event:
    """Insert the row of one event; return the event as it was stored."""
    event, payload = encode(event)
    row = {"turn": turn, "seq": seq, "type": event.type, "version": event.version, "time": moment, "payload": payload}
    insert_row(db, "events", row | {"digest": digest(turn, seq, moment, payload)})
    return event


def digest(turn: str, seq: int, time: str, payload: str) -> str:
    """Hash an event's row to 32 hexadecimal digits, which differ if it was changed in any other way than by ``redact``.

    Stored rows carry this hash, so changing it needs a migration.
    """
    parts = "\n".join((turn, str(seq), time, payload))
    return hashlib.blake2b(parts.encode(), digest_size=16).hexdigest()


def events(store: Database, turn: str, after: int = -1) -> list[StoredEvent]:
    """Return the turn's events with a ``seq`` above ``after``, in order."""
    with store.reading() as db:
        return _read(db, turn, after)


def turn(store: Database, id: str) -> Turn:
    """Return the turn's state, folded from its events."""
    return completed(store, id, fold(stored.event for stored in events(store, id)))


def completed(store: Database, id: str, folded: Turn) -> Turn:
    """Add what no event tells: citations that were overtaken since, and the question if the run ended before it."""
    if folded.status is None and folded.question:
        return folded
    with store.reading() as db:
        question = folded.question or first(db, "SELECT question FROM turns WHERE id = ?", id)[0]
        changed = overtaken(db, id)
    standalone = folded.standalone_question or question
    return replace(folded, question=question, standalone_question=standalone, changed=changed)


def check(store: Database, turn: str, owner: str | None) -> str:
    """Return the turn's conversation; ``owner`` ``None`` is the person at the machine, who may see all turns.

    Raises ``NotFound`` if there is no such turn, or it is another owner's.
    """
    kept = "FROM turns t JOIN conversations c ON c.id = conversation WHERE t.id = ? AND deleted IS NULL"
    row = store.row(f"SELECT c.id, owner {kept}", (turn,))
    if row is None or owner not in (None, row[1]):
        raise NotFound(f"there is no turn {turn!r}", hint="see: python assistant.py logs list")
    return row[0]


def _read(db: Connection, turn: str, after: int) -> list[StoredEvent]:
    rows = db.execute("SELECT seq, time, payload FROM events WHERE turn = ? AND seq > ? ORDER BY seq", (turn, after))
    return [StoredEvent(seq, datetime.fromisoformat(at), from_payload(json.loads(text))) for seq, at, text in rows]


def encode(event: Event) -> tuple[Event, str]:
    """Replace secrets of this process in the event; return the event and its payload as JSON."""
    payload = json.dumps(to_payload(event), ensure_ascii=False)
    whole = hidden(without_surrogates(payload))
    return (event if whole == payload else from_payload(json.loads(whole))), whole


LONGEST_PAUSE = 30.0
"""The longest pause in seconds. An interrupted run may have been ended days later, when another process noticed it."""


def paced(
    events: Iterable[StoredEvent], speed: float = 1.0, sleep: Callable[[float], object] = time.sleep
) -> Iterator[StoredEvent]:
    """Yield ``events`` one after the other, ``speed`` times as fast as they happened; with 0 without pauses."""
    before = None
    for event in events:
        if before is not None and speed:
            pause = min(max((event.time - before).total_seconds(), 0.0), LONGEST_PAUSE) / speed
            if pause:
                sleep(pause)
        before = event.time
        yield event


def overtaken(db: Connection, turn: str) -> tuple[ChangedCitation, ...]:
    """Return the changed citations of a turn, by number."""
    rows = db.execute(f"{_NOTES} AND c.turn = ? ORDER BY c.number", (turn,)).fetchall()
    return tuple(ChangedCitation(number, state == "removed", name or "", now) for _, number, state, name, now in rows)


def turns_overtaken(db: Connection, collection: str, owner: str, limit: int) -> list[tuple[str, str, str]]:
    """Return the newest turns of ``owner`` with changed citations of a collection: conversation, turn, question."""
    query = f"""SELECT t.conversation, t.id, t.question FROM turns t JOIN conversations v ON v.id = t.conversation
        WHERE v.owner = ? AND {KEPT} AND t.id IN
        (SELECT c.turn FROM changed_citations c JOIN documents d ON d.id = c.document
        WHERE d.collection = ? AND c.state != 'there') ORDER BY t.created DESC LIMIT ?"""
    return db.execute(query, (owner, collection, limit)).fetchall()


def cover_overtaken(db: Connection, turn: str, found: re.Pattern[str]) -> int:
    """Forget the words of later versions that match, inside the caller's transaction; return how many there were."""
    rows = db.execute("SELECT number, now FROM changed_citations WHERE turn = ? AND now != ''", (turn,)).fetchall()
    numbers = [number for number, now in rows if found.search(now)]
    for number in numbers:
        db.execute("UPDATE changed_citations SET now = NULL WHERE turn = ? AND number = ?", (turn, number))
    return len(numbers)
