"""The SearChain assistant: chat turns (history → SearChain → store), and the command line.

    python assistant.py ask "On which Japanese island is the city where Nintendo has its headquarters?"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from searchain.cancel import CancelToken
from searchain.errors import UsageError
from searchain.events import Event, Turn, fold
from searchain.settings import Settings
from searchain.types import Exchange
from storage import conversations, runs, traces
from storage.conversations import Conversation
from storage.database import Database
from storage.live import LiveRuns
from storage.runs import Process, Started
from storage.traces import StoredEvent

MAX_QUESTION = 4_000
"""Characters: a question and its history must fit the context of a small model."""
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Streams(Protocol):
    """What the Assistant asks of SearChain."""

    def stream(self, question: str, *, history: Sequence[Exchange] = (),
               cancel: CancelToken | None = None) -> Iterator[Event]: ...


class Assistant:
    """Answers questions in conversations. Thread-safe; a run goes on when whoever started it is gone."""

    def __init__(self, store: Database, make_searchain: Callable[[Settings, str], Streams], settings: Settings,
                 index: str = "default") -> None:
        """``make_searchain(settings, index)`` is called in the worker thread of each run; it caches what is slow to make.

        ``settings`` and ``index`` are used when a question names no others.
        """
        self._store, self._make_searchain = store, make_searchain
        self.settings, self.index = settings, index
        self._process = Process()
        self._live = LiveRuns(store, self._process)
        runs.interrupt_abandoned(store, self._process)

    def start(self, question: str, *, conversation: str | None = None, owner: str = "local",
              settings: Settings | None = None, index: str | None = None) -> Started:
        """Accept a question and begin to answer it in the background; ``follow`` tells how it goes.

        Raises:
            UsageError: an unusable question, or the conversation's last one is still being answered.
            NotFound: there is no such conversation, or it is another owner's.
            StorageError: the question could not be stored.
        """
        question = readable(question)
        runs.interrupt_abandoned(self._store, self._process)
        started = runs.start(self._store, self._process, question, owner, conversation)
        settings, index = settings or self.settings, index or self.index

        def stream(cancel: CancelToken) -> Iterator[Event]:
            history = self.history(started.conversation, owner=owner)
            yield from self._make_searchain(settings, index).stream(question, history=history, cancel=cancel)

        self._live.start(started.turn, stream)
        return started

    def follow(self, turn: str, *, after: int = -1, owner: str = "local") -> Iterator[StoredEvent]:
        """The turn's events with a ``seq`` above ``after``: those stored at once, the rest as they come, to the end.

        Any number of followers, in any process, see the same events. Closing the iterator does not stop the run.

        Raises:
            NotFound: there is no such turn, or it is another owner's.
        """
        traces.check(self._store, turn, owner)
        return self._live.follow(turn, after)

    def stop(self, turn: str, *, owner: str = "local") -> None:
        """Ask the run to end now, whichever process works on it; what it found is kept. Raises ``NotFound`` as ``follow``."""
        traces.check(self._store, turn, owner)
        if run := self._live.get(turn):
            run.cancel.set()
        else:
            runs.ask_to_stop(self._store, turn)

    def turn(self, turn: str, *, owner: str = "local") -> Turn:
        """The turn's state so far. Raises ``NotFound`` as ``follow``."""
        traces.check(self._store, turn, owner)
        return self._folded(turn)

    def conversations(self, *, owner: str = "local") -> list[Conversation]:
        """The owner's conversations, the latest first."""
        return conversations.of(self._store, owner)

    def turns(self, conversation: str, *, owner: str = "local") -> list[tuple[str, Turn]]:
        """The conversation's turns in order, as pairs of id and state. Raises ``NotFound`` for another owner's."""
        return [(row.id, self._folded(row.id)) for row in conversations.turns(self._store, conversation, owner)]

    def history(self, conversation: str, *, owner: str = "local") -> list[Exchange]:
        """The conversation's replies so far, as follow-ups need them. Raises ``NotFound`` for another owner's."""
        return conversations.history(self._store, conversation, owner)

    def close(self, timeout: float = 5.0) -> None:
        """Stop every run of this process, wait for them to end, and close the database."""
        self._live.close(timeout)
        self._store.close()

    def _folded(self, turn: str) -> Turn:
        if run := self._live.get(turn):
            return traces.with_question(self._store, turn, fold(stored.event for stored in run.events))
        return traces.turn(self._store, turn)


def readable(question: str) -> str:
    """The question as it is stored: trimmed, lines ended by line feeds.

    Raises:
        UsageError: it is empty, too long, or not text.
    """
    question = question.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not question:
        raise UsageError("the question is empty; write one, such as: Who founded Nintendo?")
    if len(question) > MAX_QUESTION:
        raise UsageError(f"the question has {len(question):,} characters; ask it in {MAX_QUESTION:,} or fewer")
    if _UNREADABLE.search(question):
        raise UsageError("the question contains control characters or broken text, as binary data does; ask in plain text")
    return question
