"""Complete follow-ups, and find the questions that lead to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from searchain.question.wording import points_back
from searchain.types import Exchange


class Resolver(Protocol):
    """Makes follow-ups standalone."""

    def standalone(self, question: str, history: Sequence[Exchange]) -> str:
        """Complete a follow-up from the conversation; if it is unclear how, return the question unchanged."""

    def leans(self, question: str, history: Sequence[Exchange]) -> bool:
        """Tell whether a question may need the conversation."""

    def bare(self, question: str) -> str:
        """Return the question without the polite words around it."""


class ByWords:
    """Completes no follow-up, but recognises one by its words: for runs without the trained model."""

    def standalone(self, question: str, history: Sequence[Exchange]) -> str:
        return question

    def leans(self, question: str, history: Sequence[Exchange]) -> bool:
        return bool(history) and points_back(question)

    def bare(self, question: str) -> str:
        return question


BY_WORDS = ByWords()


def led_by(history: Sequence[Exchange], leans: Callable[[str, Sequence[Exchange]], bool]) -> str:
    """Return the last question of a conversation, behind at most two that it refers to itself."""
    *before, last = history[-3:]
    return " ".join(filter(None, (led_by(before, leans) if leans(last.question, before) else "", last.question)))
