"""Long texts to passages of about 150 words, cut between paragraphs or, where those are long, between sentences."""

from __future__ import annotations

import re

from searchain import sentences

TARGET = 150
"""Words: with the title about what ColBERT (220 tokens) reads."""
MAXIMUM = 180


def split_text(text: str) -> list[tuple[int, str]]:
    """The passages of ``text`` in order, each with the line (from 1) where it starts.

    Whole paragraphs are joined up to ``TARGET`` words; a paragraph above ``MAXIMUM`` is cut between sentences, and a
    sentence above it between words. Nothing but white space between passages is lost.
    """
    passages: list[tuple[int, int]] = []
    words = 0
    for start, end in _units(text):
        size = len(text[start:end].split())
        if passages and words + size <= TARGET:
            passages[-1] = (passages[-1][0], end)
            words += size
        else:
            passages.append((start, end))
            words = size
    return [(text.count("\n", 0, start) + 1, text[start:end]) for start, end in passages]


def _units(text: str) -> list[tuple[int, int]]:
    """Offsets of the pieces that are never cut, at most ``MAXIMUM`` words each."""
    units = []
    for start, end in _paragraphs(text):
        if len(text[start:end].split()) <= MAXIMUM:
            units.append((start, end))
            continue
        for first, last in sentences.split(text[start:end]):
            units += _word_runs(text, start + first, start + last)
    return units


def _paragraphs(text: str) -> list[tuple[int, int]]:
    return [(match.start(), match.end()) for match in re.finditer(r"\S(?:.|\n(?!\s*\n))*", text) if match[0].strip()]


def _word_runs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    found = [(start + match.start(), start + match.end()) for match in re.finditer(r"\S+", text[start:end])]
    return [(found[i][0], found[min(i + TARGET, len(found)) - 1][1]) for i in range(0, len(found), TARGET)]
