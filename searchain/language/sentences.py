"""Sentence limits as offsets, by the ``sentencex`` library."""

from __future__ import annotations


def split(text: str) -> list[tuple[int, int]]:
    """Half-open offsets of the sentences of ``text``, without white space around them, in order.

    >>> split("Dr. Smith left. He was tired.")
    [(0, 15), (16, 29)]
    """
    import sentencex  # here: the start of the command line need not pay for it

    # sentencex panics on some other white space before a full stop; one for one, offsets stay true
    text = "".join(" " if c.isspace() and not c.isascii() or c in "\x1c\x1d\x1e\x1f\x85" else c for c in text)
    try:
        pieces = list(sentencex.segment("en", text))
    except BaseException as panic:
        if type(panic).__name__ != "PanicException":  # a Rust panic is no Exception, and must not end a run
            raise
        pieces = [text]
    spans, at = [], 0
    for piece in pieces:
        at = text.index(piece, at)
        body = piece.strip()
        if body:
            start = at + piece.index(body)
            spans.append((start, start + len(body)))
        at += len(piece)
    return spans
