"""A database with given runs in it, for tests of what is made from it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from searchain.events import Event, RunStarted
from searchain.safe_text import without_surrogates
from storage.database import Database
from storage.log import event_log, runs
from storage.log.runs import Process, Started
from tests.support.stories import nintendo


def keep(
    store: Database, events: Iterable[Event] = nintendo(), owner: str = "local", conversation: str | None = None
) -> Started:
    """A turn that is told to its end."""
    events, process = tuple(events), Process()
    question = next((event.question for event in events if isinstance(event, RunStarted)), "?")
    started = runs.start(store, process, without_surrogates(question), owner, conversation)
    for seq, event in enumerate(events):
        event_log.append(store, started.turn, process.id, seq, event)
    return started


def database(path: Path, *stories: Iterable[Event]) -> Database:
    """A new database with one conversation for each story."""
    store = Database(path)
    for events in stories:
        keep(store, events)
    return store
