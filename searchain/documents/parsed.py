"""The result of parsing a file: the document text, its blocks and pages, and their places in the original.

The document text is one string. Blocks, pages and citations are half-open ranges of it, in code points.
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

WORD = re.compile("[\u2e80-\u9fff\uf900-\ufaff]|[^\\W_\u2e80-\u9fff\uf900-\ufaff]+")
"""Matches a word, or one character of a script without spaces."""
QUESTION = 100
"""The level of a paragraph that only asks, which is the heading of its answer: below all others."""
FORMAT = 1
"""Version of the JSON form; texts of another version are parsed again."""


def count(text: str) -> int:
    """Return the number of words in ``text``; where words are not parted by spaces, each character is one."""
    return sum(1 for _ in WORD.finditer(text))


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of the document that is read as a whole; its text is ``text[start:end]``."""

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...] = ()
    """The headings above it, from the outermost."""
    anchor: str | None = None
    """Its id in the page that shows the document; ``None`` in a document that is shown page by page."""
    level: int = 0
    """The depth of a heading or the nesting of a list item, from 1; 1 for a row that names the columns; else 0."""
    added: tuple[tuple[int, int], ...] = ()
    """The ranges of the document text that do not stand here in the original, such as the name of a column before a
    cell."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a PDF, or one picture: its range of the document text."""

    start: int
    end: int
    label: str | None = None
    """The page's number in the document itself, such as ``iv``; ``None`` without one."""


@dataclass(frozen=True, slots=True)
class Label:
    """What people call a place in an original without pages; it holds up to the next label."""

    start: int
    text: str
    """Such as ``slide 3``, ``message 2`` or ``Costs!B4``."""


@dataclass(frozen=True, slots=True)
class Run:
    """A range of the document text whose code points are consecutive characters of a PDF page."""

    start: int
    length: int
    page: int
    """From 1."""
    character: int
    """The number of the first character on its page, from 0, as PDFium counts."""


Box = tuple[float, float, float, float]
"""A bounding box: left, top, right and bottom as shares (0–1) of the displayed page; the origin is top left."""


@dataclass(frozen=True, slots=True)
class WordBox:
    """A word read from a picture of a page, with its range in the document text and its bounding box."""

    start: int
    end: int
    page: int
    """From 1."""
    box: Box


@dataclass(frozen=True, slots=True)
class Region:
    """The bounding boxes of words on one page of the original, one per line; without boxes nothing is highlighted."""

    page: int
    """From 1."""
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """One version of a document, ready to be cut into passages."""

    name: str
    """The file's name, for people; never a path to open."""
    type: str
    """Its kind, one of ``kinds.FORMS``."""
    version: str
    """SHA-256 of the original bytes, in hexadecimal."""
    bytes: int
    parser: str
    """The library, with its version, that read it."""
    title: str
    """The title in the document, else its name without the suffix."""
    text: str
    blocks: tuple[Block, ...]
    pages: tuple[Page, ...] = ()
    """Empty if the original has no pages."""
    runs: tuple[Run, ...] = field(default=(), repr=False)
    """The runs of a PDF in text order; text between runs was added (spaces, line ends)."""
    words: tuple[WordBox, ...] = field(default=(), repr=False)
    """The words that were read from pictures of pages."""
    labels: tuple[Label, ...] = field(default=(), repr=False)
    """In text order."""
    unread: str | None = None
    """A sentence that says which parts of the file were not read; ``None`` if all were."""
    author: str | None = None
    """Who wrote it, as the file states; ``None`` if it does not."""
    changed: str | None = None
    """The day (YYYY-MM-DD) of its last change, as the file states; ``None`` if it does not."""

    def page_of(self, offset: int) -> int | None:
        """Return the number (from 1) of the page with ``text[offset]``; ``None`` without pages."""
        if not self.pages:
            return None
        return min(bisect_right(self.pages, offset, key=lambda page: page.end) + 1, len(self.pages))

    def part_of(self, offset: int) -> int | None:
        """Return the number of the page, or in a mailbox of the message, with ``text[offset]``; ``None`` without."""
        if self.type == "mbox":
            return bisect_right(self.labels, offset, key=lambda label: label.start)
        return self.page_of(offset)

    def block_at(self, offset: int) -> Block | None:
        """Return the block with ``text[offset]``, else the last block before it."""
        number = bisect_right(self.blocks, offset, key=lambda block: block.start)
        return self.blocks[number - 1] if number else None

    def label_of(self, start: int, end: int) -> str | None:
        """Return the label of ``text[start:end]``, ``Costs!B4:C4`` if it spans several; ``None`` without one."""
        number = bisect_right(self.labels, start, key=lambda label: label.start)
        until = bisect_left(self.labels, end, key=lambda label: label.start)
        found = [label.text for label in self.labels[max(number - 1, 0) : max(until, number)]]
        return _from_to(found[0], found[-1]) if found else None

    def to_json(self) -> str:
        """Return the document as one line of JSON."""
        return json.dumps(
            {
                "format": FORMAT,
                **{name: getattr(self, name) for name in _PLAIN},
                "blocks": [[b.kind, b.start, b.end, b.headings, b.anchor, b.level, b.added] for b in self.blocks],
                "pages": [[p.start, p.end, p.label] for p in self.pages],
                "runs": [[r.start, r.length, r.page, r.character] for r in self.runs],
                "words": [[w.start, w.end, w.page, w.box] for w in self.words],
                "labels": [[one.start, one.text] for one in self.labels],
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what ``to_json`` wrote. Raises ``ValueError`` if ``text`` is not a document of this format."""
        try:
            value: dict[str, Any] = json.loads(text)
            if value.pop("format") != FORMAT:
                raise ValueError("another format")
            value["blocks"] = tuple(
                Block(BlockKind(kind), start, end, tuple(headings), anchor, level, tuple(map(tuple, *(added or [()]))))
                for kind, start, end, headings, anchor, level, *added in value["blocks"]
            )
            value["pages"] = tuple(Page(*page) for page in value["pages"])
            value["runs"] = tuple(Run(*run) for run in value["runs"])
            value["words"] = tuple(WordBox(start, end, page, tuple(box)) for start, end, page, box in value["words"])
            value["labels"] = tuple(Label(*label) for label in value.get("labels", ()))
            return cls(**value)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"no parsed document: {error}") from error


_PLAIN = "name type version bytes parser title text unread author changed".split()  # the fields that are values of JSON


def _from_to(first: str, last: str) -> str:
    """Join two labels: ``slide 3–4``, ``Costs!B4:C4``."""
    if first == last:
        return first
    for before, between in (("!", ":"), (" ", "–")):
        group, _, end = last.rpartition(before)
        if group and first.startswith(group + before):
            return f"{first.partition(':')[0]}{between}{end.rpartition(':')[2]}"
    return f"{first} – {last}"


_MARGIN = 0.12  # the share of its height by which a highlight is extended at its top and bottom


def marks(boxes: Sequence[Box], width: float, height: float) -> list[Box]:
    """Join the boxes of each line, such as words in bold and plain letters, and add a margin.

    Lines may be horizontal or vertical; the longer side of the boxes decides, on a page of ``width`` and ``height`` in
    any unit. Parts outside the page are cut off.
    """
    wide = sum((box[2] - box[0]) * width for box in boxes)
    high = sum((box[3] - box[1]) * height for box in boxes)
    if wide >= high:
        return _clamped(_joined(boxes))
    swapped = [(top, left, bottom, right) for left, top, right, bottom in boxes]
    return _clamped([(left, top, right, bottom) for top, left, bottom, right in _joined(swapped)])


def _joined(boxes: Sequence[Box]) -> list[Box]:
    joined: list[Box] = []
    for left, top, right, bottom in boxes:
        more = _MARGIN * (bottom - top)
        box = left, top - more, right, bottom + more
        if joined and _on_one_line(joined[-1], box):
            last = joined.pop()
            box = min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3])
        joined.append(box)
    return joined


def _on_one_line(one: Box, other: Box) -> bool:
    height = min(one[3] - one[1], other[3] - other[1])
    overlap = min(one[3], other[3]) - max(one[1], other[1])
    return overlap > 0.5 * height and max(other[0] - one[2], one[0] - other[2]) < 2 * height


def turned(box: Box, degrees: int, width: float = 1.0, height: float = 1.0) -> Box:
    """Turn a box against the clock, by 0, 90, 180 or 270 degrees, with its page of ``width`` and ``height``."""
    left, top, right, bottom = box
    match degrees:
        case 90:
            return top, width - right, bottom, width - left
        case 180:
            return width - right, height - bottom, width - left, height - top
        case 270:
            return height - bottom, left, height - top, right
    return box


def _clamped(boxes: Sequence[Box]) -> list[Box]:
    found = []
    for box in boxes:
        left, top, right, bottom = (round(min(max(share, 0.0), 1.0), 5) for share in box)
        if left < right and top < bottom:
            found.append((left, top, right, bottom))
    return found


@dataclass(frozen=True, slots=True)
class OwnFile:
    """What is known of a searched document beyond its passages."""

    id: str
    name: str
    pages: int | None
    added: str
    """The day (YYYY-MM-DD) on which this version was added."""
    read: Callable[[], ParsedDocument | None]
    """Reads its text; ``None`` if that is not there."""
