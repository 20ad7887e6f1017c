"""Finished turns with their logs, read one at a time by exports, ``logs verify`` and statistics."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from searchain.errors import StorageError
from searchain.events import Event, Turn, fold, from_payload
from searchain.types import ChangedCitation
from storage.database import Database
from storage.history import feedback
from storage.history.feedback import Feedback
from storage.history.selection import EVERYTHING, Selection
from storage.log import event_log


@dataclass(frozen=True, slots=True)
class Record:
    conversation: str
    title: str
    begun: str
    """When the conversation was created."""
    turn: str
    position: int
    """The turn's position in its conversation, from 0."""
    created: str
    question: str
    """The question as it was asked, before any rewriting."""
    log: tuple[tuple[str, str], ...]
    """Time and payload (JSON) of every event, in order."""
    feedback: tuple[Feedback, ...] = ()
    changed: tuple[ChangedCitation, ...] = ()
    """The citations that were overtaken since."""
    pinned: str | None = None
    """When the conversation was pinned; ``None`` if it is not."""

    def events(self) -> Iterator[Event]:
        """Yield the events. Raises ``StorageError`` if one cannot be read."""
        for _, payload in self.log:
            try:
                yield from_payload(json.loads(payload))
            except ValueError:
                raise _damaged(self.turn) from None

    def state(self) -> Turn:
        """Fold the events to the turn's state. Raises ``StorageError`` if the log is damaged."""
        try:
            turn = replace(fold(self.events()), changed=self.changed)
        except (LookupError, StopIteration):
            raise _damaged(self.turn) from None
        if turn.question:
            return turn
        return replace(turn, question=self.question, standalone_question=turn.standalone_question or self.question)


def records(store: Database, selection: Selection = EVERYTHING) -> Iterator[Record]:
    """Yield the selected finished turns, by conversation and position, with one in memory at a time.

    All of them are read in the state that they had when the first one was read.

    Raises:
        UsageError: at once, if the selection's text has no word to search for.
        StorageError: while reading, if a log is damaged.
    """
    return _records(store, *selection.where())


def _records(store: Database, where: str, values: dict[str, Any]) -> Iterator[Record]:
    with store.reading() as db:
        query = f"""SELECT t.conversation, c.title, c.created, t.id, t.position, t.created, t.question, c.pinned
            FROM turns t JOIN conversations c ON c.id = t.conversation
            WHERE t.status IS NOT NULL AND {where} ORDER BY t.conversation, t.position"""
        turns = db.execute(query, values)
        for conversation, title, begun, turn, position, created, question, pinned in turns:
            events_of = "SELECT time, payload, json_valid(payload) FROM events WHERE turn = ? ORDER BY seq"
            log = db.execute(events_of, (turn,)).fetchall()
            if not all(is_valid for *_, is_valid in log):
                raise _damaged(turn)
            events = tuple((time, payload) for time, payload, _ in log)
            said, changed = tuple(feedback.feedback_of(db, turn)), event_log.overtaken(db, turn)
            about = (conversation, title, begun, turn, position, created, question)
            yield Record(*about, events, said, changed, pinned)


def count(store: Database, selection: Selection = EVERYTHING) -> tuple[int, int]:
    """Count the selected turns: those that are finished, and those still being answered."""
    where, values = selection.where()
    return store.row(f"SELECT count(t.status), count(*) - count(t.status) FROM turns t WHERE {where}", values)


def _damaged(turn: str) -> StorageError:
    return StorageError(f"the log of turn {turn} is damaged", hint="see: python assistant.py logs verify")
