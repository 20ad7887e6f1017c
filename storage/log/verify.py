"""Checks for ``logs verify``: derive the tables from the events again, compare them, and test the rules of a turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from searchain.errors import StorageError
from searchain.events import Event, RunFinished, Turn, fold, from_payload
from searchain.types import Passage
from storage.database import Database
from storage.digest import digest
from storage.log import derived_tables, invariants

if TYPE_CHECKING:
    import sqlite_utils


@dataclass(frozen=True, slots=True)
class Fault:
    what: str
    turn: str | None = None
    """``None`` if the fault concerns the whole file."""


def verify(store: Database) -> Iterator[Fault]:
    """Yield every fault of the file, one turn in memory at a time. Raises ``StorageError`` if it cannot be read."""
    with store.reading() as db:
        for (line,) in db.execute("PRAGMA integrity_check").fetchall():
            if line != "ok":
                yield Fault(f"the file is damaged: {line}")
        for table, rowid, other, _ in db.execute("PRAGMA foreign_key_check").fetchall():
            yield Fault(f"row {rowid} of {table} names a row that is missing in {other}")
        for hash, title, text, url in db.execute("SELECT * FROM passages"):
            if derived_tables.passage_hash(Passage("", title, text, url)) != hash:
                yield Fault(f"passage {hash} was altered: its text is not what its name says")
        for row in db.execute("SELECT turn FROM tombstones WHERE what = 'deleted' AND turn IN (SELECT id FROM turns)"):
            yield Fault("it was deleted, and is there", row[0])
        for turn in db.query("SELECT * FROM turns ORDER BY number"):
            for what in _turn(db, turn):
                yield Fault(what, turn["id"])
    if (fault := _search_index(store)) is not None:
        yield fault


def _turn(db: sqlite_utils.Database, row: dict[str, Any]) -> Iterator[str]:
    id = row["id"]
    events: list[Event] = []
    for expected, (seq, type, version, time, payload, sum) in enumerate(
        db.execute("SELECT seq, type, version, time, payload, digest FROM events WHERE turn = ? ORDER BY seq", (id,))
    ):
        if seq != expected:
            yield f"event {expected} is missing"
            return
        if digest(id, seq, time, payload) != sum:
            yield f"event {seq} was altered after it was written"
        try:
            datetime.fromisoformat(time)
            event = from_payload(json.loads(payload))
        except ValueError:
            yield f"event {seq} cannot be read"
            return
        if (event.type, event.version) != (type, version):
            yield f"event {seq} is another than its row says"
        events.append(event)
    is_going = db.execute("SELECT 1 FROM runs WHERE turn = ?", (id,)).fetchone() is not None
    is_over = bool(events) and isinstance(events[-1], RunFinished)
    if is_going == is_over or any(isinstance(event, RunFinished) for event in events[:-1]):
        yield "it is neither over nor going on" if not is_over else "events follow its end"
    try:
        state = fold(events)
    except (LookupError, StopIteration):
        yield "its events do not hold together"
        return
    yield from invariants.faults(state)
    yield from _differences(db, row, state if is_over else Turn())


def _differences(db: sqlite_utils.Database, row: dict[str, Any], state: Turn) -> Iterator[str]:
    """Describe how the tables differ from the events; before a run is over they must be empty."""
    if state.status is not None:
        for column, value in derived_tables.columns(state).items():
            if row[column] != value:
                yield f"{column} in turns is not what the events say"
    for table, expected in derived_tables.derived(state).items():
        key = derived_tables.KEYS[table]
        made = {tuple(values[name] for name in key): values for values in expected}
        there = {}
        for values in db.query(f"SELECT * FROM {table} WHERE turn = ?", (row["id"],)):
            del values["turn"]
            there[tuple(values[name] for name in key)] = values
        for name in {**made, **there}:
            if made.get(name) != there.get(name):
                state_of = "is missing" if name not in there else "is too much" if name not in made else "differs"
                yield f"row {', '.join(map(str, name))} of {table} {state_of}, by what the events say"


def _search_index(store: Database) -> Fault | None:
    if store.is_read_only:
        return None  # the check is a write to SQLite
    try:
        with store.writing() as db:
            db.execute("INSERT INTO turns_fts (turns_fts, rank) VALUES ('integrity-check', 1)")
    except StorageError:
        return Fault("the search index is not what questions and replies say")
    return None
