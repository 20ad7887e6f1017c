"""Align a sentence with passages: which words of them mean the same, and which of their sentences say most of it.

The states that MiniLM gives the tokens are compared as ColBERT does: each token of the sentence with the likest token
of a passage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from searchain.language import text
from searchain.language.sentences import split
from searchain.types import Passage, Span

if TYPE_CHECKING:
    from searchain.reading.similarity import TokenStates

LONGEST = 800
"""Characters that are embedded together; a longer sentence is cut."""
LENGTHS = (1, 2, 3)
"""How many neighbouring sentences of a passage are looked at together."""


class TokenEncoder(Protocol):
    def token_states(self, texts: Sequence[str]) -> list[TokenStates]:
        """Return the states of the tokens of each text."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the sentence that carries meaning, or a number."""

    span: Span
    text: str
    likeness: float
    """The cosine, −1 to 1, of the likest word of the passages."""
    stands: bool
    """Whether the passages have it, in any form of it; as a number, whether they have its value."""
    is_number: bool
    is_name: bool
    """Whether it begins with a capital, but not as the first word."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some neighbouring sentences of a passage."""

    passage: Passage
    """With the title of the whole one."""
    likeness: float
    """How like their likest words are to the words of the sentence, on average."""
    cosine: float
    """Of the mean states of both."""


@dataclass(frozen=True, slots=True)
class Alignment:
    words: tuple[Word, ...]
    best: tuple[Part, ...]
    """For each of ``LENGTHS`` the part with the likest words."""


def align(sentence: str, passages: Sequence[Passage], encoder: TokenEncoder) -> Alignment:
    """Align ``sentence`` with all ``passages`` together."""
    (said,) = encoder.token_states([sentence])
    spans = [span for span in _words(sentence) if _tokens_of(span, said)]
    groups = [_tokens_of(span, said) for span in spans]
    states = _unit(said.vectors)
    likest = np.full(len(spans), -1.0)
    best: dict[int, Part] = {}
    for passage in passages:
        rows, sums, pieces = _sentences_of(passage, states, groups, encoder)
        title = [passage.title] if passage.title.strip() else []
        for one in (*rows, *(_likeness(states, groups, found.vectors) for found in encoder.token_states(title))):
            likest = np.maximum(likest, one)
        for length in LENGTHS:
            for part in _parts(passage, rows, sums, pieces, length, states.mean(axis=0)):
                if length not in best or part.likeness > best[length].likeness:
                    best[length] = part
    held = " ".join(f"{passage.title} {passage.text}" for passage in passages)
    stems, numbers = {text.stem(word) for word in text.tokens(held)}, set(text.numbers(held))
    words = [_word(sentence, span, float(value), stems, numbers) for span, value in zip(spans, likest, strict=True)]
    return Alignment(tuple(words), tuple(best.values()))


def _word(sentence: str, span: Span, likeness: float, stems: set[str], numbers: set[float]) -> Word:
    said = sentence[span.start : span.end]
    values = text.numbers(said)
    stands = numbers.issuperset(values) if values else stems.issuperset(text.content_words(said))
    return Word(span, said, likeness, stands, bool(values), span.start > 0 and said[0].isupper())


def _words(sentence: str) -> Iterator[Span]:
    """Yield where the words stand that carry meaning, without punctuation around them."""
    at = 0
    for chunk in sentence.split():
        start = sentence.index(chunk, at)
        at = start + len(chunk)
        inside = [place for place, sign in enumerate(chunk, start) if sign.isalnum()]
        if inside and text.content_words(chunk):
            yield Span(inside[0], inside[-1] + 1)


def _tokens_of(span: Span, states: TokenStates) -> list[int]:
    return [number for number, (start, end) in enumerate(states.offsets) if start < span.end and end > span.start]


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def _likeness(states: np.ndarray, groups: Sequence[Sequence[int]], vectors: np.ndarray) -> np.ndarray:
    """Return for each group of the sentence's tokens the mean cosine of the likest of ``vectors`` [groups]."""
    if not len(vectors):
        return np.full(len(groups), -1.0)
    likest = (states @ _unit(vectors).T).max(axis=1)
    return np.array([likest[group].mean() for group in groups])


def _sentences_of(
    passage: Passage, states: np.ndarray, groups: Sequence[Sequence[int]], encoder: TokenEncoder
) -> tuple[list[np.ndarray], list[np.ndarray], list[Span]]:
    """Return for each sentence of the passage the likeness to each word, the sum of its states, and where it stands."""
    chunks: list[list[Span]] = []
    for first, last in split(passage.text):
        for start in range(first, last, LONGEST):
            piece = Span(start, min(start + LONGEST, last))
            if chunks and piece.end - chunks[-1][0].start <= LONGEST:
                chunks[-1].append(piece)
            else:
                chunks.append([piece])
    texts = [passage.text[chunk[0].start : chunk[-1].end] for chunk in chunks]
    rows, sums, pieces = [], [], []
    for chunk, found in zip(chunks, encoder.token_states(texts) if texts else [], strict=True):
        for piece in chunk:
            inside = Span(piece.start - chunk[0].start, piece.end - chunk[0].start)
            if own := _tokens_of(inside, found):
                vectors = found.vectors[own[0] : own[-1] + 1]
                rows.append(_likeness(states, groups, vectors))
                sums.append(vectors.sum(axis=0))
                pieces.append(piece)
    return rows, sums, pieces


def _parts(
    passage: Passage,
    rows: Sequence[np.ndarray],
    sums: Sequence[np.ndarray],
    pieces: Sequence[Span],
    length: int,
    middle: np.ndarray,
) -> Iterator[Part]:
    """Yield the runs of ``length`` neighbouring sentences; all of a passage that has fewer."""
    for first in range(max(1, len(pieces) - length + 1) if pieces else 0):
        own = slice(first, first + length)
        likeness = np.max(rows[own], axis=0)
        total = np.sum(sums[own], axis=0)
        yield Part(
            Passage(passage.id, passage.title, passage.text[pieces[own][0].start : pieces[own][-1].end]),
            float(likeness.mean()) if len(likeness) else 0.0,
            float(_unit(total) @ _unit(middle)),
        )
