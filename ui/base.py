"""What the page asks of the assistant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from searchain.events import Turn
from searchain.settings import Settings
from searchain.types import Exchange
from storage.history.feedback import Feedback
from storage.history.overview import Entry
from storage.log.event_log import StoredEvent


class Started(Protocol):
    @property
    def conversation(self) -> str: ...

    @property
    def turn(self) -> str: ...


class Assistant(Protocol):
    """Runs questions and keeps what happened. Every method raises ``SearChainError`` with a message for the user."""

    def start(
        self,
        question: str,
        *,
        conversation: str | None = None,
        owner: str = "local",
        settings: Settings | None = None,
        index: str | None = None,
        model: str | None = None,
        history: Sequence[Exchange] | None = None,
    ) -> Started:
        """Begin a run on a thread of its own and return at once; ``history`` in place of the conversation's own."""

    def follow(self, turn: str, *, after: int = -1, owner: str = "local") -> Iterator[StoredEvent]:
        """The turn's stored events with ``seq > after``, then new ones as they come, until ``RunFinished``."""

    def stop(self, turn: str, *, owner: str = "local") -> None:
        """End the run; what it found is kept."""

    def export(self, format: str, *, owner: str = "local", **conditions: str) -> Iterator[str]:
        """The owner's finished turns as the pieces of a file in one of the formats of ``storage.exports``."""

    def turns(self, conversation: str, *, owner: str = "local") -> Sequence[tuple[str, Turn]]:
        """The conversation's turns, oldest first, as pairs of id and state."""

    def turn(self, turn: str, *, owner: str = "local") -> Turn:
        """The turn's state so far."""

    def history(self, conversation: str, *, owner: str = "local", before: str | None = None) -> Sequence[Exchange]:
        """What was said in the conversation, or before a turn of it."""

    def overview(
        self, *, owner: str = "local", words: str = "", before: str | None = None, limit: int = 50
    ) -> Sequence[Entry]:
        """The owner's conversations, the newest first, from the one after ``before`` on; or those with ``words``."""

    def rename(self, conversation: str, title: str, *, owner: str = "local") -> str:
        """Give the conversation another title; returns it as it is stored."""

    def delete(self, conversation: str, *, owner: str = "local") -> None:
        """Delete the conversation with all its turns for good."""

    def choices(self, conversation: str, *, owner: str = "local") -> str | None:
        """What was chosen for the conversation's next questions, JSON."""

    def choose(self, conversation: str, choices: str, *, owner: str = "local") -> None:
        """Keep what was chosen."""

    def feedback(self, conversation: str, *, owner: str = "local") -> Sequence[Feedback]:
        """The owner's judgements of the conversation's replies and citations."""

    def judge(
        self, turn: str, value: str | None, *, owner: str = "local", source: int | None = None, comment: str = ""
    ) -> None:
        """Judge a reply, or its citation ``source``; ``None`` takes a judgement back."""
