"""Cut a sentence with marks into clauses, which become an annotator's default knowledge items."""

import re
from collections.abc import Sequence

from searchain.types import Span

_WORD = re.compile(r"[\w█]+")
GOES_ON = re.compile(r"\s*(?:[,;:–—]|(?:and|but|or|which|who|where|while|whereas)\b)")
"""Matches the text that continues a sentence after a clause with marks."""
_FEWEST = 3
"""Fewest words of a clause."""


def split(text: str, sentence: Span, ends: Sequence[int]) -> list[tuple[int, int]]:
    """Cut the sentence after each mark that ends a clause. Marks end at ``ends`` and are blank in ``text``.

    Pieces come as half-open offsets, without white space and punctuation around them; those without words are left out.

    >>> split("Nintendo sits in Kyoto    , which lies on Honshu    .", Span(0, 53), [26, 51])
    [(0, 22), (28, 48)]
    """
    cuts = [sentence.start]
    for end in ends:
        if (
            cuts[-1] < end < sentence.end
            and GOES_ON.match(text, end, sentence.end)
            and min(_words(text[cuts[-1] : end]), _words(text[end : sentence.end])) >= _FEWEST
        ):
            cuts.append(end)
    pieces = zip(cuts, [*cuts[1:], sentence.end], strict=True)
    return [_trimmed(text, *piece) for piece in pieces if _WORD.search(text, *piece)]


def _words(text: str) -> int:
    return len(_WORD.findall(text))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end].rstrip()
    piece = piece.removesuffix(piece[-1] if piece[-1] in ".!?…,;:。！？" else "").rstrip()
    return start + len(piece) - len(piece.lstrip(" \t\n,;:–—")), start + len(piece)
