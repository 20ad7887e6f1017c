"""The sources of a reply for people: grouped by passage, the words of sentences that they do not say, and two halves.

A passage is shown once, however many citations it has. A short description before its text becomes its caption.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from searchain.events import Turn
from searchain.language.descriptions import after_description, labelled
from searchain.language.text import content_words
from searchain.types import Mark, Outcome, Passage, Sentence, Source, Span, TaskKind, Verdict
from ui.show.labels import rated
from ui.show.signs import Sign

Pieces = list[tuple[str, bool]]
"""Pieces of text in order, each with whether it is marked."""


def by_passage(sources: Iterable[Source]) -> list[list[Source]]:
    """Group ``sources`` by their passages, in the order of the first citation."""
    groups: dict[tuple[str, str], list[Source]] = {}
    for source in sources:
        groups.setdefault((source.passage.title, source.passage.text), []).append(source)
    return list(groups.values())


def captioned(text: str, spans: Iterable[Span]) -> tuple[Pieces, Pieces]:
    r"""Return the caption and the body of a passage, each cut at ``spans``; the caption may be empty.

    >>> captioned("Short description: City in Japan.\nKyoto is old.", [Span(19, 23)])
    ([('City', True), (' in Japan.', False)], [('Kyoto is old.', False)])
    """
    lead, found = after_description(text), list(spans)
    return _marked(text, found, labelled(text), max(lead - 1, 0)), _marked(text, found, lead, len(text))


def unlabelled(text: str, span: Span | None) -> tuple[str, Span | None]:
    r"""Return ``text`` without the label of its description, and the position of ``span`` in it.

    >>> unlabelled("Short description: City in Japan.\nKyoto is old.", Span(19, 23))
    ('City in Japan.\nKyoto is old.', Span(start=0, end=4))
    """
    cut = labelled(text)
    return text[cut:], span and Span(max(0, span.start - cut), max(0, span.end - cut))


class Excerpt(NamedTuple):
    """A part of a passage: the text before its span, the words of the span, and the text after it."""

    before: str
    quote: str
    after: str


def excerpt(passage: Passage, span: Span | None, reach: int) -> Excerpt:
    """Return the span with ``reach`` characters on each side, in whole words; without a span, the beginning."""
    text, span = unlabelled(passage.text, span)
    begin, until = around(text, span, reach)
    start, end = (span.start, span.end) if span else (begin, begin)
    before, after = "… " if begin else "", " …" if until < len(text) else ""
    return Excerpt(f"{before}{text[begin:start]}", text[start:end], f"{text[end:until]}{after}")


def around(text: str, span: Span | None, reach: int) -> tuple[int, int]:
    """Return the limits of ``span`` with ``reach`` characters on each side, moved inwards to spaces.

    The part ends at ``2 * reach`` or later; without a span it is the beginning of ``text``. Without a
    space, a word is cut.

    >>> around("one two three four five six", Span(8, 13), 6)
    (4, 18)
    """
    start, end = (span.start, span.end) if span else (0, 0)
    begin, until = max(start - reach, 0), min(max(end + reach, 2 * reach), len(text))
    if begin > 0:
        begin = text.find(" ", begin, start) + 1 or begin
    if until < len(text):
        space = text.rfind(" ", end, until)
        until = space if space >= 0 else until
    return begin, until


def quotes_description(turn: Turn, sentence: Sentence) -> bool:
    """Return whether ``sentence`` is only the short description of an article that it cites."""
    said = sentence.said.strip(" .")
    cited = (turn.source(number) for number in sentence.citations)
    texts = [source.passage.text for source in cited if source]
    return any(said == text[labelled(text) : after_description(text)].strip(" .\n") for text in texts if labelled(text))


def _marked(text: str, spans: Iterable[Span], begin: int, end: int) -> Pieces:
    pieces, at = [], begin
    for span in sorted(spans, key=lambda one: one.start):
        start, until = max(at, span.start), min(end, span.end)
        if start < until:
            pieces += [(text[at:start], False), (text[start:until], True)]
            at = until
    return [piece for piece in (*pieces, (text[at:end], False)) if piece[0]]


@dataclass(frozen=True, slots=True)
class Half:
    """The sentences about one of the two things."""

    title: str
    first: int
    """The index of its first sentence in the reply."""
    sentences: tuple[Sentence, ...]
    """The reply's sentences; the first one is without the title that stands before it in the text."""


def halves(turn: Turn) -> tuple[Half, Half] | None:
    """Return both halves; ``None`` if the reply is not a comparison, or not all of its sentences are known yet."""
    path = [node for node in turn.nodes if node.on_path]
    if turn.task is not TaskKind.COMPARE or turn.status is None or len(path) != 2:
        return None
    at, starts = 0, []
    for place, sentence in enumerate(turn.sentences):
        if not place or "\n\n" in turn.answer[at : sentence.start]:
            starts.append(place)
        at = sentence.end
    if len(starts) != 2:
        return None
    named = [node.passage.title if node.passage and node.verdict is Verdict.COMPLETED else node.query for node in path]
    one, other = zip(named, starts, (*starts[1:], len(turn.sentences)), strict=True)
    return _half(turn, *one), _half(turn, *other)


def _half(turn: Turn, title: str, first: int, end: int) -> Half:
    sentences = turn.sentences[first:end]
    lead = sentences[0]
    before = lead.text.find(": ") + 2
    if before > 1 and lead.text[: before - 2].split() == title.replace("[", "(").replace("]", ")").split():
        lead = replace(lead, text=lead.text[before:], start=lead.start + before)
    return Half(title, first, (lead, *sentences[1:]))


class Uncarried(str):
    """Words that no cited source says."""


def pieces_of(turn: Turn, sentence: Sentence) -> Iterator[str | tuple[Mark, Source]]:
    """Yield the sentence cut at its citations and at its ``Uncarried`` words."""
    at = sentence.start
    for piece in turn.pieces(sentence.start, sentence.end):
        if isinstance(piece, str):
            yield from parts(piece, at, sentence.uncarried)
            at += len(piece)
        else:
            yield piece
            at = piece[0].end


def parts(text: str, at: int, uncarried: Iterable[Span]) -> Iterator[str]:
    """Yield ``text``, which begins at the offset ``at``, cut at its ``uncarried`` words."""
    end = 0
    for span in sorted(uncarried, key=lambda one: one.start):
        if 0 <= span.start - at < len(text):
            yield text[end : span.start - at]
            yield Uncarried(text[span.start - at : span.end - at])
            end = span.end - at
    yield text[end:]


_WORD = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|\w+")
_SAY_NOTHING = frozenset(
    "s t d ll re ve m also all although am among an another any because between both but during each either else "
    "ever every few however if including just like many more most much near nearly neither nor off often on only "
    "other others over own per quite rather same several since so some still such than then though through thus "
    "together too toward towards under until up upon usually very via well while whilst within without yet".split()
)
"""Words that connect others and carry no content, besides those that ``content_words`` leaves out."""
_AROUND = 160  # characters of the passage shown before and after the cited span


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
