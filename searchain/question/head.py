"""Classify an input by a linear head on its embedding: its kind (small talk or question) and its number of steps.

``lab.training.question_head`` trains the head. The embedding is that of ``reading.similarity``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from searchain.errors import SetupError
from searchain.language.questions import nesting

WEIGHTS = Path(__file__).parent.parent / "weights" / "question" / "head.json"
QUESTION = "question"
"""The kind of a question that a library may answer; every other kind is small talk."""
MOST_WORDS = 30
"""A longer question counts as one of this length."""
MOST_INSIDE = 3
"""The greatest count of clauses or of links; more are counted as this many."""

Floats = NDArray[np.float64]
Embed = Callable[[str], Floats]
"""Text → its embedding, of length 1."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A linear layer with a softmax: one row of weights per label."""

    labels: tuple[str, ...]
    weights: Floats
    bias: Floats

    def shares(self, values: Floats) -> dict[str, float]:
        """Return the probability of each label."""
        logits = self.weights @ values + self.bias
        found = np.exp(logits - logits.max())
        return dict(zip(self.labels, (found / found.sum()).tolist(), strict=True))


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

    @property
    def talk(self) -> float:
        """The probability that it is not a question to a library."""
        return 1 - self.kinds[QUESTION]

    @property
    def kind(self) -> str:
        """The likeliest kind of talk."""
        return max((kind for kind in self.kinds if kind != QUESTION), key=lambda kind: self.kinds[kind])


class Head:
    """Classifies inputs by their embeddings. Thread-safe if ``embed`` is."""

    def __init__(self, embed: Embed, weights: Weights | None = None) -> None:
        self._embed = embed
        self._weights = weights or stored_weights()

    def of(self, text: str) -> Asked:
        """Return the probabilities of the kinds and steps of ``text``.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        found = np.asarray(self._embed(text), dtype=np.float64)
        return Asked(self._weights.talk.shares(found), self._weights.steps.shares(with_form(found, text)))

    def expected_steps(self, question: str) -> float:
        """Return the probability that ``question`` needs more than one look-up.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        return 1 - self.of(question).steps["1"]

    def is_talk(self, asked: Asked) -> bool:
        """Tell whether the input is so likely small talk that it is not looked up."""
        return asked.talk >= self._weights.threshold


def with_form(embedding: Floats, text: str) -> Floats:
    """Append to the embedding the length of ``text`` and its numbers of clauses and links."""
    length = 5 * min(len(text.split()), MOST_WORDS) / MOST_WORDS
    return np.append(embedding, [length, *(min(count, MOST_INSIDE) for count in nesting(text))])


def stored_weights(file: Path = WEIGHTS) -> Weights:
    """Read the weights in ``file``.

    Raises:
        SetupError: the file is missing or damaged.
    """
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
        talk, steps = (
            Layer(tuple(one["labels"]), np.array(one["weights"]), np.array(one["bias"]))
            for one in (stored["talk"], stored["steps"])
        )
        return Weights(talk, steps, float(stored["threshold"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetupError(f"the weights {str(file)!r} are missing or damaged; install the program again") from error
