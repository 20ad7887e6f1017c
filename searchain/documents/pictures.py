"""Read scanned pages with tesseract. Runs in the child process only."""

from __future__ import annotations

import csv
import io
import subprocess
from dataclasses import dataclass
from itertools import groupby

from searchain.documents import limits
from searchain.documents.parsed import BlockKind, Box, Page, WordBox
from searchain.documents.pdf import open_pdf
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused

MAX_PAGES = 100
DPI = 200
MAX_PIXELS = 16_000_000
"""Most pixels of one page; a larger page is read at a lower resolution."""
LEAST_CONFIDENCE = 30.0
"""Least confidence of a word in percent; below it are specks and lines of tables."""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    paragraph: tuple[str, str]
    line: tuple[str, str, str]
    box: Box


def read(content: bytes, writer: Writer, program: str) -> list[WordBox]:
    """Write the text that ``program`` reads on the pages of a PDF; return the bounding box of each word.

    Raises:
        DocumentRefused: there are too many pages, or the program fails.
    """
    document = open_pdf(content)
    if len(document) > MAX_PAGES:
        raise DocumentRefused(
            "too_large", f"The PDF has {len(document):,} scanned pages; at most {MAX_PAGES} are read from pictures."
        )
    boxes: list[WordBox] = []
    for number in range(1, len(document) + 1):
        page = document[number - 1]
        width, height = max(page.get_width(), 1.0), max(page.get_height(), 1.0)
        scale = min(DPI / 72, (MAX_PIXELS / (width * height)) ** 0.5)
        picture = page.render(scale=scale, may_draw_forms=False, grayscale=True).to_pil()
        page.close()
        output = io.BytesIO()
        picture.save(output, "PNG")
        words = _words(_run(program, output.getvalue()), *picture.size)
        start = writer.length
        for _, paragraph in groupby(words, key=lambda word: word.paragraph):
            boxes += _write(list(paragraph), writer, number)
        writer.pages.append(Page(start, writer.length, document.get_page_label(number - 1) or None))
    return boxes


def _run(program: str, picture: bytes) -> str:
    try:
        done = subprocess.run(
            [program, "stdin", "stdout", "--dpi", str(DPI), "tsv"],
            input=picture,
            capture_output=True,
            env={"OMP_THREAD_LIMIT": "1"},
            timeout=limits.CPU_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise DocumentRefused("failed", "The pictures of the pages could not be read: tesseract failed.") from error
    return done.stdout.decode("utf-8", errors="replace")


def _words(table: str, width: int, height: int) -> list[_Word]:
    """Return the words of tesseract's table, in its order."""
    found = []
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row.get("text") or "").strip()
        if row["level"] != "5" or not text or float(row["conf"]) < LEAST_CONFIDENCE:
            continue
        left, top, wide, high = (int(row[name]) for name in ("left", "top", "width", "height"))
        box = left / width, top / height, (left + wide) / width, (top + high) / height
        block, paragraph, line = row["block_num"], row["par_num"], row["line_num"]
        found.append(_Word(text, (block, paragraph), (block, paragraph, line), box))
    return found


def _write(words: list[_Word], writer: Writer, page: int) -> list[WordBox]:
    """Write a paragraph; join a word that was hyphenated at a line's end."""
    if writer.length:
        writer.put("\n")
    start = writer.length
    boxes: list[WordBox] = []
    for n, word in enumerate(words):
        if (
            n
            and word.line != words[n - 1].line
            and words[n - 1].text[-2:-1].isalpha()
            and _is_parted(words[n - 1], word)
        ):
            writer.drop_last()
            last = boxes.pop()
            boxes.append(WordBox(last.start, last.end - 1, page, last.box))
        elif n:
            writer.put(" ")
        boxes.append(WordBox(writer.length, writer.length + len(word.text), page, word.box))
        writer.put(word.text)
    writer.end_block(BlockKind.PARAGRAPH, start)
    return boxes


def _is_parted(one: _Word, other: _Word) -> bool:
    return one.text.endswith("-") and other.text[0].islower()
