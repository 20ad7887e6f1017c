"""Convert a PDF to document text. Runs in the child process only: PDFium aborts it on some hostile files."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pypdfium2

from searchain.documents.parsed import BlockKind, Page
from searchain.documents.pdf_layout import Piece, pieces_of
from searchain.documents.pdf_lines import Segment, segments_of
from searchain.documents.tables import has_values, is_header, is_of_pairs
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused

MAX_PAGES = 5_000
CELL = " | "
"""The separator of a row's cells; it is ``; `` if the cells have their column names."""
_WITH_HYPHEN = re.compile(r"\b\w+-\w+")
_WORD_BEFORE = re.compile(r"(?<!\w)(\w+)-$")
_WORD_AFTER = re.compile(r"\w+")
_POOR_TITLE = re.compile(
    r"^(untitled|microsoft word|document\d*|slide \d+|.*\.(docx?|tex|dvi|indd|qxd|pdf|pptx?)$)", re.I
)
_UNSPACED = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
"""Matches scripts without spaces between words. Korean has spaces, but loses one at a line's end."""


def open_pdf(content: bytes) -> pypdfium2.PdfDocument:
    """Open a PDF.

    Raises:
        DocumentRefused: the PDF needs a password, or is damaged.
    """
    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise DocumentRefused(
                "encrypted", "The PDF needs a password; save a copy without one and add that."
            ) from error
        raise DocumentRefused("failed", "The PDF is damaged or incomplete and cannot be opened.") from error


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text of a PDF, and return its title if it has one."""
    document = open_pdf(content)
    count = len(document)
    if count > MAX_PAGES:
        raise DocumentRefused("too_large", f"The PDF has {count:,} pages; at most {MAX_PAGES:,} are read.")
    pages = [_segments(document, number) for number in range(count)]
    pieces = pieces_of(pages)
    _write(pieces, writer, [document.get_page_label(number) or None for number in range(count)])
    stated = " ".join((document.get_metadata_value("Title") or "").split())
    return stated if len(stated) > 3 and not _POOR_TITLE.match(stated) else _first_heading(pieces)


def _segments(document: pypdfium2.PdfDocument, number: int) -> list[Segment]:
    """Return the lines of page ``number`` (from 0); empty if the page is damaged."""
    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return []
    try:
        return segments_of(page.raw)
    except ValueError:
        return []
    finally:
        page.close()


def _first_heading(pieces: list[Piece]) -> str | None:
    """Return the largest heading of the first page that is larger than the text; ``None`` without one."""
    headings = [piece for piece in pieces if piece.kind is BlockKind.HEADING and piece.page == 1]
    best = min(headings, key=lambda piece: (piece.level, -piece.lines[0].size), default=None)
    return " ".join(line.text for line in best.lines) if best and best.level == 1 else None


def _write(pieces: list[Piece], writer: Writer, labels: list[str | None]) -> None:
    lines = (line for piece in pieces for line in piece.lines)
    hyphenated = Counter(word.lower() for line in lines for word in _WITH_HYPHEN.findall(line.text))
    named = {id(row): names for row, names in _named_rows(pieces)}
    heads = {id(names) for names in named.values()}
    previous: Segment | None = None
    for piece in pieces:
        if piece.continues and previous is not None:
            _between(writer, previous, piece.lines[0], hyphenated)
        elif writer.length:
            writer.put("\n")
        _end_pages(writer, labels[: piece.page - 1])
        start = writer.length
        names = named.get(id(piece), ())
        if piece.kind is BlockKind.TABLE_ROW:
            _put_row(writer, piece, names)
        else:
            _put_lines(writer, piece, hyphenated)
        previous = piece.lines[-1]
        writer.end_block(piece.kind, start, level=1 if id(piece.lines) in heads else piece.level)
    _end_pages(writer, labels)


def _end_pages(writer: Writer, labels: Sequence[str | None]) -> None:
    """End each page of ``labels`` that has not ended yet; those after the first have no text."""
    for label in labels[len(writer.pages) :]:
        writer.pages.append(Page(writer.pages[-1].end if writer.pages else 0, writer.length, label))


def _put_lines(writer: Writer, piece: Piece, hyphenated: Counter[str]) -> None:
    for above, line in zip([None, *piece.lines], piece.lines, strict=False):
        if above is not None:
            _between(writer, above, line, hyphenated)
        writer.put_characters(line.text, piece.page, line.characters)


def _put_row(writer: Writer, row: Piece, names: Sequence[Segment]) -> None:
    """Write the cells of a row, each after the name of its column if the table has ``names``."""
    if is_of_pairs([name.text.strip() for name in names]):
        names, joint = (), ": "
    else:
        joint = "; " if names else CELL
    for n, cell in enumerate(row.lines):
        writer.put(joint if n else "")
        if names:
            writer.put_characters(names[n].text, row.page, names[n].characters)
            writer.put(": ")
        writer.put_characters(cell.text, row.page, cell.characters)


def _named_rows(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, list[Segment]]]:
    """Yield each row of a table with column names, together with these names from the table's first row."""
    for _, table in itertools.groupby(pieces, key=lambda piece: (piece.kind, piece.page)):
        head, *rows = table
        if head.kind is not BlockKind.TABLE_ROW or not rows:
            continue
        cells = [[line.text.strip() for line in row.lines] for row in (head, *rows)]
        if is_header(cells) and has_values(cells[1:]):
            yield from ((row, head.lines) for row in rows if len(row.lines) == len(head.lines))


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
