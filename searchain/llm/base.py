"""What the pipeline asks of a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from searchain.cancel import CancelToken
from searchain.types import Message, Usage


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


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is drawn. A temperature of 0 takes the likeliest; other seeds give other texts."""

    temperature: float = 0.0
    seed: int = 0


GREEDY = Sampling()


class LanguageModel(Protocol):
    @property
    def name(self) -> str:
        """Model and host for people, as in ``gpt-x at api.example.org``."""

    @property
    def knows_forms(self) -> bool:
        """Whether it was trained on the forms: a small model, for which brief prompts are enough."""

    def stream(
        self,
        messages: Sequence[Message],
        *,
        form: Form | None = None,
        max_tokens: int | None = None,
        cancel: CancelToken | None = None,
        sampling: Sampling = GREEDY,
    ) -> Iterator[str | Usage]:
        """Generate a reply to ``messages``: text deltas, then exactly one ``Usage`` (calls, tokens, llm_seconds).

        Closing the iterator, or setting ``cancel`` from any thread, closes the upstream response at once, so that
        generation ends there too.

        Raises:
            ModelError: the service failed, with a message for the user.
            Cancelled: ``cancel`` was set.
        """
