"""Cited words in a later version of their document: whether they still stand there, where, and what stands instead.

Words are compared without their case and the punctuation around them, so that a new line break, a quotation mark or a
bold word changes nothing.
"""

import unicodedata
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from searchain.documents.parsed import Block, ParsedDocument
from searchain.language import sentences
from searchain.types import Passage, Span

AROUND = 100_000
"""Characters before and after the old place in which a sentence may have taken the place of another."""
ALIKE = 0.35
"""The least share of words that a sentence has in common with the one whose place it took."""
QUOTED = 4
"""The fewest words of a sentence that is taken for a quotation where they stand in the passage."""
_EDGES = ".,;:!?\"'“”‘’„«»()[]{}…*_。，、；：！？「」（）"
_CJK = "\u2e80"  # from here on scripts have no spaces between words


@dataclass(frozen=True, slots=True)
class Now:
    """What became of cited words."""

    start: int
    end: int
    """The place of the words, or of the sentence that stands instead, in the new text."""
    instead: str | None = None
    """The sentence that stands instead, ``""`` if there is none; ``None`` if the words are still there."""


def words_of(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of ``text`` as they are compared, with their places."""
    at = 0
    for run in text.split():
        at = text.index(run, at)
        for offset, piece in enumerate(run) if max(run) >= _CJK else [(0, run)]:
            bare = piece.strip(_EDGES)
            if bare.isalnum() or any(one.isalnum() or one in "%‰" or unicodedata.category(one) == "Sc" for one in bare):
                start = at + offset + piece.index(bare)
                yield bare.casefold(), start, start + len(bare)
        at += len(run)


class Version:
    """The text of one version of a document, in which words are found."""

    def __init__(self, text: str) -> None:
        pieces, at = ["\n"], 1
        # a large file has millions of words, so their places are numbers in arrays
        self._places, self._starts, self._ends = array("Q"), array("Q"), array("Q")
        for said, start, end in words_of(text):
            self._places.append(at)
            self._starts.append(start)
            self._ends.append(end)
            pieces.append(f"{said}\n")
            at += len(said) + 1
        self._text, self._joined = text, "".join(pieces)
        self._held: dict[str, bool] = {}

    @cached_property
    def _sentences(self) -> set[str]:
        lines = self._text.split("\n")
        return {_joined(_said(line, Span(*span))) for line in lines for span in sentences.split(line)}

    def holds(self, words: Sequence[str]) -> bool:
        """Return whether the words of a sentence stand somewhere one after the other."""
        wanted = _joined(words)
        if wanted not in self._held:  # most are sentences, and looking through the whole text takes long
            self._held[wanted] = wanted in self._sentences or wanted in self._joined
        return self._held[wanted]

    def places(self, words: Sequence[str]) -> Iterator[Span]:
        """Yield every place at which the words stand one after the other."""
        wanted, at = _joined(words), -1
        while (at := self._joined.find(wanted, at + 1)) >= 0:
            first = bisect_left(self._places, at + 1)
            yield Span(self._starts[first], self._ends[first + len(words) - 1])


def _joined(words: Sequence[str]) -> str:
    return "\n" + "".join(f"{word}\n" for word in words)


def cited_in(passage: Passage, span: Span | None, said: Sequence[str]) -> list[Span]:
    """Return the sentences of ``passage`` that a reply is based on.

    ``span`` is the Reader's; ``said`` are the sentences of the reply that cite the passage, without marks.
    """
    there = [Span(*one) for one in sentences.split(passage.text)]
    version = Version(passage.text)
    found = [span] if span else []
    for sentence in said:
        words = _said(sentence)
        if len(words) >= QUOTED:
            found += list(version.places(words))[:1]
    if not found:
        ranked = [(_alike(_said(passage.text, one), _said(sentence)), one) for sentence in said for one in there]
        best = max(ranked, key=lambda one: one[0], default=(0.0, Span(0, 0)))
        found = [best[1] if best[0] >= ALIKE else Span(0, len(passage.text))]
    whole = []
    for one in found:
        touched = [other for other in there if other.start < one.end and one.start < other.end] or [one]
        whole.append(Span(touched[0].start, touched[-1].end))
    return list(dict.fromkeys(whole))


def _said(text: str, span: Span | None = None) -> list[str]:
    return [said for said, _, _ in words_of(text[span.start : span.end] if span else text)]


def _alike(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the share of words that two sentences have in common (Dice)."""
    common = (Counter(one) & Counter(other)).total()
    return 2 * common / (len(one) + len(other)) if common else 0.0


class Comparison:
    """A later version of a document, in which cited words of earlier versions are looked for."""

    def __init__(self, parsed: ParsedDocument) -> None:
        self._parsed, self._new = parsed, Version(parsed.text)
        self._known: dict[int, list[tuple[Span, list[str]]]] = {}
        """The sentences of the blocks that were looked at, by the places of the blocks."""

    def now(self, passage: Passage, cited: Span, before: Version | None) -> Now:
        """Return what became of the words ``cited`` of a passage.

        ``before``: the text that was quoted, if it is still known. A sentence in it took nobody's place.
        """
        assert passage.place is not None
        words, old = _said(passage.text, cited), passage.place.start + cited.start
        places = list(self._new.places(words)) if words else []
        if places or not words:
            nearest = min(places, key=lambda place: abs(place.start - old), default=Span(0, 0))
            return Now(nearest.start, nearest.end)
        known = before or Version(passage.text)
        best, likeness = None, (ALIKE, 0)
        for one, there in self._sentences(old):
            score = (_alike(words, there), -abs(one.start - old))
            if score > likeness and not known.holds(there):
                best, likeness = one, score
        if best is None:
            return Now(min(old, len(self._parsed.text)), min(old, len(self._parsed.text)), "")
        return Now(best.start, best.end, self._parsed.text[best.start : best.end])

    def span_in(self, there: Now, passage: Passage, cited: Span, span: Span) -> tuple[int, int]:
        """Return the place of ``span`` in ``cited``, whose words stand ``there``; else that of all these words."""
        _, first, _ = next(words_of(passage.text[cited.start : cited.end]), ("", 0, 0))
        start = there.start + span.start - cited.start - first
        end = start + span.end - span.start
        is_same = self._parsed.text[start:end] == passage.text[span.start : span.end]
        return (start, end) if is_same else (there.start, there.end)

    def _sentences(self, around: int) -> Iterator[tuple[Span, list[str]]]:
        """Yield the sentences near a place, each with its words."""
        for block in self._parsed.blocks:
            if block.end >= around - AROUND and block.start <= around + AROUND:
                yield from self._in_block(block)

    def _in_block(self, block: Block) -> list[tuple[Span, list[str]]]:
        if block.start not in self._known:
            text = self._parsed.text
            found = sentences.split(text[block.start : block.end])
            spans = [Span(block.start + start, block.start + end) for start, end in found]
            self._known[block.start] = [(span, _said(text, span)) for span in spans]
        return self._known[block.start]
