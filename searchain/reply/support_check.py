"""Check automatically how far the cited passages support a sentence.

The check is a logistic model with few features: whether the stance model finds support, how many of the sentence's
words, word pairs and numbers the passages hold, and the cosine of sentence and passage. ``lab.training.support``
fitted its weights and thresholds to human judgements.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from searchain.errors import SetupError
from searchain.language import text
from searchain.language.sentences import split
from searchain.reading.stance import MiniLMStance, Stance, embedded_stance, windows
from searchain.types import Passage

Label = Literal["supported", "partial", "not_supported"]
WEIGHTS = Path(__file__).parent.parent / "weights" / "support" / "support.json"
FEATURES = ("supports", "words", "window", "pairs", "numbers", "cosine")
WINDOW = 600
"""Characters of neighbouring sentences that are compared together."""


@dataclass(frozen=True, slots=True)
class Finding:
    label: Label
    score: float
    """The score, 0–1, higher for better support. It is not a probability."""
    is_unsure: bool = False
    """Whether the score lies in the range where people most often disagree with the check."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The fitted weights and thresholds."""

    bias: float
    features: tuple[float, ...]
    """One weight per name in ``FEATURES``."""
    supported: float
    """From this score on, a sentence is supported."""
    partial: float
    """From this score on, a sentence is partially supported."""
    best: float
    """The score that best separates supported sentences from others."""

    @property
    def unsure(self) -> tuple[float, float]:
        """The range of scores in which the check is unsure: as far below ``best`` as ``supported`` is above it."""
        return round(2 * self.best - self.supported, 4), self.supported

    def finding(self, score: float) -> Finding:
        """Return the finding for ``score``."""
        low, high = self.unsure
        return Finding(self.label(score), score, low <= score < high)

    def score(self, features: Sequence[float]) -> float:
        return 1 / (1 + math.exp(-self.bias - sum(w * x for w, x in zip(self.features, features, strict=True))))

    def label(self, score: float) -> Label:
        return "supported" if score >= self.supported else "partial" if score >= self.partial else "not_supported"


def stored_weights(file: Path = WEIGHTS) -> Weights:
    """Read the weights in ``file``.

    Raises:
        SetupError: the file is missing or damaged.
    """
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
        return Weights(
            float(stored["bias"]),
            tuple(float(stored["features"][name]) for name in FEATURES),
            float(stored["supported"]),
            float(stored["partial"]),
            float(stored["best"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetupError(
            f"{str(file)!r} is missing or damaged ({type(error).__name__}: {error}); restore it from the repository"
        ) from error


class SentenceCheck(Protocol):
    def judge(self, sentence: str, passages: Sequence[Passage]) -> Finding:
        """Return how far all ``passages`` together support ``sentence``. Thread-safe."""


class SupportCheck:
    """The support check. As thread-safe as its parts, which are the embedded ones by default.

    Args:
        stance: says whether a passage supports or refutes a statement.
        similarity: returns the cosine of two texts.

    Raises:
        SetupError: an embedded part is missing or damaged.
    """

    def __init__(
        self,
        stance: Stance | None = None,
        similarity: Callable[[str, str], float] | None = None,
        weights: Weights | None = None,
    ) -> None:
        if similarity is None:
            from searchain.reading.similarity import QueryEncoder

            similarity = QueryEncoder()
        self._stance = stance or MiniLMStance(embedded_stance())
        self._similarity, self._weights = similarity, weights or stored_weights()

    def judge(self, sentence: str, passages: Sequence[Passage]) -> Finding:
        """Return how far all ``passages`` together support ``sentence``; without any text it is not supported."""
        if not any(passage.text.strip() for passage in passages) or not text.tokens(sentence):
            return Finding("not_supported", 0.0)
        return self._weights.finding(self._weights.score(self.features(sentence, passages)))

    def __call__(self, claim: str, evidence: str) -> Label:
        """Return the label of ``judge``; ``evidence`` holds passages separated by empty lines."""
        return self.judge(claim, paragraphs(evidence)).label

    def features(self, sentence: str, passages: Sequence[Passage]) -> tuple[float, ...]:
        """Return the values of ``FEATURES``, each from −1 to 1.

        Words and numbers are compared with all passages together. The other features use the best part of a passage.
        """
        parts = [part for passage in passages for part in _parts(passage)]
        opinions = self._stance.judge(sentence, parts)
        wanted, words = text.content_words(sentence), text.tokens(sentence)
        said = [text.tokens(f"{part.title} {part.text}") for part in parts]
        stems = [{text.stem(word) for word in part} for part in said]
        numbers = {number for part in parts for number in text.numbers(f"{part.title} {part.text}")}
        return (
            max(opinion.supports for opinion in opinions),
            _share(wanted, set().union(*stems)),
            max(_share(wanted, part) for part in stems),
            max(_share(zip(words, words[1:], strict=False), set(zip(part, part[1:], strict=False))) for part in said),
            _share(text.numbers(sentence), numbers),
            max(self._similarity(sentence, part.text) for part in parts),
        )


def paragraphs(evidence: str) -> list[Passage]:
    """Return the passages of a text, which empty lines separate."""
    return [Passage("", "", part.strip()) for part in re.split(r"\n[ \t]*\n", evidence) if part.strip()]


def _parts(passage: Passage) -> list[Passage]:
    return [
        Passage(passage.id, passage.title, passage.text[start:end])
        for start, end in windows(split(passage.text), WINDOW)
        if start < end
    ]


def _share(wanted: Any, held: set[Any]) -> float:
    """Return the share of ``wanted`` that is held; 1 if nothing is wanted."""
    asked = list(wanted)
    return sum(one in held for one in asked) / len(asked) if asked else 1.0
