"""Make a follow-up standalone by one edit, with words of the conversation.

An edit exchanges a stretch of the question for words of an earlier question or answer ("how high is *it*"), or a
stretch of the last question for words of a fragment ("and Germany?").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from searchain.types import Exchange, Span

_WORD = re.compile(r"\w+(?:[.-]\w+)*|['’]\w+|[^\w\s]")
LATEST = 3
"""Of how many earlier exchanges words are taken."""
JOINTS = ("", "'s", *"of in for on at by to from about with than".split())
"""What may stand between an edit's words and the question: nothing, "'s" behind them, or a small word before them."""


class Place(Enum):
    """What is edited, and how."""

    QUESTION = "question"
    """Words of the question are exchanged for words of the conversation."""
    INTO_QUESTION = "into question"
    """Words of the conversation are put into the question, behind a word."""
    LAST = "last"
    """Words of the last question are exchanged for words of the question."""
    INTO_LAST = "into last"
    """Words of the question are put into the last question, behind a word."""

    @property
    def is_of_last(self) -> bool:
        return self in (Place.LAST, Place.INTO_LAST)

    @property
    def inserts(self) -> bool:
        return self in (Place.INTO_QUESTION, Place.INTO_LAST)


@dataclass(frozen=True, slots=True)
class Edit:
    """A change that makes a question standalone."""

    place: Place
    at: Span
    """What is exchanged, or the word behind which words are put, in the question or in the last one."""
    words: str
    joint: str = ""

    def applied(self, question: str, history: Sequence[Exchange]) -> str:
        """Return the standalone question.

        >>> said = [Exchange("What is the capital of Mali?", "Bamako.", "Bamako")]
        >>> Edit(Place.LAST, Span(23, 27), "Chad").applied("And Chad?", said)
        'What is the capital of Chad?'
        >>> Edit(Place.INTO_QUESTION, Span(0, 10), "Mali", "of").applied("population?", said)
        'population of Mali?'
        """
        base = history[-1].question if self.place.is_of_last else question
        put = f"{self.words}'s" if self.joint == "'s" else f"{self.joint} {self.words}".strip()
        if self.place.inserts:
            return f"{base[: self.at.end]} {put}{base[self.at.end :]}"
        return f"{base[: self.at.start]}{put}{base[self.at.end :]}"


def words_of(text: str) -> list[Span]:
    """Return where the words and signs of ``text`` stand."""
    return [Span(*found.span()) for found in _WORD.finditer(text)]


def texts_of(question: str, history: Sequence[Exchange]) -> list[str]:
    """Return the question and what was asked and answered before it, the latest first: 1 + 2 × exchanges."""
    said = [text for one in reversed(history[-LATEST:]) for text in (one.question, one.final_answer)]
    return [question, *said]
