"""Classify an input by a linear head on its embedding: its kind (small talk or question) and its number of steps.

``lab.training.question_head`` trains the head. The embedding is that of ``reading.similarity``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from searchain.files.weights import Floats, Layer, layer_of, read_weights
from searchain.language.questions import nesting
from searchain.language.text import content_words, is_yes_no_question_form
from searchain.question.document_head import About, DocumentHead, DocumentQuestion, Encoder, Part
from searchain.question.follow_ups import FollowUps
from searchain.question.parts import PartHead
from searchain.question.worded import YES_NO, WordedHead
from searchain.types import Exchange

WEIGHTS = Path(__file__).parent.parent / "weights" / "question" / "head.json"
QUESTION = "question"
"""The kind of a question that a library may answer; every other kind is small talk."""
DOCUMENTS = "documents"
"""Begins the kinds of talk about own documents, which ``About`` names."""
MOST_WORDS = 30
"""A longer question counts as one of this length."""
MOST_INSIDE = 3
"""The greatest count of clauses or of links; more are counted as this many."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The trained layers and the threshold."""

    talk: Layer
    steps: Layer
    """Its labels "1", "2" and "3" are numbers of look-ups; "3" means three or more."""
    threshold: float
    """The least probability of small talk with which an input is not looked up."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The head's probabilities for one input."""

    kinds: Mapping[str, float]
    """Kind → probability, including ``QUESTION``."""
    steps: Mapping[str, float]
    """Number of look-ups ("3": three or more) → probability, if the input is a question."""


class Head:
    """Classifies inputs by their embeddings. Thread-safe if ``encoder`` is."""

    def __init__(self, encoder: Encoder, weights: Weights | None = None) -> None:
        self.encoder, self._weights = encoder, weights or stored_weights()
        self._documents, self._yes_no = DocumentHead(encoder), WordedHead(encoder, YES_NO)
        self._parts, self._follow_ups = PartHead(encoder), FollowUps()

    def of(self, text: str) -> Asked:
        """Return the probabilities of the kinds and steps of ``text``.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        found = np.asarray(self.encoder.embed(text), dtype=np.float64)
        return Asked(self._weights.talk.shares(found), self._weights.steps.shares(with_form(found, text)))

    def expected_steps(self, question: str) -> float:
        """Return the probability that ``question`` needs more than one look-up.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        return 1 - self.of(question).steps["1"]

    def asks_yes_no(self, question: str) -> bool:
        """Tell whether ``question`` wants yes or no: by its form, or as likely as the trained head demands.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        return is_yes_no_question_form(question) or self._yes_no.kind_of(question) is not None

    def parts(self, question: str) -> tuple[str, ...]:
        """Return the things that ``question`` asks for, in its words; empty if it asks for one. Raises as ``of``."""
        return self._parts.parts(question)

    def standalone(self, question: str, history: Sequence[Exchange]) -> str:
        """Complete a follow-up from the conversation; if it is unclear how, return the question unchanged.

        Raises as ``of``.
        """
        return self._follow_ups.standalone(question, history)

    def leans(self, question: str, history: Sequence[Exchange]) -> bool:
        """Tell whether a question may need the conversation. Raises as ``of``."""
        return self._follow_ups.leans(question, history)

    def about_documents(self, text: str) -> DocumentQuestion | None:
        """Return a question about own documents as wholes; ``None`` for any other. Raises as ``of``."""
        if (found := self._documents.read(text)) is not None:
            return found
        kind, _, known = (self.kind_of_talk(text) or "").partition(":")
        return self._documents.read(text, About(known)) if kind == DOCUMENTS else None

    def documents_in(self, text: str) -> tuple[str, ...]:
        """Return the names of documents in ``text``, without those that only point at one, such as "it"."""
        named = (words for part, words in self._documents.parts(text) if part is Part.DOCUMENT)
        return tuple(words for words in named if content_words(words))

    def kind_of_talk(self, text: str, only: Collection[str] = ()) -> str | None:
        """Return the kind of an input that is so likely small talk that it is not looked up, else ``None``.

        ``only`` names the kinds that count; empty: all. Raises as ``of``.
        """
        kinds = {kind: share for kind, share in self.of(text).kinds.items() if kind != QUESTION}
        wanted = {kind: share for kind, share in kinds.items() if kind in only} if only else kinds
        is_talk = sum(wanted.values()) >= self._weights.threshold
        return max(wanted, key=wanted.__getitem__) if is_talk else None


def with_form(embedding: Floats, text: str) -> Floats:
    """Append to the embedding the length of ``text`` and its numbers of clauses and links."""
    length = 5 * min(len(text.split()), MOST_WORDS) / MOST_WORDS
    return np.append(embedding, [length, *(min(count, MOST_INSIDE) for count in nesting(text))])


def stored_weights(file: Path = WEIGHTS) -> Weights:
    """Read the weights in ``file``.

    Raises:
        SetupError: the file is missing or damaged.
    """
    return read_weights(
        file, lambda stored: Weights(layer_of(stored["talk"]), layer_of(stored["steps"]), float(stored["threshold"]))
    )
