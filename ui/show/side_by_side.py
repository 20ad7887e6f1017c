"""A reply beside its passages: each sentence with its cited passages, and the words that both have."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from searchain.events import Turn
from searchain.language.text import content_words
from searchain.types import Outcome
from ui.show.labels import rated
from ui.show.passages import excerpt
from ui.show.signs import Sign

_WORD = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|\w+")
_SAY_NOTHING = frozenset(
    "s t d ll re ve m also all although am among an another any because between both but during each either else "
    "ever every few however if including just like many more most much near nearly neither nor off often on only "
    "other others over own per quite rather same several since so some still such than then though through thus "
    "together too toward towards under until up upon usually very via well while whilst within without yet".split()
)
"""Words that connect others and carry no content, besides those that ``content_words`` leaves out."""
_AROUND = 160
"""Characters of the passage shown before and after the cited span."""

Pieces = Sequence[tuple[str, bool]]
"""Pieces of text in order, each with whether the other side also has the word."""


@dataclass(frozen=True, slots=True)
class Beside:
    """An excerpt of one cited passage."""

    number: int
    title: str
    text: Pieces


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence of the reply."""

    text: Pieces
    sign: Sign | None
    passages: tuple[Beside, ...]


def rows(turn: Turn) -> list[Row]:
    """Return the sentences of ``turn`` with their passages; empty if nothing was searched or found."""
    if turn.outcome in (Outcome.NOT_FOUND, Outcome.NO_SEARCH):
        return []
    return [_row(turn, number) for number in range(len(turn.sentences))]


def _row(turn: Turn, number: int) -> Row:
    sentence = turn.sentences[number]
    said, words = sentence.said, content_words(sentence.said)
    sources = [source for cited in sentence.citations if (source := turn.source(cited))]
    excerpts = ["".join(excerpt(source.passage, source.span, _AROUND)) for source in sources]
    found = set[str]().union(*map(content_words, excerpts))
    passages = tuple(
        Beside(source.number, source.passage.title, _pieces(shown, words))
        for source, shown in zip(sources, excerpts, strict=True)
    )
    return Row(_pieces(said, found), rated(turn, sentence), passages)


def _pieces(text: str, others: set[str]) -> Pieces:
    """Cut ``text`` at the words that are also in ``others``."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    for word in _WORD.finditer(text):
        if word[0].casefold() not in _SAY_NOTHING and content_words(word[0]) & others:
            pieces += (text[at : word.start()], False), (word[0], True)
            at = word.end()
    return [*pieces, (text[at:], False)]
