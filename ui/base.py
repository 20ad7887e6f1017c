"""What the page asks of the assistant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from searchain.events import Event, Turn
from searchain.types import Exchange


class Started(Protocol):
    @property
    def conversation(self) -> str: ...

    @property
    def turn(self) -> str: ...


class StoredEvent(Protocol):
    @property
    def seq(self) -> int: ...

    @property
    def event(self) -> Event: ...


class Assistant(Protocol):
    """Runs questions and keeps what happened. Every method raises ``SearChainError`` with a message for the user."""

    def start(self, question: str, *, conversation: str | None = None, owner: str = "local",
              index: str | None = None, history: Sequence[Exchange] | None = None) -> Started:
        """Begin a run on a thread of its own and return at once; ``history`` in place of the conversation's own."""

    def follow(self, turn: str, *, after: int = -1, owner: str = "local") -> Iterator[StoredEvent]:
        """The turn's stored events with ``seq > after``, then new ones as they come, until ``RunFinished``."""

    def stop(self, turn: str, *, owner: str = "local") -> None:
        """End the run; what it found is kept."""

    def export(self, format: str, *, owner: str = "local", **conditions: str) -> Iterator[str]:
        """The owner's finished turns as the pieces of a file in one of the formats of ``storage.exports``."""

    def turns(self, conversation: str, *, owner: str = "local") -> Sequence[tuple[str, Turn]]:
        """The conversation's turns, oldest first, as pairs of id and state."""
