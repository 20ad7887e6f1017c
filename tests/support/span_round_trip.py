"""Whether the boxes of a span hold its words and no others, by where the generator drew each character."""

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from searchain.documents import Region, passages_of
from searchain.documents.originals import locate
from searchain.documents.pdf import find
from searchain.documents.reading import read_document
from tests.support.document_set import Made
from tests.support.pdf_files import Glyph

_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True)
class Tried:
    """One span, and what became of it."""

    file: str
    text: str
    state: str
    """``right``, ``unmarked`` (a page without a mark), ``wrong`` (other words are marked)."""


def round_trips(made: Made, spans: int, seed: int = 0) -> Iterator[Tried]:
    """Parse ``made``, take random spans of its passages, and look at the boxes of each.

    All in this process: the files are our own, and a child process for each span would take most of the time.
    """
    content, drawn = made.content, made.glyphs
    parsed = read_document(content, f"{made.name}.pdf", read_pictures=None)
    choose = random.Random(seed)
    passages = passages_of(parsed, "D", parsed.version)
    for _ in range(spans):
        place = choose.choice(passages).place
        assert place is not None
        start, end = random_span(parsed.text, place.start, place.end, choose)
        found = locate(parsed, start, end, lambda pages: find(content, pages))
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


def judge(text: str, found: Sequence[Region], drawn: Sequence[Glyph]) -> str:
    """Compare the letters that were drawn within the boxes with those of ``text``."""
    if not found or any(not region.boxes for region in found):
        return "unmarked"
    boxes = [(region.page, box) for region in found for box in region.boxes]

    def is_inside(one: Glyph) -> bool:
        return any(page == one.page and x <= one.x <= right and y <= one.y <= top for page, (x, y, right, top) in boxes)

    inside = Counter(letter for one in filter(is_inside, drawn) for letter in letters(one.character))
    return "right" if inside == Counter(letters(text)) else "wrong"


def letters(text: str) -> list[str]:
    return _LETTER.findall(unicodedata.normalize("NFKC", text))
