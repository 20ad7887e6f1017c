"""Group the lines of PDF pages into headings, paragraphs, list items and table rows.

All functions are pure. Where no rule applies, lines stay in one paragraph.
"""

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from searchain.documents.parsed import BlockKind, count
from searchain.documents.pdf_columns import with_heads
from searchain.documents.pdf_grid import Row, rows_of, with_wrapped_cells
from searchain.documents.pdf_heads import without_line_numbers, without_running_heads
from searchain.documents.pdf_lines import Segment, join

HEADING_SIZE = 1.13
"""A line whose font is this many times as large as the body text is a heading."""
HEADING_WORDS = 16
"""A longer line is not a heading, however large."""
_MARKER = re.compile(r"(?:[•‣▪●○◦∙·*–—-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])(?=\s|$)", re.IGNORECASE)
_BULLET = re.compile(r"[•‣▪●○◦∙·](?=\s|$)")
_ENDS_SENTENCE = re.compile(r"[.!?:;。！？؟…][\"'”’)\]]*$")


@dataclass(slots=True)
class Piece:
    """Lines that form one block; in a table row each line is a cell."""

    kind: BlockKind
    lines: list[Segment]
    page: int
    """From 1."""
    level: int = 0
    """As in ``Block``."""
    continues: bool = False
    """Whether it continues the sentence of the piece before it, on another page."""


def pieces_of(pages: Sequence[Sequence[Segment]]) -> list[Piece]:
    """Group the lines of all pages, in reading order."""
    kept = without_running_heads([rows_of(without_line_numbers(page)) for page in pages])
    body = _body_size(kept)
    levels = _heading_levels(kept, body)
    pieces: list[Piece] = []
    for number, rows in enumerate(kept, 1):
        on_page = _pieces_of_page(with_heads(with_wrapped_cells(rows)), number, body, levels)
        if pieces and on_page and _goes_on(pieces[-1], on_page[0]):
            on_page[0].continues = True
        pieces += on_page
    return pieces


def _body_size(pages: Iterable[Iterable[Row]]) -> float:
    sizes: Counter[float] = Counter()
    for segment in _segments(pages):
        sizes[round(segment.size, 1)] += len(segment.text)
    return sizes.most_common(1)[0][0] if sizes else 1.0


def _segments(pages: Iterable[Iterable[Row]]) -> Iterator[Segment]:
    return (segment for page in pages for row in page for segment in row.cells)


def _heading_levels(pages: Iterable[Iterable[Row]], body: float) -> list[float]:
    """Return the sizes of headings, largest first."""
    sizes = {round(s.size, 1) for s in _segments(pages) if _is_large(s, body)}
    distinct: list[float] = []
    for size in sorted(sizes, reverse=True):
        if not distinct or size < 0.95 * distinct[-1]:
            distinct.append(size)
    return distinct[:5]


def _is_large(segment: Segment, body: float) -> bool:
    return (
        segment.size >= HEADING_SIZE * body
        and count(segment.text) <= HEADING_WORDS
        and any(character.isalpha() for character in segment.text)
    )


def _heading_level(row: Sequence[Segment], body: float, levels: Sequence[float]) -> int:
    """Return the heading level of a line, 0 if it is not a heading."""
    first = row[0]
    if all(_is_large(s, body) for s in row):
        return next((n for n, size in enumerate(levels, 1) if first.size >= 0.95 * size), len(levels) or 1)
    is_bold = all(s.is_bold and s.size >= 0.95 * body for s in row)
    return len(levels) + 1 if is_bold and _is_title_like(" ".join(s.text for s in row)) else 0


def _is_title_like(text: str) -> bool:
    words = count(text)
    is_short = words <= 12 and (words > 1 or len(text) > 3)
    return is_short and not re.search(r"[.,;]$", text) and any(c.isalpha() for c in text)


def _pieces_of_page(rows: Sequence[Row], page: int, body: float, levels: Sequence[float]) -> list[Piece]:
    pieces: list[Piece] = []
    for line in rows:
        row = line.cells if line.is_tabular and len(line.cells) > 2 else _cells(line.cells)
        if line.is_tabular and len(row) > 1:
            pieces.append(Piece(BlockKind.TABLE_ROW, row, page, level=int(line.names_columns)))
            continue
        level = _title_level(pieces, levels) if line.is_title else _heading_level(row, body, levels)
        if pieces and not line.is_title and _continues(pieces[-1], row[0], level):
            pieces[-1].lines += row
        elif level:
            pieces.append(Piece(BlockKind.HEADING, list(row), page, level))
        elif _MARKER.match(row[0].text):
            pieces.append(Piece(BlockKind.LIST_ITEM, list(row), page, 1))
        else:
            pieces.append(Piece(BlockKind.PARAGRAPH, list(row), page))
    return pieces


def _title_level(above: Sequence[Piece], levels: Sequence[float]) -> int:
    """Return the level of the title of a table, which is below that of the heading above it."""
    return next((piece.level + 1 for piece in reversed(above) if piece.kind is BlockKind.HEADING), len(levels) + 1)


def _cells(row: Sequence[Segment]) -> list[Segment]:
    """Return the cells of a line; the marker of a list item is not a cell."""
    if len(row) >= 2 and _MARKER.fullmatch(row[0].text):
        return [join(row[0], row[1]), *row[2:]]
    return list(row)


def _is_near(above: Segment, below: Segment) -> bool:
    """Return whether ``below`` is the next line of the same column."""
    if above.turned != below.turned:
        return False
    step = below.bottom - above.bottom
    overlap = min(above.right, below.right) - max(above.left, below.left)
    return 0.3 * above.size < step <= 1.8 * max(above.size, below.size) and overlap > 0


def _continues(piece: Piece, line: Segment, level: int) -> bool:
    """Return whether ``line``, with heading level ``level`` (0: no heading), continues ``piece`` on the same page."""
    if level:
        return piece.kind is BlockKind.HEADING and piece.level == level and _is_near(piece.lines[-1], line)
    return piece.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) and _belongs(piece, line)


def _belongs(piece: Piece, line: Segment) -> bool:
    last = piece.lines[-1]
    if last.ends_in_hyphen:
        return True
    is_over = bool(_ENDS_SENTENCE.search(last.text))
    if _BULLET.match(line.text) or (is_over and _MARKER.match(line.text)):
        return False
    if not 0.8 < line.size / last.size < 1.25:
        return False
    if not _is_near(last, line):
        return line.row == last.row or _cut(last, line)
    if _is_far_below(piece, line):
        return False
    if piece.kind is BlockKind.LIST_ITEM:
        return not (_MARKER.match(line.text) and line.left <= piece.lines[0].left + line.size)
    return not (is_over and _begins_anew(piece, line))


def _is_far_below(piece: Piece, line: Segment) -> bool:
    """Return whether the distance from ``piece`` to ``line`` is greater than the line distance within ``piece``."""
    steps = [b.bottom - a.bottom for a, b in pairwise(piece.lines) if _is_near(a, b)]
    return bool(steps) and line.bottom - piece.lines[-1].bottom > 1.35 * statistics.median(steps)


def _begins_anew(piece: Piece, line: Segment) -> bool:
    """Return whether ``line`` begins a new paragraph: it is indented, or the line before it is short."""
    last, left, right = piece.lines[-1], min(s.left for s in piece.lines), max(s.right for s in piece.lines)
    if line.left > last.left + 0.7 * line.size:
        return True
    return last.right < right - 0.2 * (right - left) and line.text[:1].isupper()


def _cut(last: Segment, line: Segment) -> bool:
    """Return whether ``line``, in the next column or page, continues the sentence of ``last``."""
    if last.turned != line.turned or _ENDS_SENTENCE.search(last.text) or _MARKER.match(line.text):
        return False
    first = next((c for c in line.text if c.isalnum()), "")
    return bool(first) and (first.islower() or not (first.isupper() or first.isdigit()))


def _goes_on(piece: Piece, following: Piece) -> bool:
    wanted = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
    if piece.kind not in wanted or following.kind is not BlockKind.PARAGRAPH:
        return False
    last, line = piece.lines[-1], following.lines[0]
    return 0.8 < line.size / last.size < 1.25 and _cut(last, line)
