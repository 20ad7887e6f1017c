"""Sentence limits as offsets, by the ``sentencex`` library."""

from __future__ import annotations


def split(text: str) -> list[tuple[int, int]]:
    """Half-open offsets of the sentences of ``text``, without white space around them, in order.

    >>> split("Dr. Smith left. He was tired.")
    [(0, 15), (16, 29)]
    """
    import sentencex  # here: the start of the command line need not pay for it

    spans, at = [], 0
    for piece in sentencex.segment("en", text):
        at = text.index(piece, at)
        body = piece.strip()
        if body:
            start = at + piece.index(body)
            spans.append((start, start + len(body)))
        at += len(piece)
    return spans
