"""Classify an input: by a linear head on its embedding its kind (small talk or question), by other models the rest.

``lab.training.question_head`` trains the head. The embedding is that of ``reading.similarity``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from searchain.files.weights import Layer, layer_of, read_weights
from searchain.language.text import content_words, is_yes_no_question_form, opens_with_auxiliary
from searchain.question.document_head import About, DocumentHead, DocumentQuestion, Encoder, Part
from searchain.question.parts import PartHead
from searchain.question.question_model import QuestionModel
from searchain.question.worded import YES_NO, WordedHead
from searchain.types import Exchange

WEIGHTS = Path(__file__).parent.parent / "weights" / "question" / "head.json"
QUESTION = "question"
"""The kind of a question that a library may answer; every other kind is small talk."""
EVEN = 0.5
"""The least probability with which a question with "or" that opens with an auxiliary wants yes or no."""
DOCUMENTS = "documents"
"""Begins the kinds of talk about own documents, which ``About`` names."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The trained layer and its threshold."""

    talk: Layer
    threshold: float
    """The least probability of small talk with which an input is not looked up."""


class Head:
    """Classifies inputs by their embeddings. Thread-safe if ``encoder`` is."""

    def __init__(self, encoder: Encoder, weights: Weights | None = None) -> None:
        self.encoder, self._weights = encoder, weights or stored_weights()
        self._documents, self._yes_no = DocumentHead(encoder), WordedHead(encoder, YES_NO)
        self._parts, self._model = PartHead(encoder), QuestionModel()

    def kinds(self, text: str) -> dict[str, float]:
        """Return the probability of each kind of ``text``, including ``QUESTION``.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        return self._weights.talk.shares(np.asarray(self.encoder.embed(text), dtype=np.float64))

    def expected_steps(self, question: str) -> float:
        """Return the probability that a standalone ``question`` needs more than one look-up. Raises as ``kinds``."""
        return self._model.expected_steps(question)

    def asks_yes_no(self, question: str) -> bool:
        """Tell whether ``question`` wants yes or no, by its form or by the trained head. Raises as ``kinds``."""
        least = EVEN if opens_with_auxiliary(question) else None
        return is_yes_no_question_form(question) or self._yes_no.kind_of(question, least) is not None

    def parts(self, question: str) -> tuple[str, ...]:
        """Return the things that ``question`` asks for, in its words; empty if it asks for one. Raises as ``kinds``."""
        return self._parts.parts(question)

    def standalone(self, question: str, history: Sequence[Exchange]) -> str:
        """Complete a follow-up from the conversation; if it is unclear how, return the question unchanged.

        Raises as ``kinds``.
        """
        return self._model.standalone(question, history)

    def leans(self, question: str, history: Sequence[Exchange]) -> bool:
        """Tell whether a question may need the conversation. Raises as ``kinds``."""
        return self._model.leans(question, history)

    def bare(self, question: str) -> str:
        """Return the question without the polite words around it. Raises as ``kinds``."""
        return self._model.bare(question)

    def about_documents(self, text: str) -> DocumentQuestion | None:
        """Return a question about own documents as wholes; ``None`` for any other. Raises as ``kinds``."""
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

        ``only`` names the kinds that count; empty: all. Raises as ``kinds``.
        """
        kinds = {kind: share for kind, share in self.kinds(text).items() if kind != QUESTION}
        wanted = {kind: share for kind, share in kinds.items() if kind in only} if only else kinds
        is_talk = sum(wanted.values()) >= self._weights.threshold
        return max(wanted, key=wanted.__getitem__) if is_talk else None


def stored_weights(file: Path = WEIGHTS) -> Weights:
    """Read the weights in ``file``.

    Raises:
        SetupError: the file is missing or damaged.
    """
    return read_weights(file, lambda stored: Weights(layer_of(stored["talk"]), float(stored["threshold"])))
