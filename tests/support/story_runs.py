"""Runs whose events are a story: played slowly in the place of SearChain, or written into a database at once.

python -m tests.support.story_runs DATABASE [PAUSE]     # plays one run; prints its ids, then the seq of each stored event
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from assistant import Assistant
from searchain.cancel import CancelToken
from searchain.events import Event, RunStarted
from searchain.safe_text import without_surrogates
from searchain.settings import Settings
from searchain.types import Exchange, Status
from storage.database import Database
from storage.log import event_log, runs
from storage.log.runs import Process, Started
from tests.support.stories import ending, nintendo


class StoryPlayer:
    """Stands in for SearChain: plays ``story(question)`` with a ``pause`` in seconds before each event.

    It waits at the event number ``hold`` until ``go_on`` is set or the run is cancelled.
    """

    def __init__(
        self, story: Callable[[str], Sequence[Event]] = nintendo, pause: float = 0.0, hold: int | None = None
    ) -> None:
        self.story, self.pause, self.hold = story, pause, hold
        self.go_on = threading.Event()
        self.histories: list[tuple[Exchange, ...]] = []

    def __call__(self, settings: Settings, index: str) -> StoryPlayer:
        return self

    def stream(
        self, question: str, *, history: Sequence[Exchange] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        self.histories.append(tuple(history))
        for number, event in enumerate(self.story(question)):
            while number == self.hold and not self.go_on.wait(0.01) and not cancel.is_set:
                pass
            time.sleep(self.pause)
            if cancel.is_set:
                yield ending(Status.STOPPED)
                return
            yield event


def store_run(
    store: Database, events: Iterable[Event] = nintendo(), owner: str = "local", conversation: str | None = None
) -> Started:
    """Write a run with these events into the database."""
    events, process = tuple(events), Process()
    question = next((event.question for event in events if isinstance(event, RunStarted)), "?")
    started = runs.start(store, process, without_surrogates(question), owner, conversation)
    for seq, event in enumerate(events):
        event_log.append(store, started.turn, process.id, seq, event)
    return started


def database_with(path: Path, *stories: Iterable[Event]) -> Database:
    """Make a database with one conversation for each story."""
    store = Database(path)
    for events in stories:
        store_run(store, events)
    return store


def main(path: str, pause: str = "0") -> None:
    assistant = Assistant(Database(path), StoryPlayer(pause=float(pause)), Settings())
    started = assistant.start("Where is Nintendo?")
    print(started.conversation, started.turn, flush=True)
    for stored in assistant.follow(started.turn):
        print(stored.seq, flush=True)
    assistant.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
