"""The automatic support check: how far do the passages that a sentence cites say what it says?

A logistic combination of few features: whether the stance model takes the passages to support the sentence, how many of
its words, word pairs and numbers they hold, and the cosine of sentence and passage. Weights and thresholds were fitted
by ``searchain.training.support`` on the judgements of people.
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
"""Characters of the neighbouring sentences that are looked at together."""


@dataclass(frozen=True, slots=True)
class Finding:
    label: Label
    score: float
    """0–1; what it is worth depends on the data, but more is better supported."""
    is_unsure: bool = False
    """Whether the score lies in the band in which people disagree with the check most."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The fitted combination."""

    bias: float
    features: tuple[float, ...]
    """One per ``FEATURES``."""
    supported: float
    """From this score on a sentence is supported,"""
    partial: float
    """and from this one on in part."""
    best: float
    """From this score on a sentence is more likely supported than not: the two are told apart best here."""

    @property
    def unsure(self) -> tuple[float, float]:
        """The band in which the check is unsure: as far below ``best`` as ``supported`` lies above it."""
        return round(2 * self.best - self.supported, 4), self.supported

    def finding(self, score: float) -> Finding:
        """Return what ``score`` says."""
        low, high = self.unsure
        return Finding(self.label(score), score, low <= score < high)

    def score(self, features: Sequence[float]) -> float:
        return 1 / (1 + math.exp(-self.bias - sum(w * x for w, x in zip(self.features, features, strict=True))))

    def label(self, score: float) -> Label:
        return "supported" if score >= self.supported else "partial" if score >= self.partial else "not_supported"


def stored_weights(file: Path = WEIGHTS) -> Weights:
    """The weights in ``file``.

    Raises:
        SetupError: it is missing or damaged.
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
        """How far ``passages``, together, support ``sentence``. Thread-safe."""


class SupportCheck:
    """How far passages support a sentence. Thread-safe as its parts are; the embedded ones are the default.

    Args:
        stance: what a passage makes of a statement.
        similarity: cosine of two texts.

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
        """How far ``passages``, together, support ``sentence``. Without any text it is not supported."""
        if not any(passage.text.strip() for passage in passages) or not text.tokens(sentence):
            return Finding("not_supported", 0.0)
        return self._weights.finding(self._weights.score(self.features(sentence, passages)))

    def __call__(self, claim: str, evidence: str) -> Label:
        """The label of ``judge``; ``evidence`` are passages with an empty line between two."""
        return self.judge(claim, paragraphs(evidence)).label

    def features(self, sentence: str, passages: Sequence[Passage]) -> tuple[float, ...]:
        """The values of ``FEATURES``, −1 to 1: words and numbers of all passages together, the rest of the part of a
        passage that has most of it."""
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
    """The passages of a text with empty lines between them."""
    return [Passage("", "", part.strip()) for part in re.split(r"\n[ \t]*\n", evidence) if part.strip()]


def _parts(passage: Passage) -> list[Passage]:
    return [
        Passage(passage.id, passage.title, passage.text[start:end])
        for start, end in windows(split(passage.text), WINDOW)
        if start < end
    ]


def _share(wanted: Any, held: set[Any]) -> float:
    """How many of ``wanted`` are held; 1 when nothing is wanted."""
    asked = list(wanted)
    return sum(one in held for one in asked) / len(asked) if asked else 1.0
