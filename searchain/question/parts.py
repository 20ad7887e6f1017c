"""Part a question that asks for several things: "who wrote it, and when did she die".

A linear layer tells at which words another thing is asked, by the states of a word and its neighbours and by what
stands before and behind it. Only words behind a joint ("and", a comma) are read. ``lab.training.parts`` trains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from searchain.files.weights import Floats, Layer, layer_of, read_weights
from searchain.language.text import QUESTION_WORDS, YES_NO_OPENERS, tokens
from searchain.question.document_head import Encoder, States, word_states
from searchain.question.worded import FOLDER
from searchain.question.wording import ASKING, WH

WEIGHTS = FOLDER / "parts.json"
OTHER, BEGINS = "other", "begins"
"""The labels of a word: whether another thing is asked from it on."""
_JOINTS = frozenset("and plus also".split())
_SIGNS = tuple(",?;.!:&+–—-")
_AROUND = " \t\n,;:&+–—-"
_LINKS = (" of ", " for ")
FEW = 2
"""A part of as few words has no verb of its own: "how long and at what heat do I bake it"."""


@dataclass(frozen=True, slots=True)
class PartWeights:
    layer: Layer
    threshold: float
    """The least probability with which another thing is asked from a word on."""


class PartHead:
    """Finds the parts of a question. Thread-safe if the encoder is."""

    def __init__(self, encoder: Encoder, weights: PartWeights | None = None) -> None:
        self._encoder, self._weights = encoder, weights or stored_weights()

    def parts(self, question: str) -> tuple[str, ...]:
        """Return the things that ``question`` asks for, in its words; empty if it asks for one.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        ends = [0, *sorted(self.begins(question)), len(question)]
        cut = [part for start, end in pairwise(ends) if (part := _bare(question[start:end]))]
        are_names = all(ASKING.isdisjoint(tokens(one)) for one in cut)
        is_asked = are_names or _asks(cut[0]) if cut else False  # "I lost my key" only leads to what is asked
        return _completed(cut) if len(cut) > 1 and is_asked else ()

    def begins(self, question: str) -> frozenset[int]:
        """Return where the parts begin that follow the first. Raises as ``parts``."""
        if not joints(question):
            return frozenset()
        (states,) = self._encoder.token_states([question])
        read = values(question, states).items()
        return frozenset(
            place for place, value in read if self._weights.layer.shares(value)[BEGINS] >= self._weights.threshold
        )


def joints(question: str) -> list[int]:
    """Return where the words behind a joint begin.

    >>> asked = "Who wrote it, and when?"
    >>> [asked[at:] for at in joints(asked)]
    ['and when?', 'when?']
    """
    at, before, places = 0, "", list[int]()
    for word in question.split():
        start = question.index(word, at)
        at = start + len(word)
        if before.casefold() in _JOINTS or before.endswith(_SIGNS):
            places.append(start)
        before = word
    return places


def values(question: str, states: States) -> dict[int, Floats]:
    """Return what the layer reads at each of ``joints``: place → [5 × dimensions].

    These are the states of the word there and of the words before and behind it, and the means of all words before it
    and of all others. A word without a state, as behind the longest text that the model reads, is left out.
    """
    words = word_states(question, states)
    vectors, places = np.array([vector for _, _, vector in words]), set(joints(question))
    found = {}
    for at, (start, _, vector) in enumerate(words):
        if at and start in places:
            behind = vectors[at + 1] if at + 1 < len(words) else np.zeros_like(vector)
            means = vectors[:at].mean(axis=0), vectors[at:].mean(axis=0)
            found[start] = np.concatenate([vector, vectors[at - 1], *means, behind])
    return found


def _bare(part: str) -> str:
    """Return a part without the joints and signs at its ends."""
    words = part.strip(_AROUND).split()
    while words and words[-1].casefold().strip(_AROUND) in _JOINTS:
        words.pop()
    return " ".join(words).strip(_AROUND)


def _asks(part: str) -> bool:
    words = tokens(part)
    return not (QUESTION_WORDS | YES_NO_OPENERS).isdisjoint(words[:1]) or not WH.isdisjoint(words)


def _completed(parts: Sequence[str]) -> tuple[str, ...]:
    """Complete parts from the last one: by what follows its verb, or by what its own name belongs to.

    >>> _completed(["how long", "at what heat do I bake it"])
    ('how long do I bake it', 'at what heat do I bake it')
    >>> _completed(["what is the capital", "population of Peru"])
    ('what is the capital of Peru', 'population of Peru')
    """
    *others, last = parts
    words = last.split()
    verb = next((at for at, word in enumerate(words) if at and word in YES_NO_OPENERS), 0)
    if verb:
        rest = " ".join(words[verb:])
        return (*(f"{one} {rest}" if len(one.split()) <= FEW else one for one in others), last)
    owner = next((last[at:] for link in _LINKS if (at := last.find(link)) > 0), "")
    is_owned = owner and ASKING.isdisjoint(tokens(last))
    return (*(f"{one}{owner}" if is_owned and not any(link in one for link in _LINKS) else one for one in others), last)


def stored_weights(file: Path = WEIGHTS) -> PartWeights:
    """Read the weights in ``file``.

    Raises:
        SetupError: the file is missing or damaged.
    """
    return read_weights(file, lambda stored: PartWeights(layer_of(stored), float(stored["threshold"])))
