"""Check automatically how far the cited passages support a sentence, and which of its words they do not carry.

Two logistic models read the same few features: one scores support, the other contradiction. The features say how like
the words of the sentence are to words of the passages (``searchain.reading.alignment``), which words, word pairs,
numbers and names stand there, and what the stance model finds in the sentences that are most like it.
``lab.training.support`` fitted weights and thresholds to human judgements.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from searchain.files.weights import read_weights
from searchain.language import text
from searchain.reading.alignment import Alignment, TokenEncoder, Word, align
from searchain.reading.stance import MiniLMStance, Stance, embedded_stance
from searchain.types import Opinion, Passage, Span
from searchain.verification.probability import Logistic

Label = Literal["supported", "partial", "not_supported", "contradicted"]
WEIGHTS = Path(__file__).parent.parent / "weights" / "support" / "support.json"
FEATURES = (
    "supports", "refutes", "margin", "decided", "likeness", "least", "part", "cosine", "words", "window", "pairs",
    "numbers", "names", "length",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    label: Label
    score: float
    """The score, 0–1, higher for better support. It is not a probability."""
    uncarried: tuple[Span, ...] = ()
    """Where the words stand in the sentence that the passages do not carry; none in a supported sentence."""

    @property
    def is_carried(self) -> bool:
        """Whether the passages support the sentence at least in part."""
        return self.label in ("supported", "partial")


@dataclass(frozen=True, slots=True)
class Weights:
    """The fitted weights and thresholds. The scores are not probabilities."""

    support: Logistic
    contradiction: Logistic
    supported: float
    """From this score of support on, a sentence is supported."""
    partial: float
    """From this score of support on, a sentence is partially supported."""
    contradicted: float
    """From this score of contradiction on, a sentence is contradicted."""
    alike: float
    """A word that stands in no passage is carried if it is this like a word there."""
    name_alike: float
    """The same for a name."""

    def finding(self, features: Sequence[float], words: Sequence[Word]) -> Finding:
        """Return the finding for a sentence with these features and words."""
        score, label = self.support.probability(features), self.label(features)
        missing = [word for word in words if self.is_uncarried(word)]
        if label == "supported" and any(word.is_number or word.is_name for word in missing):
            label = "partial"
        if label == "partial" and not missing:
            missing = sorted(words, key=lambda word: word.likeness)[:1]
        spans = () if label == "supported" else tuple(word.span for word in missing)
        return Finding(label, score, spans)

    def label(self, features: Sequence[float]) -> Label:
        """Return the label that the two scores give."""
        score = self.support.probability(features)
        if self.contradiction.probability(features) >= self.contradicted:
            return "contradicted"
        return "supported" if score >= self.supported else "partial" if score >= self.partial else "not_supported"

    def is_uncarried(self, word: Word) -> bool:
        """Return whether the passages do not carry ``word``; a number must stand there."""
        if word.stands:
            return False
        return word.is_number or word.likeness < (self.name_alike if word.is_name else self.alike)


def stored_weights(file: Path = WEIGHTS) -> Weights:
    """Read the weights in ``file``. Raises ``SetupError`` if the file is missing or damaged."""
    return read_weights(
        file,
        lambda stored: Weights(
            Logistic.from_json(stored["support"], FEATURES),
            Logistic.from_json(stored["contradiction"], FEATURES),
            **{name: float(value) for name, value in stored["thresholds"].items()},
        ),
    )


class SentenceCheck(Protocol):
    def judge(self, sentence: str, passages: Sequence[Passage]) -> Finding:
        """Return how far all ``passages`` together support ``sentence``. Thread-safe."""


class SupportCheck:
    """The support check. As thread-safe as its parts, which are the embedded ones by default.

    Args:
        stance: says whether a passage supports or refutes a statement.
        encoder: gives the states of the tokens of a text.

    Raises:
        SetupError: an embedded part is missing or damaged.
    """

    def __init__(
        self, stance: Stance | None = None, encoder: TokenEncoder | None = None, weights: Weights | None = None
    ) -> None:
        if encoder is None:
            from searchain.reading.similarity import QueryEncoder

            encoder = QueryEncoder()
        self._stance = stance or MiniLMStance(embedded_stance())
        self._encoder, self._weights = encoder, weights or stored_weights()

    def judge(self, sentence: str, passages: Sequence[Passage]) -> Finding:
        """Return how far all ``passages`` together support ``sentence``; without any text it is not supported."""
        if not any(passage.text.strip() for passage in passages) or not text.tokens(sentence):
            return Finding("not_supported", 0.0)
        features, words = self.read(sentence, passages)
        return self._weights.finding(features, words)

    def __call__(self, claim: str, evidence: str) -> Label:
        """Return the label of ``judge``; ``evidence`` holds passages separated by empty lines."""
        return self.judge(claim, paragraphs(evidence)).label

    def read(self, sentence: str, passages: Sequence[Passage]) -> tuple[tuple[float, ...], tuple[Word, ...]]:
        """Return the values of ``FEATURES``, most of them between −1 and 1, and the words of the sentence."""
        aligned = align(sentence, passages, self._encoder)
        parts = list(dict.fromkeys(part.passage for part in aligned.best))
        opinions = self._stance.judge(sentence, parts)
        return (*_decided(opinions), *_alike(aligned), *_lexical(sentence, passages, aligned)), aligned.words


def _decided(opinions: Sequence[Opinion]) -> tuple[float, ...]:
    """Return what the stance model finds: most support and refutation, the clearest margin, and that of the last."""
    return (
        max(opinion.supports for opinion in opinions),
        max(opinion.refutes for opinion in opinions),
        max((opinion.margin for opinion in opinions), key=abs),
        opinions[-1].margin,
    )


def _alike(aligned: Alignment) -> tuple[float, ...]:
    """Return how like the words are: on average, the least, on average in the best part; and its cosine."""
    ranked = sorted(word.likeness for word in aligned.words) or [1.0]
    likest, nearest = max(part.likeness for part in aligned.best), max(part.cosine for part in aligned.best)
    return sum(ranked) / len(ranked), ranked[0], likest, nearest


def _lexical(sentence: str, passages: Sequence[Passage], aligned: Alignment) -> tuple[float, ...]:
    """Return which words, word pairs, numbers and names stand in the passages, and the length."""
    wanted, said = text.content_words(sentence), text.tokens(sentence)
    held = [text.tokens(f"{one.title} {one.text}") for one in passages]
    best = [f"{part.passage.title} {part.passage.text}" for part in aligned.best]
    numbers = {number for one in passages for number in text.numbers(f"{one.title} {one.text}")}
    return (
        _share(wanted, {text.stem(word) for one in held for word in one}),
        max(_share(wanted, {text.stem(word) for word in text.tokens(one)}) for one in best),
        max(_share(zip(said, said[1:], strict=False), set(zip(one, one[1:], strict=False))) for one in held),
        _share(text.numbers(sentence), numbers),
        _share([word.stands for word in aligned.words if word.is_name], {True}),
        min(len(said), 60) / 60,
    )


def paragraphs(evidence: str) -> list[Passage]:
    """Return the passages of a text, which empty lines separate."""
    return [Passage("", "", part.strip()) for part in re.split(r"\n[ \t]*\n", evidence) if part.strip()]


def _share(wanted: Any, held: set[Any]) -> float:
    """Return the share of ``wanted`` that is held; 1 if nothing is wanted."""
    asked = list(wanted)
    return sum(one in held for one in asked) / len(asked) if asked else 1.0
