"""Cut a document into passages for reading.

A passage consists of whole sentences or list items under one heading, on one page and in one message, or of one table
row. Only a sentence with a page break in it spans two pages.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from searchain.documents.parsed import WORD, Block, BlockKind, ParsedDocument, count
from searchain.language import sentences
from searchain.types import HEADING_STEP, Passage, Place

TARGET = 100
"""Most words of a passage."""
OVERLAP = 1
"""How many sentences of the previous passage a passage repeats within a paragraph."""
MOST_ROWS = 1_000
"""Most table rows of a document that become passages of their own. More rows share passages, which are else too many to
encode soon."""
TITLE_WORDS = 24
"""Most words of a title with its headings, as the Reader sees no more."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """The smallest piece of a passage: a sentence, a list item, a row or a heading."""

    start: int
    end: int
    words: int
    page: int | None
    headings: tuple[str, ...]
    kind: BlockKind
    paragraph: int  # the same number for all sentences of a paragraph
    names_columns: bool = False


def passages_of(
    parsed: ParsedDocument, document: str, version: str, *, target: int = TARGET, overlap: int = OVERLAP
) -> list[Passage]:
    """Cut ``parsed`` into passages, in order.

    ``passage.text`` is ``parsed.text[place.start:place.end]``, so that a span in a passage maps to the document by
    adding ``place.start``. ``passage.title`` is the document's title and the headings that the passage stands under.

    Args:
        document: ULID of the document, with which the ids of passages begin.
        version: SHA-256 of the parsed bytes.
        target: most words of a passage, unless a single sentence, item or row has more.
        overlap: how many sentences of the previous passage a passage repeats within a paragraph.
    """
    return [
        Passage(
            id=f"{document}.{version[:12]}.{number}",
            title=_title(parsed.title, units),
            text=parsed.text[units[0].start : units[-1].end],
            place=Place(document, version, units[0].start, units[-1].end),
        )
        for number, units in enumerate(_groups(list(_read(list(_units(parsed, target)))), target, overlap), 1)
    ]


def _title(title: str, units: Sequence[_Unit]) -> str:
    """Join the title and the headings above the first text; leave outer headings out if it gets too long."""
    first = next((unit for unit in units if unit.kind is not BlockKind.HEADING), units[0])
    path = [heading for heading in first.headings if heading.casefold() != title.casefold()]
    while len(path) > 1 and count(" ".join([title, *path])) > TITLE_WORDS:
        path.pop(0)
    return HEADING_STEP.join([title, *path])


def _read(units: Sequence[_Unit]) -> Iterator[_Unit]:
    """Yield the units as they are read.

    Headings with nothing below them, such as questions that nothing answers, are text. Rows that name columns are left
    out, because each row below repeats the names.
    """
    for unit, below in zip(units, [*units[1:], None], strict=True):
        if unit.names_columns and below and below.kind is BlockKind.TABLE_ROW:
            continue
        is_text = unit.kind is BlockKind.HEADING and not (below and _is_above(unit, below))
        yield replace(unit, kind=BlockKind.PARAGRAPH) if is_text else unit


def _groups(units: Sequence[_Unit], target: int, overlap: int) -> Iterator[Sequence[_Unit]]:
    first = 0
    are_alone = sum(unit.kind is BlockKind.TABLE_ROW for unit in units) <= MOST_ROWS
    while first < len(units):
        last = first + 1
        words = units[first].words
        while last < len(units) and _may_join(units[first:last], units[last], words, target, are_alone):
            words += units[last].words
            last += 1
        body = first
        while body < last - 1 and units[body].kind is BlockKind.HEADING and _is_above(units[body], units[last - 1]):
            body += 1  # it is in the title
        if any(unit.kind is not BlockKind.HEADING for unit in units[body:last]):
            yield units[body:last]
        first = _next_start(units, first, last, target, overlap)


def _may_join(group: Sequence[_Unit], unit: _Unit, words: int, target: int, are_alone: bool) -> bool:
    if unit.page != group[0].page:
        return False
    if all(member.kind is BlockKind.HEADING for member in group):
        return True
    if are_alone and BlockKind.TABLE_ROW in (unit.kind, group[-1].kind):
        return False
    is_below = unit.kind is not BlockKind.HEADING and unit.headings == group[-1].headings
    return is_below and words + unit.words <= target


def _is_above(heading: _Unit, unit: _Unit) -> bool:
    return unit.headings[: len(heading.headings)] == heading.headings and len(unit.headings) > len(heading.headings)


def _next_start(units: Sequence[_Unit], first: int, last: int, target: int, overlap: int) -> int:
    """Return the first unit of the next passage, which repeats the last sentences within one paragraph."""
    if last >= len(units):
        return last
    following = units[last]
    start = last
    words = following.words
    for _ in range(overlap):
        before = units[start - 1]
        is_same = before.paragraph == following.paragraph and before.page == following.page
        words += before.words
        if start - 1 <= first or not is_same or words > target:
            break
        start -= 1
    return start


def _units(parsed: ParsedDocument, target: int) -> Iterator[_Unit]:
    blocks = parsed.blocks
    at = 0
    while at < len(blocks):
        block, end = blocks[at], blocks[at].end
        at += 1
        if block.kind in (BlockKind.HEADING, BlockKind.TABLE_ROW):
            yield from _whole(parsed, block, at, target)
            continue
        while at < len(blocks) and "\n" not in parsed.text[end : blocks[at].start]:
            end = blocks[at].end  # a paragraph that goes on, on the next page
            at += 1
        yield from _sentences(parsed, block, end, at, target)


def _whole(parsed: ParsedDocument, block: Block, number: int, target: int) -> Iterator[_Unit]:
    words = count(parsed.text[block.start : block.end])
    headings = block.headings
    if block.kind is BlockKind.TABLE_ROW and words > 2 * target:
        yield from _sentences(parsed, block, block.end, number, target)
    else:
        page, is_head = parsed.part_of(block.start), block.kind is BlockKind.TABLE_ROW and block.level == 1
        yield _Unit(block.start, block.end, words, page, headings, block.kind, -number, is_head)


def _sentences(parsed: ParsedDocument, block: Block, end: int, number: int, target: int) -> Iterator[_Unit]:
    """Yield the sentences of a paragraph; one longer than a passage is cut between words."""
    text = parsed.text[block.start : end]
    for low, high in sentences.split(text):
        for first, last in _pieces(text, low, high, target):
            start = block.start + first
            page = parsed.part_of(start)
            words = count(text[first:last])
            yield _Unit(start, block.start + last, words, page, block.headings, block.kind, number)


def _pieces(text: str, start: int, end: int, target: int) -> list[tuple[int, int]]:
    words = [match.span() for match in WORD.finditer(text, start, end)]
    if len(words) <= 2 * target:
        return [(start, end)]
    cuts = [start, *(words[n][0] for n in range(target, len(words), target)), end]
    return [(low, low + len(text[low:high].rstrip())) for low, high in zip(cuts, cuts[1:], strict=False) if low < high]
