"""A generated set of PDF files that are hard to mark words in: columns, turned pages, hyphens, many scripts.

Every word occurs once in its file, so that it is known where each is drawn.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tests.support.pdf_files import HEIGHT, WIDTH, Glyph, Sheet, Text, column, glyphs, pdf, width

SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
HEBREW = "אבגדהוזחטילמנסעפצקרשת"
ARABIC = "بتثجحخدذرزسشصضطظعغفقكلمنهوي"


@dataclass(frozen=True)
class Made:
    """A generated file with what is drawn in it."""

    name: str
    sheets: Sequence[Sheet]

    @property
    def content(self) -> bytes:
        return pdf(self.sheets)

    @property
    def glyphs(self) -> list[Glyph]:
        return glyphs(self.sheets)


class Words:
    """Words that were never given before."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._given: set[str] = set()

    def word(self, letters: str | None = None) -> str:
        while True:
            parts = letters or SYLLABLES
            word = "".join(self._random.choices(parts, k=self._random.randint(3, 5)))
            if word not in self._given and word[::-1] not in self._given:
                self._given.add(word)
                return word

    def sentence(self, length: int = 9, letters: str | None = None) -> str:
        words = [self.word(letters) for _ in range(length)]
        return " ".join([words[0].capitalize(), *words[1:]]) + "."

    def paragraph(self, sentences: int = 5) -> str:
        return " ".join(self.sentence(self._random.randint(6, 12)) for _ in range(sentences))

    def characters(self, first: int, count: int) -> str:
        """Different characters of one script, in a random order."""
        return "".join(map(chr, self._random.sample(range(first, first + 3 * count), count)))


def generated_set() -> Iterator[Made]:
    """Make all files, each with at least two pages of words: what makes one page is asked for two."""
    for seed, (name, make) in enumerate(_MAKERS.items()):
        words = Words(seed)
        made = make(words)
        yield Made(name, [made, make(words)] if isinstance(made, Sheet) else made)
    for degrees in (90, 180, 270):
        yield Made(f"turned_{degrees}", turned(Words(degrees), degrees))
    yield Made("slanted", slanted(Words(99)))


def plain(words: Words) -> list[Sheet]:
    """Four pages with running heads; the last sentence of a page goes on at the next one."""
    sheets, rest = [], ""
    for page in range(1, 5):
        lines, _ = column(f"{rest} {words.paragraph(12)} {words.sentence(30)[:-1]}", 72, 700, 460)
        rest = words.sentence(20).lower()
        head = [Text(72, 750, "Report of the year"), Text(500, 750, str(page)), Text(300, 40, f"Page {page} of 4")]
        sheets.append(Sheet([*head, *lines]))
    return sheets


def columns(words: Words, *, by_row: bool = False) -> Sheet:
    """Two columns below a title over both, drawn one after the other or line by line across the page."""
    left, _ = column(" ".join(words.paragraph(6) for _ in range(3)), 60, 680, 230)
    right, _ = column(" ".join(words.paragraph(6) for _ in range(3)), 320, 680, 230)
    count = min(len(left), len(right))
    left, right = left[:count], right[:count]
    body = [text for pair in zip(left, right, strict=True) for text in pair] if by_row else [*left, *right]
    return Sheet([Text(60, 720, words.sentence(6)[:-1], 18), *body])


def hyphens(words: Words) -> Sheet:
    """Narrow columns in which most lines end within a word."""
    text = words.paragraph(14)
    parted = " ".join(f"{word[:4]}\u00ad{word[4:]}" if len(word) > 7 else word for word in text.split())
    return Sheet(column(parted, 200, 700, 170)[0])


def ligatures(words: Words) -> Sheet:
    """Words with one glyph for two letters."""
    text = words.paragraph(12).replace("fi", "ﬁ").replace("vu", "ﬂ")
    return Sheet(column(text, 72, 700, 400)[0])


def japanese(words: Words) -> list[Sheet]:
    return [unspaced(words, 0x6E00, "のをにがはで"), unspaced(words, 0x7800, "とへやもから")]


def unspaced(words: Words, first: int, between: str = "") -> Sheet:
    """Lines without spaces of characters from ``first`` on."""
    text = words.characters(first, 500)
    for n, character in enumerate(between, 1):
        text = text[: n * 60] + character + text[n * 60 :]
    text = "".join(c + ("。" if n % 23 == 22 else "") for n, c in enumerate(text))
    lines = [text[n : n + 35] for n in range(0, len(text), 35)]
    return Sheet([Text(72, 700 - 18 * n, line, 12) for n, line in enumerate(lines)])


def from_the_right(words: Words, letters: str) -> Sheet:
    """Lines that a program draws from the left, last letter first, as PDF writers do."""
    lines = [" ".join(words.word(letters) for _ in range(6)) for _ in range(25)]
    return Sheet([Text(72, 700 - 18 * n, line[::-1], 11) for n, line in enumerate(lines)])


def astral(words: Words) -> Sheet:
    """Characters beyond the sixteenth bit between the words."""
    text, pictures = words.paragraph(8), words.characters(0x1F400, 30)
    marked = " ".join(f"{w}{pictures[n // 4]}" if n % 4 == 0 and n < 120 else w for n, w in enumerate(text.split()))
    return Sheet(column(marked, 72, 700, 440)[0])


def table(words: Words) -> Sheet:
    """A table of words and numbers between paragraphs."""
    above, y = column(words.paragraph(4), 72, 700, 450)
    places = [(n, x) for n in range(15) for x in (80, 230, 380)]
    rows = [Text(x, y - 20 - 14 * n, words.word() + ("" if x < 300 else str(n))) for n, x in places]
    below, _ = column(words.paragraph(4), 72, y - 260, 450)
    return Sheet([*above, *rows, *below])


def fonts(words: Words) -> Sheet:
    """Bold words within lines, and headings in larger sizes."""
    texts = [Text(72, 720, words.sentence(4)[:-1], 20, bold=True)]
    for n in range(25):
        x = 72.0
        for m in range(7):
            word = words.word() + (" " if m < 6 else "")
            texts.append(Text(x, 690 - 14 * n, word, 10, bold=m % 3 == 1))
            x += sum(map(width, word)) * 10
    return Sheet(texts)


def cropped(words: Words) -> list[Sheet]:
    """Pages of which a viewer shows a part only, one of them turned as well."""
    lines, _ = column(words.paragraph(14), 150, 650, 330)
    more, _ = column(words.paragraph(14), 150, 650, 330)
    box = (100.0, 90.0, 530.0, 700.0)
    return [Sheet(lines, crop=box), Sheet(more, crop=box, rotate=90)]


def turned(words: Words, degrees: int) -> list[Sheet]:
    """Upright lines on a page that the file stores lying, and lines that lie when it is displayed."""
    lines, _ = column(words.paragraph(14), 0, 0, 480)
    place: dict[int, Callable[[Text], tuple[float, float]]] = {
        90: lambda t: (80 - t.y, 100.0),
        180: lambda t: (WIDTH - 72, 80 - t.y),
        270: lambda t: (WIDTH - 80 + t.y, HEIGHT - 100),
    }
    upright = [replace(t, x=place[degrees](t)[0], y=place[degrees](t)[1], angle=float(degrees)) for t in lines]
    lying, _ = column(words.paragraph(10), 72, 650, 400)
    return [Sheet(upright, rotate=degrees), Sheet(lying, rotate=degrees)]


def slanted(words: Words) -> list[Sheet]:
    """Lines upwards and downwards beside a paragraph."""
    lines, _ = column(words.paragraph(12), 150, 700, 380)
    stamps = [Text(60, 200, words.sentence(6), 12, angle=90), Text(580, 600, words.sentence(6), 12, angle=270)]
    more, _ = column(words.paragraph(12), 150, 700, 380)
    return [Sheet([*stamps, *lines]), Sheet(more)]


_MAKERS: dict[str, Callable[[Words], Sheet | list[Sheet]]] = {
    "plain": plain,
    "columns": columns,
    "columns_by_row": partial(columns, by_row=True),
    "hyphens": hyphens,
    "ligatures": ligatures,
    "chinese": partial(unspaced, first=0x4E00),
    "japanese": japanese,
    "hebrew": partial(from_the_right, letters=HEBREW),
    "arabic": partial(from_the_right, letters=ARABIC),
    "astral": astral,
    "table": table,
    "fonts": fonts,
    "cropped": cropped,
}
