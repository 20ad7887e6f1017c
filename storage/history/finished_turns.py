"""Finished turns with their logs, one at a time: what every export, ``logs verify`` and the statistics read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from searchain.errors import StorageError
from searchain.events import Event, Turn, fold, from_payload
from storage.database import Database
from storage.history import feedback
from storage.history.feedback import Feedback
from storage.history.selection import EVERYTHING, Selection


@dataclass(frozen=True, slots=True)
class Record:
    """One finished turn."""

    conversation: str
    title: str
    begun: str
    """When its conversation was."""
    turn: str
    position: int
    """In its conversation, from 0."""
    created: str
    question: str
    """As it was asked."""
    log: tuple[tuple[str, str], ...]
    """Time and payload (JSON) of every event, in order."""
    feedback: tuple[Feedback, ...] = ()
    """What its owner said of it, in order."""

    def events(self) -> Iterator[Event]:
        """Raises ``StorageError`` when one cannot be read."""
        for _, payload in self.log:
            try:
                yield from_payload(json.loads(payload))
            except ValueError:
                raise _damaged(self.turn) from None

    def state(self) -> Turn:
        """The turn's state, folded from its events. Raises ``StorageError`` when the log does not hold together."""
        try:
            turn = fold(self.events())
        except (LookupError, StopIteration):
            raise _damaged(self.turn) from None
        if turn.question:
            return turn
        return replace(turn, question=self.question, standalone_question=turn.standalone_question or self.question)


def records(store: Database, selection: Selection = EVERYTHING) -> Iterator[Record]:
    """The selected turns whose runs are over, by conversation and position; in memory one at a time.

    All are read as they were when the first one was.

    Raises:
        UsageError: at once, when the selection's text holds nothing to look for.
        StorageError: on the way, when a log cannot be read.
    """
    return _records(store, *selection.where())


def _records(store: Database, where: str, values: dict[str, Any]) -> Iterator[Record]:
    with store.reading() as db:
        turns = db.execute(
            f"""
            SELECT t.conversation, c.title, c.created, t.id, t.position, t.created, t.question
            FROM turns t JOIN conversations c ON c.id = t.conversation
            WHERE t.status IS NOT NULL AND {where} ORDER BY t.conversation, t.position""",
            values,
        )
        for conversation, title, begun, turn, position, created, question in turns:
            log = db.execute(
                "SELECT time, payload, json_valid(payload) FROM events WHERE turn = ? ORDER BY seq", (turn,)
            ).fetchall()
            if not all(is_valid for *_, is_valid in log):
                raise _damaged(turn)
            yield Record(
                conversation=conversation,
                title=title,
                begun=begun,
                turn=turn,
                position=position,
                created=created,
                question=question,
                log=tuple((time, payload) for time, payload, _ in log),
                feedback=tuple(feedback.feedback_of(db, turn)),
            )


def count(store: Database, selection: Selection = EVERYTHING) -> tuple[int, int]:
    """How many selected turns are over, and how many are still being answered."""
    where, values = selection.where()
    with store.reading() as db:
        return db.execute(
            f"SELECT count(t.status), count(*) - count(t.status) FROM turns t WHERE {where}", values
        ).fetchone()


def _damaged(turn: str) -> StorageError:
    return StorageError(f"the log of turn {turn} is damaged", hint="see: python assistant.py logs verify")
