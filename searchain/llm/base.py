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
    QUESTION = "question"
    """The question that a sentence answers."""
    ACTION = "action"
    """``Search[…]``, ``Lookup[…]`` or ``Finish[…]``."""
    CHOICE = "choice"
    """The number of one of the choices that the last message lists."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is drawn. A temperature of 0 takes the likeliest; other seeds give other texts."""

    temperature: float = 0.0
    seed: int = 0


GREEDY = Sampling()


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a language model does well by itself. Where it does not, the program does it (``searchain.chain.help``)."""

    knows_forms: bool = False
    """It was trained on the forms: brief prompts without instructions and examples are enough."""
    plans: bool = True
    """Its steps keep to the question, and a name that nobody gave is one that it knows."""
    stops: bool = True
    """Its chain ends when the question is answered."""
    compares: bool = True
    """It tells which of two dates or numbers is larger."""
    concludes: bool = True
    """It takes the short answer from the steps, and resolves what a follow-up points to."""
    explains: bool = True
    """It explains in words of its own what the passages say."""


CAPABLE = Abilities()
SMALL = Abilities(plans=False, stops=False, compares=False)
"""An instruct model of one or two billion parameters: its chains run on and echo the prompt's examples, and its
comparisons end in a bare value."""
TRAINED = Abilities(knows_forms=True, plans=False, stops=False, compares=False, concludes=False, explains=False)
"""A model of 135 million parameters that learnt the forms."""


class LanguageModel(Protocol):
    @property
    def name(self) -> str:
        """Model and host for people, as in ``gpt-x at api.example.org``."""

    @property
    def abilities(self) -> Abilities:
        """What it does well by itself."""

    @property
    def at_once(self) -> int:
        """How many samples may be drawn at a time, so that the same seeds give the same texts."""

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
