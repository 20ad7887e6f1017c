"""Convert a PDF to document text, find the boxes of its characters, and draw its pages.

Runs in the child process only: PDFium aborts it on some hostile files.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, groupby, product

import pypdfium2
import pypdfium2.raw as pdfium

from searchain.documents.parsed import BlockKind, Box, Page, marks
from searchain.documents.pdf_layout import Piece, pieces_of
from searchain.documents.pdf_lines import Segment, frame_of, segments_of
from searchain.documents.pdf_page import open_page
from searchain.documents.pictures import MAX_SHOWN, MAX_SIDE, Pictures, as_webp, drawn_page, is_picture
from searchain.documents.tables import is_of_pairs
from searchain.documents.writer import Writer, own_title
from searchain.errors import DocumentRefused
from searchain.safe_text import one_line

_BETWEEN = 3  # most pieces, such as a note or a running head, between two parts of a table with the same columns
_APART = 2.5
"""Greatest distance of two lines of a table that has headings between its rows, in units of the font's size."""


_Named = tuple[Piece, list[Segment]]
"""The row with the names of a table's columns, and the name of each cell of another row."""


def named_rows(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, _Named]]:
    """Yield the rows of tables whose columns have names, with these names."""
    head: Piece | None = None
    last: Piece | None = None
    between = 0
    for part in _parts(pieces):
        found: list[tuple[Piece, _Named]] = []
        if part[0].kind is BlockKind.TABLE_ROW:
            if part[0].level:
                head, part, between = part[0], part[1:], 0
            elif head and last and part[0].page == last.page and _is_apart(last, part[0], between):
                head = None
            found = list(_named(head, part)) if head else []
        if 2 * len(found) >= len(part):
            yield from found
            last, between = part[-1] if part else head, 0
            continue
        between += len(part)
        if between > _BETWEEN:
            head = None


def _parts(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Part pieces by kind and page, and before each row that names columns."""
    heads = accumulate(piece.kind is BlockKind.TABLE_ROW and piece.level > 0 for piece in pieces)
    numbered = zip(pieces, heads, strict=True)
    for _, part in groupby(numbered, key=lambda one: (one[0].kind, one[0].page, one[1])):
        yield [piece for piece, _ in part]


def _is_apart(last: Piece, row: Piece, between: int) -> bool:
    """Return whether a row is too far below the last one of its table, with ``between`` lines between them."""
    one, other = last.lines[0], row.lines[0]
    return other.base - one.base > _APART * (between + 1) * other.size


def _named(head: Piece, rows: Sequence[Piece]) -> Iterator[tuple[Piece, _Named]]:
    """Yield each row whose cells all stand in a column of their own."""
    full = [row.lines for row in rows if len(row.lines) == len(head.lines)]
    columns = [
        (min(cell.left for cell in column), max(cell.right for cell in column))
        for column in zip(head.lines, *full, strict=True)
    ]
    for row in rows:
        numbers = list(range(len(head.lines)))
        if len(row.lines) != len(numbers):
            pairs = product(row.lines, enumerate(columns))
            numbers = [n for cell, (n, (left, right)) in pairs if min(cell.right, right) > max(cell.left, left)]
        if len(numbers) == len(set(numbers)) == len(row.lines):
            yield row, (head, [head.lines[n] for n in numbers])


MAX_PAGES = 5_000
_NAME = 80  # most characters of the name of an attached file
CELL = " | "
"""The separator of a row's cells; it is ``; `` if the cells have their column names."""
_WITH_HYPHEN = re.compile(r"\b\w+-\w+")
_WORD_BEFORE = re.compile(r"(?<!\w)(\w+)-$")
_WORD_AFTER = re.compile(r"\w+")
_UNSPACED = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
"""Matches scripts without spaces between words. Korean has spaces, but loses one at a line's end."""


def open_pdf(content: bytes) -> pypdfium2.PdfDocument:
    """Open a PDF. Raises ``DocumentRefused`` if the PDF needs a password, or is damaged."""
    try:
        document = pypdfium2.PdfDocument(content)
        document.init_forms()
        return document
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise DocumentRefused(
                "encrypted", "The PDF needs a password; save a copy without one and add that."
            ) from error
        raise DocumentRefused("failed", "The PDF is damaged or incomplete and cannot be opened.") from error


def read(content: bytes, writer: Writer, program: str | None) -> str | None:
    """Write the text of a PDF, and return its title if it has one; ``program`` is that of ``Pictures``."""
    document = open_pdf(content)
    count = len(document)
    if count > MAX_PAGES:
        raise DocumentRefused("too_large", f"The PDF has {count:,} pages; at most {MAX_PAGES:,} are read.")
    pages: list[list[Segment]] = []
    pictures = Pictures(program)
    for number in range(count):
        segments = _segments(document, number)
        draw = partial(drawn_page, document, number)
        is_read = is_picture(document, number, segments) and pictures.read(number, draw)
        pages.append([] if is_read else segments)
    pieces = pieces_of(pages)
    _write(pieces, writer, [document.get_page_label(number) or None for number in range(count)], pictures)
    writer.unread += pictures.unread(count)
    if pdfium.FPDF_GetFormType(document.raw) == pdfium.FORMTYPE_XFA_FULL:
        writer.unread.append("a form in XFA")
    writer.leave_out({}, list(_attached(document)))
    writer.author = document.get_metadata_value("Author") or ""
    writer.changed = document.get_metadata_value("ModDate") or document.get_metadata_value("CreationDate") or ""
    return own_title(document.get_metadata_value("Title")) or _first_heading(pieces)


def _segments(document: pypdfium2.PdfDocument, number: int) -> list[Segment]:
    """Return the lines of page ``number`` (from 0); empty if the page is damaged."""
    try:
        with open_page(document, number) as opened:
            return segments_of(opened)
    except pypdfium2.PdfiumError:
        return []


def _attached(document: pypdfium2.PdfDocument) -> Iterator[str]:
    for n in range(document.count_attachments()):
        try:
            yield one_line(document.get_attachment(n).get_name())[:_NAME]
        except (pypdfium2.PdfiumError, UnicodeDecodeError):
            yield ""


def _first_heading(pieces: list[Piece]) -> str | None:
    """Return the largest heading of the first page that is larger than the text; ``None`` without one.

    A heading with the number of a section, or turned otherwise than the text, is not that of the document.
    """
    first = [piece for piece in pieces if piece.page == 1]
    turned = Counter(piece.lines[0].turned for piece in first).most_common(1)
    headings = [p for p in first if p.kind is BlockKind.HEADING and p.lines[0].turned == turned[0][0]]
    best = min(headings, key=lambda piece: (piece.level, -piece.lines[0].size), default=None)
    title = " ".join(line.text for line in best.lines) if best and best.level == 1 else ""
    number = title.partition(" ")[0]
    return title if "." not in number or not number.replace(".", "").isdecimal() else None


def _write(pieces: list[Piece], writer: Writer, labels: list[str | None], pictures: Pictures) -> None:
    lines = (line for piece in pieces for line in piece.lines)
    hyphenated = Counter(word.lower() for line in lines for word in _WITH_HYPHEN.findall(line.text))
    named = {id(row): names for row, names in named_rows(pieces)}
    previous: Segment | None = None
    for piece in pieces:
        after_picture = pictures.stand_on(range(len(writer.pages), piece.page - 1))
        if after_picture:
            _end_pages(writer, labels[: piece.page - 1], pictures)
        if piece.continues and previous is not None and not after_picture:
            _between(writer, previous, piece.lines[0], hyphenated)
        elif writer.length:
            writer.put("\n")
        _end_pages(writer, labels[: piece.page - 1], pictures)
        start = writer.length
        if piece.kind is BlockKind.TABLE_ROW:
            _put_row(writer, piece, named.get(id(piece)))
        else:
            _put_lines(writer, piece, hyphenated)
        previous = piece.lines[-1]
        writer.end_block(piece.kind, start, level=piece.level)
    _end_pages(writer, labels, pictures)


def _end_pages(writer: Writer, labels: Sequence[str | None], pictures: Pictures) -> None:
    """End each page of ``labels`` that has not ended yet; those after the first have the text of a picture or none."""
    for number in range(len(writer.pages), len(labels)):
        pictures.write(number, writer)
        writer.pages.append(Page(writer.pages[-1].end if writer.pages else 0, writer.length, labels[number]))


def _put_lines(writer: Writer, piece: Piece, hyphenated: Counter[str]) -> None:
    for above, line in zip([None, *piece.lines], piece.lines, strict=False):
        if above is not None:
            _between(writer, above, line, hyphenated)
        writer.put_characters(line.text, piece.page, line.characters)


def _put_row(writer: Writer, row: Piece, named: _Named | None) -> None:
    """Write the cells of a row, each after the name of its column if it is known.

    The name has a place on the page only if it stands on the page of the row.
    """
    head, names = named or (None, [])
    joint = "; " if names else CELL
    if head and is_of_pairs([name.text.strip() for name in head.lines]):
        names, joint = [], ": "
    for n, cell in enumerate(row.lines):
        if not cell.text:
            continue
        writer.put(joint if n and row.lines[n - 1].text else "")
        if head and names and names[n].text:
            if head.page == row.page:
                writer.put_characters(names[n].text, row.page, names[n].characters)
            else:
                writer.put(names[n].text)
            writer.put(": ")
        writer.put_characters(cell.text, row.page, cell.characters)


def _between(writer: Writer, above: Segment, below: Segment, hyphenated: Counter[str]) -> None:
    """Join two lines by a space, or directly if a word was hyphenated or the script has no spaces."""
    before, after = _WORD_BEFORE.search(above.text), _WORD_AFTER.match(below.text)
    if before and after:
        is_parted = before[1][-1].isalpha() and after[0][0].islower()
        if is_parted and f"{before[1]}-{after[0]}".lower() not in hyphenated:
            writer.drop_last()
        return
    if _UNSPACED.match(above.text[-1:]) and _UNSPACED.match(below.text[:1]):
        return
    writer.put(" ")


SCALE = 1.5
"""Pixels per point: 108 dpi."""
_INSET = 0.12
"""The share of its height by which a box is reduced when its text is read back, so that neighbours stay out."""


def find(content: bytes, pages: Sequence[tuple[int, Sequence[tuple[int, int]]]]) -> list[tuple[list[Box], str]]:
    """Find the bounding boxes of characters, and read back the text in these boxes.

    For a page that cannot be opened nothing is found. ``pages``: (page from 1, [(number of the first character, number
    of characters)]).
    """
    document = open_pdf(content)
    return [_find_on_page(document, page, stretches) for page, stretches in pages]


def _find_on_page(
    document: pypdfium2.PdfDocument, number: int, stretches: Sequence[tuple[int, int]]
) -> tuple[list[Box], str]:
    if not 1 <= number <= len(document):
        return [], ""
    with open_page(document, number - 1) as opened:
        frame, text = frame_of(opened.page.raw), opened.page.get_textpage()
        # one per line and font
        rectangles = [text.get_rect(n) for first, count in stretches for n in range(text.count_rects(first, count))]
        rectangles = [one for one in rectangles if one[0] < one[2] and one[1] < one[3]]
        read = "".join(_read(text, *rectangle) for rectangle in rectangles)
    return marks([frame.box(*one) for one in rectangles], frame.width, frame.height), read


def _read(text: pypdfium2.PdfTextPage, left: float, bottom: float, right: float, top: float) -> str:
    inset = _INSET * min(right - left, top - bottom)
    edges = left + inset, bottom + inset, right - inset, top - inset
    return str(text.get_text_bounded(*edges, errors="replace")).rstrip("\0")


def draw(content: bytes, number: int) -> bytes:
    """Draw page ``number`` (from 1) as a WebP picture. Raises as ``page_image``."""
    document = open_pdf(content)
    if not 1 <= number <= len(document):
        raise DocumentRefused("failed", f"The PDF has no page {number}; it has {len(document)}.")
    with open_page(document, number - 1) as opened:
        page = opened.page
        width, height = max(page.get_width(), 1.0), max(page.get_height(), 1.0)
        scale = min(SCALE, (MAX_SHOWN / (width * height)) ** 0.5, MAX_SIDE / width, MAX_SIDE / height)
        return as_webp(page.render(scale=scale).to_pil())
