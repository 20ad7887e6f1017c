"""What the pipeline asks of a language model, and how people hear what its service keeps them waiting for."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from searchain.cancel import CancelToken
from searchain.types import Abilities, Message, Usage

FIRST_TOKEN_SECONDS = 300.0
"""A model may have to be loaded, think without showing it, or read a long prompt on a small machine."""


class Form(StrEnum):
    """The wanted output. The embedded model picks grammar and adapter from it; others may ignore it."""

    CHAIN = "chain"
    """A Chain-of-Query: ``[Query n]: …`` each with ``[Answer n]: …`` or ``[Unsolved Query]``."""
    FINAL = "final"
    """``[Answer]: …`` then ``[Final Content]: …``, sentences that end with keys such as ``[k417]``."""
    ANSWER = "answer"
    """``[Answer]: …`` then ``[Final Content]: …`` without keys, to a question that was asked outright."""
    READING = "reading"
    """A short answer on one line, or ``not found``."""
    STANDALONE = "standalone"
    """One question on one line."""
    QUESTION = "question"
    """The question that a sentence answers."""
    ACTION = "action"
    """``Search[…]``, ``Lookup[…]`` or ``Finish[…]``."""
    CHOICE = "choice"
    """The number of one of the choices that the last message lists."""
    INFORMED = "informed"
    """Steps and a reply from passages: a JSON object (``grammars``) from servers that take a schema, else free text."""
    SEARCHING = "searching"
    """The same as free text, from a model that calls a tool for each step that it leaves open."""


STEPS = frozenset({Form.CHAIN, Form.INFORMED, Form.SEARCHING})
"""The forms in which a step may be left open."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is drawn. A temperature of 0 takes the likeliest; other seeds give other texts."""

    temperature: float = 0.0
    seed: int = 0


GREEDY = Sampling()


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of what the model thinks before it writes: shown to people, never read as a part of the reply."""

    text: str


@dataclass(frozen=True, slots=True)
class Retracted:
    """All text delivered so far was thinking: its end came, and its beginning had not been marked."""


@dataclass(frozen=True, slots=True)
class Retried:
    """The service was asked again in another way, or keeps people waiting; they see it once."""

    what: str
    """One clear line: what happened."""
    action: str
    """What was done about it."""


class CutReason(StrEnum):
    """Why a reply is not whole. The value completes the sentence "the model …"."""

    LENGTH = "reached the limit of its length"
    FILTER = "was stopped by the content filter of its service"
    REFUSAL = "refused"
    TOOLS = "called a tool instead of writing"
    BROKEN = "was cut off by a broken stream"
    EMPTY = "wrote nothing"


@dataclass(frozen=True, slots=True)
class Cut:
    """The reply ends too early, or there is none. What was delivered before stays; its last line may be half."""

    reason: CutReason
    said: str = ""
    """The service's own words, such as a refusal, or what to do about it."""

    def __str__(self) -> str:
        return f"{self.reason}: {self.said}" if self.said else str(self.reason)


Piece = str | Thought | Retracted | Retried | Cut | Usage


class LanguageModel(Protocol):
    @property
    def name(self) -> str:
        """Model and host for people, as in ``gpt-x at api.example.org``."""

    @property
    def abilities(self) -> Abilities:
        """What it does well by itself."""

    @property
    def at_once(self) -> int:
        """How many samples may be drawn at a time without changing the text that a seed gives."""

    def stream(
        self,
        messages: Sequence[Message],
        *,
        form: Form | None = None,
        max_tokens: int | None = None,
        cancel: CancelToken | None = None,
        sampling: Sampling = GREEDY,
    ) -> Iterator[Piece]:
        """Generate a reply to ``messages``: text deltas, then exactly one ``Usage`` (calls, tokens, llm_seconds).

        Thoughts, a ``Retracted`` and a ``Retried`` may come among the deltas. A ``Cut`` stands before the ``Usage``
        exactly when the reply is not whole; a reply without any text always has one.

        Closing the iterator, or setting ``cancel`` from any thread, closes the upstream response at once, so that
        generation ends there too.

        Raises:
            ModelError: the service failed, with a message for the user.
            Cancelled: ``cancel`` was set.
        """


Hear = Callable[[str, str], object]
"""Takes what happened, and what is done about it."""
_HEARS: ContextVar[Hear | None] = ContextVar("hears", default=None)


@contextmanager
def heard_by(hear: Hear) -> Iterator[None]:
    """Pass the notices of this thread to ``hear``, until the end of the block."""
    token = _HEARS.set(hear)
    try:
        yield
    finally:
        _HEARS.reset(token)


def tell(what: str, action: str) -> None:
    """Pass a notice to whoever hears this thread; without one it is lost."""
    if (hear := _HEARS.get()) is not None:
        hear(what, action)
