"""Take the words of a sentence that its sources do not say apart from the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from searchain.events import Turn
from searchain.types import Mark, Sentence, Source, Span


class Uncarried(str):
    """Words that no cited source says."""


def pieces_of(turn: Turn, sentence: Sentence) -> Iterator[str | tuple[Mark, Source]]:
    """Yield the sentence cut at its citations and at its ``Uncarried`` words."""
    at = sentence.start
    for piece in turn.pieces(sentence.start, sentence.end):
        if isinstance(piece, str):
            yield from _parts(piece, at, sentence.uncarried)
            at += len(piece)
        else:
            yield piece
            at = piece[0].end


def _parts(text: str, at: int, spans: Iterable[Span]) -> Iterator[str]:
    """Yield the parts of ``text``, which begins at ``at`` of the reply."""
    end = 0
    for span in spans:
        if 0 <= span.start - at < len(text):
            yield text[end : span.start - at]
            yield Uncarried(text[span.start - at : span.end - at])
            end = span.end - at
    yield text[end:]
