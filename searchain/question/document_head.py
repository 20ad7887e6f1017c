"""Recognise questions about own documents as wholes, and the words that name their parts.

A linear layer on the embedding of a question tells its kind; another one, on the states of its tokens, finds the words
that name a document, a page or section, or what is to be mentioned. ``lab.training.document_head`` trains both.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from searchain.documents.kinds import kind_of_name
from searchain.files.weights import Layer, layer_of, read_weights

WEIGHTS = Path(__file__).parent.parent / "weights" / "question" / "documents.json"
NONE = "question"
"""The label of a question that passages answer."""


ABOUT_DOCUMENTS = "What are these documents about?"
"""A question that every set of documents answers."""


class About(StrEnum):
    """The kinds of questions about documents as wholes."""

    TOPICS = "topics"
    """What they are about, what they say, their main points."""
    FILES = "files"
    """Which there are."""
    NUMBER = "number"
    """How many there are."""
    MENTIONS = "mentions"
    """Which of them mention something, and how often."""
    LENGTH = "length"
    """Their pages, words and sections."""
    PAGE = "page"
    """What one page says."""
    SECTION = "section"
    """What one section says."""
    CONTENTS = "contents"
    """Their headings."""
    TITLE = "title"
    AUTHOR = "author"
    CHANGED = "changed"
    """When they were written or changed."""
    DATES = "dates"
    """All dates in them."""
    COMPARE = "compare"
    """Where two of them differ."""
    AGREE = "agree"
    """Whether they say the same about one thing."""


class Part(StrEnum):
    """What a part of such a question names."""

    OTHER = "other"
    DOCUMENT = "document"
    PLACE = "place"
    """A page or a section."""
    WORDS = "words"
    """The words that documents may mention."""


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """A question about documents as wholes, with the words that name its parts; ``""`` where there are none."""

    kind: About
    words: str = ""
    documents: tuple[str, ...] = ()
    place: str = ""


class States(Protocol):
    """The states of the tokens of a text, with their offsets."""

    @property
    def vectors(self) -> Any: ...
    @property
    def offsets(self) -> tuple[tuple[int, int], ...]: ...


class Encoder(Protocol):
    """Embeds a text and its tokens, such as ``reading.similarity.QueryEncoder``."""

    def prepare(self, texts: Iterable[str]) -> None: ...
    def embed(self, query: str) -> Any: ...
    def token_states(self, texts: Sequence[str]) -> Sequence[States]: ...


@dataclass(frozen=True, slots=True)
class DocumentWeights:
    kinds: Layer
    parts: Layer
    threshold: float
    """The least probability with which a question counts as one about documents as wholes."""


class DocumentHead:
    """Recognises questions about documents as wholes. Thread-safe if the encoder is."""

    def __init__(self, encoder: Encoder, weights: DocumentWeights | None = None) -> None:
        self._encoder, self._weights = encoder, weights or stored_weights()

    def read(self, text: str, known: About | None = None) -> DocumentQuestion | None:
        """Return the question with its parts; ``None`` for a question that passages answer.

        ``known`` is its kind where that is known to be one of these. A name of a file is read as "the document": its
        own words say nothing of what is asked.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        words = text.split()
        files = [name for word in words if kind_of_name(name := word.strip(_AROUND)) and "/" not in name]
        text = " ".join(word.replace(name, _ANY) if (name := word.strip(_AROUND)) in files else word for word in words)
        shares = self._weights.kinds.shares(np.asarray(self._encoder.embed(text), dtype=np.float64))
        if 1 - shares.pop(NONE) < self._weights.threshold and known is None:
            return None
        found = _question(text, self.parts(text), known or About(max(shares, key=shares.__getitem__)), shares)
        if found is None or not files:
            return found
        return replace(found, documents=(*files, *(one for one in found.documents if one != _ANY)))

    def parts(self, text: str) -> list[tuple[Part, str]]:
        """Return the parts of ``text`` in order, each with its words: stretches of words that name something."""
        (states,) = self._encoder.token_states([text])
        words = [(self._weights.parts.shares(vector), start, end) for start, end, vector in word_states(text, states)]
        found, last = list[tuple[Part, str]](), 0
        for is_named, run in itertools.groupby(
            words, key=lambda one: max(one[0], key=one[0].__getitem__) != Part.OTHER
        ):
            stretch = list(run)
            last += len(stretch)
            if is_named:
                sums = {part: sum(shares[part] for shares, _, _ in stretch) for part in Part if part is not Part.OTHER}
                named = text[stretch[0][1] : stretch[-1][2]]
                if named.casefold() in _BEFORE and last < len(words):  # an article belongs to the word after it
                    named = text[stretch[0][1] : words[last][2]]
                found.append((max(sums, key=sums.__getitem__), named.strip(_AROUND)))
        return found


def word_states(text: str, states: States) -> list[tuple[int, int, Any]]:
    """Return where each word of ``text`` begins and ends, with the mean of its tokens' states."""
    at, words = 0, list[tuple[int, int, Any]]()
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        end = start + len(word.rstrip(_AROUND))  # a full stop would weigh as much as the word
        inside = [start <= first < end for first, _ in states.offsets]
        if any(inside):
            words.append((start, at, states.vectors[inside].mean(axis=0)))
    return words


def _question(
    text: str, parts: Sequence[tuple[Part, str]], kind: About, shares: Mapping[str, float]
) -> DocumentQuestion | None:
    """Return the question with its parts; ``None`` if they do not go with its kind."""
    named = {wanted: [words for part, words in parts if part is wanted] for wanted in Part}
    place = max(named[Part.PLACE], key=len, default="")
    if place and kind is About.TOPICS:  # "what is page 3 about"
        kind = max((About.PAGE, About.SECTION), key=shares.__getitem__)
    match kind:
        case About.MENTIONS:
            return _of_mentions(text, parts, named)
        case About.AGREE:
            return _of_agreement(named)
        case About.TOPICS if len(named[Part.DOCUMENT]) > 1 or named[Part.WORDS]:
            return None  # what a document says about something is asked of its passages
        case About.PAGE | About.SECTION:
            place = place if len(place.split()) > 1 else text  # "the section on pets"
        case _:
            place = ""
    return DocumentQuestion(kind, "", tuple(named[Part.DOCUMENT]), place)


_Named = Mapping[Part, list[str]]
"""What is named → the words that name it."""


def _of_mentions(text: str, parts: Sequence[tuple[Part, str]], named: _Named) -> DocumentQuestion | None:
    found = named[Part.WORDS] or [words for _, words in parts[-1:]] or text.split()[-1:]
    words, documents = _mentioned(text, found), set(named[Part.DOCUMENT]) - set(found)
    return DocumentQuestion(About.MENTIONS, words, tuple(documents)) if words else None


def _of_agreement(named: _Named) -> DocumentQuestion:
    words = max(named[Part.WORDS], key=len, default="")
    words = words.removesuffix(" the")  # of "is the fee the same in both" the head finds "the fee the"
    return DocumentQuestion(About.AGREE if words else About.COMPARE, words, tuple(named[Part.DOCUMENT]))


_ANY = "the document"
_AROUND = " \t\n?!.,;:\"'“”‘’«»"
_QUOTES = (("“", "”"), ('"', '"'), ("«", "»"))
_BEFORE = frozenset("a about an any anything name names something term terms the word words".split())
_POINTING = frozenset("it he she they them this that him her these those there".split())


def _mentioned(text: str, found: Sequence[str]) -> str:
    """Return the words whose mentions are asked for: those in quotation marks, else the longest that were found."""
    for first, last in _QUOTES:
        _, opened, rest = text.partition(first)
        inside, closed, _ = rest.partition(last)
        if opened and closed and inside.strip(_AROUND):
            return inside.strip(_AROUND)
    words = max(found, key=len, default="").split()
    kept = itertools.dropwhile(lambda word: word.casefold() in _BEFORE, words)
    said = " ".join(kept).strip(_AROUND)
    return "" if said.casefold() in _POINTING else said


def stored_weights(file: Path = WEIGHTS) -> DocumentWeights:
    """Read the weights in ``file``.

    Raises:
        SetupError: the file is missing or damaged.
    """
    return read_weights(
        file,
        lambda stored: DocumentWeights(
            layer_of(stored["kinds"]), layer_of(stored["parts"]), float(stored["threshold"])
        ),
    )
