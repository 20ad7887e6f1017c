"""Whether the boxes of a span hold its words and no others, by where the generator drew each character."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from searchain.documents import ParsedDocument, Region, parse_file, passages_of, regions
from tests.support.document_set import Made

_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True)
class Tried:
    """One span, and what became of it."""

    file: str
    text: str
    state: str
    """``right``, ``unmarked`` (a page without a mark), ``wrong`` (other words are marked)."""


def round_trips(made: Made, folder: Path, spans: int, seed: int = 0) -> Iterator[Tried]:
    """Parse ``made``, take random spans of its passages, and look at the boxes of each."""
    path = folder / f"{made.name}.pdf"
    path.write_bytes(made.content)
    parsed = parse_file(path, path.name)
    drawn = made.glyphs
    choose = random.Random(seed)
    passages = passages_of(parsed, "D", parsed.version)
    for _ in range(spans):
        place = choose.choice(passages).place
        assert place is not None
        start, end = random_span(parsed.text, place.start, place.end, choose)
        found = regions(path, parsed, start, end)
        yield Tried(made.name, parsed.text[start:end], judge(parsed.text[start:end], found, drawn))


def random_span(text: str, start: int, end: int, choose: random.Random) -> tuple[int, int]:
    """A stretch of 1 to 12 words, or of 2 to 20 characters where there are no spaces."""
    words = [match.span() for match in re.finditer(r"\S*\w\S*", text[start:end])]
    if max(high - low for low, high in words) > 30:
        low = choose.randrange(start, max(end - 2, start + 1))
        return low, min(end, low + choose.randint(2, 20))
    first = choose.randrange(len(words))
    last = min(first + choose.choice((1, 1, 2, 3, 5, 8, 12)), len(words)) - 1
    return start + words[first][0], start + words[last][1]


def judge(text: str, found: Sequence[Region], drawn: Sequence) -> str:
    """Compare the letters that were drawn within the boxes with those of ``text``."""
    if not found or any(not region.boxes for region in found):
        return "unmarked"
    inside = Counter(
        letter
        for glyph in drawn
        for region in found
        if region.page == glyph.page
        and any(box[0] <= glyph.x <= box[2] and box[1] <= glyph.y <= box[3] for box in region.boxes)
        for letter in letters(glyph.character)
    )
    return "right" if inside == Counter(letters(text)) else "wrong"


def letters(text: str) -> list[str]:
    return _LETTER.findall(unicodedata.normalize("NFKC", text))


__all__ = ["ParsedDocument", "Tried", "judge", "round_trips"]
