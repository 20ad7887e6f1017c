"""Read the lines of a file, and turn a record into clean passages; all readers share this code.

Long texts are cut into passages of about 150 words, between paragraphs or, in long paragraphs, between sentences.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from io import BufferedIOBase
from pathlib import Path

from searchain.language import sentences
from searchain.safe_text import without_controls
from searchain.types import Passage

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


MAX_LINE = 10_000_000
"""Most bytes of a line; a longer line is not a passage."""
MAX_WORDS = 1_000
"""Most words of a passage. A longer record is split like a text file, as ColBERT reads only 220 tokens."""
COMPRESSED = (".gz", ".bz2", ".xz")
Found = tuple[int, Passage | str]
"""(number of the line or page from 1, its passage or the reason for none)."""


def lines(file: BufferedIOBase) -> Iterator[tuple[int, str | None, str]]:
    """Yield (number from 1, text or ``None``, the reason for ``None``) of the lines that are not blank."""
    number = 0
    while line := file.readline(MAX_LINE):
        number += 1
        if not line.endswith(b"\n") and len(line) == MAX_LINE:
            while (rest := file.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield number, None, f"longer than {MAX_LINE:,} bytes"
            continue
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            yield number, None, "not UTF-8"
            continue
        if text.strip():
            yield number, text.rstrip("\r\n"), ""


def passages_of(path: Path, id: object, title: str, text: str, url: object) -> Iterable[Passage | str]:
    """Return the passage of one record (several for a long one), or the reason why it has none."""
    title, text = " ".join(without_controls(title).split()), without_controls(text).strip()
    if not text:
        return ["empty text"]
    if isinstance(id, bool) or not isinstance(id, str | int | None):
        return ["the id is neither text nor a number"]
    name = without_controls(str(id)).strip() if id is not None else ""
    name = name or f"{stem(path)}-{hashlib.sha256((title + text).encode()).hexdigest()[:10]}"
    link = url if isinstance(url, str) and re.match(r"https?://", url) else None
    if len(text.split()) <= MAX_WORDS:
        return [Passage(name, title, text, link)]
    return [Passage(f"{name}#{n}", title, piece, link) for n, (_, piece) in enumerate(split_text(text), 1)]


def article(id: str, title: str, text: str, url: str | None) -> Iterator[Passage]:
    """Yield the passages of a whole article, with ids ``ID#1``, ``ID#2`` …"""
    title = " ".join(without_controls(title).split())
    for number, (_, piece) in enumerate(split_text(without_controls(text)), 1):
        yield Passage(f"{id}#{number}", title, piece, url)


def stem(path: Path) -> str:
    """Return the file's name without its endings."""
    return (path.with_suffix("") if path.suffix in COMPRESSED else path).stem
