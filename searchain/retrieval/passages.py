"""Cut long texts into passages of about 150 words, between paragraphs or, in long paragraphs, between sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from searchain.language import sentences

TARGET = 150
"""Words up to which paragraphs are joined: with the title about the 220 tokens that ColBERT reads."""
MAXIMUM = 180


def split_text(text: str) -> list[tuple[int, str]]:
    """Cut ``text`` into passages; return each, in order, with the line (from 1) where it starts.

    Whole paragraphs are joined up to ``TARGET`` words; a paragraph above ``MAXIMUM`` is cut between sentences, and a
    sentence above it between words. Only white space between passages is lost.
    """
    spans: list[tuple[int, int]] = []
    words = 0
    for start, end, may_join in _units(text):
        size = len(text[start:end].split())
        if spans and may_join and words + size <= TARGET:
            spans[-1] = (spans[-1][0], end)
            words += size
        else:
            spans.append((start, end))
            words = size
    passages, line, counted = [], 1, 0
    for start, end in spans:
        line += text.count("\n", counted, start)
        counted = start
        passages.append((line, text[start:end]))
    return passages


def _units(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, whether it may join the previous piece) of pieces that are not cut further."""
    for paragraph in re.finditer(r"\S(?:.|\n(?!\s*\n))*", text):
        start, end = paragraph.span()
        if len(paragraph[0].split()) <= MAXIMUM:
            yield start, end, True
            continue
        for number, (first, last) in enumerate(sentences.split(paragraph[0])):
            for low, high in _word_runs(text, start + first, start + last):
                yield low, high, number > 0


def _word_runs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    words = [(start + match.start(), start + match.end()) for match in re.finditer(r"\S+", text[start:end])]
    if len(words) <= MAXIMUM:
        return [(start, end)]
    return [(words[i][0], words[min(i + TARGET, len(words)) - 1][1]) for i in range(0, len(words), TARGET)]
