"""Read pictures, such as scans, photos and pages of a PDF, with tesseract, and draw them.

Runs in the child process only.
"""

import csv
import io
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageOps, UnidentifiedImageError

from searchain.documents import limits
from searchain.documents.parsed import BlockKind, Box, Page, WordBox, turned
from searchain.documents.pdf_lines import Segment
from searchain.documents.pdf_page import open_page
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused
from searchain.files.processes import die_with_parent

MAX_PAGES = 100
SECONDS = 200
"""Wall time after which no further page is read: less than a file has altogether."""
DPI = 200
MAX_PIXELS = 16_000_000
"""Most pixels of one page; a larger page is read at a lower resolution."""
MAX_SHOWN, MAX_SIDE = 4_000_000, 8_000
"""Most pixels of a drawn page, and of a side of it; a WebP picture has at most 16,383."""
LEAST_CONFIDENCE = 30.0
"""Least confidence of a word in percent; below it are specks and lines of tables."""
_FEW_LETTERS = 30  # a page with fewer letters and digits, such as those of a stamp, may be a picture
_PICTURE = 0.3  # least share of such a page that pictures cover together
_OUTLINES = 50  # fewest lines and areas of such a page that may be letters
_DOUBTFUL = 80.0  # below this mean confidence, in percent, it is tried whether the page is turned
_TURNS = {degrees: Image.Transpose[f"ROTATE_{360 - degrees}"] for degrees in (90, 180, 270)}
"""Degrees by which a page is turned to the right, and the name for it of Pillow, which turns to the left."""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    confidence: float
    paragraph: tuple[str, str]
    line: tuple[str, str, str]
    box: Box


def is_picture(document: pypdfium2.PdfDocument, number: int, segments: Sequence[Segment]) -> bool:
    """Return whether page ``number`` (from 0) has hardly any text, but pictures, or letters drawn as outlines."""
    if sum(character.isalnum() for segment in segments for character in segment.text) >= _FEW_LETTERS:
        return False
    try:
        with open_page(document, number) as opened:
            page = opened.page
            drawn = list(page.get_objects(max_depth=2))
            bounds = (one.get_bounds() for one in drawn if one.type == pdfium.FPDF_PAGEOBJ_IMAGE)
            area = sum((right - left) * (top - bottom) for left, bottom, right, top in bounds)
            outlines = sum(one.type == pdfium.FPDF_PAGEOBJ_PATH for one in drawn)
            return bool(area >= _PICTURE * page.get_width() * page.get_height() or outlines >= _OUTLINES)
    except pypdfium2.PdfiumError:
        return False


class Pictures:
    """The pages of one file that are pictures, and the words on those that were read.

    ``program``: tesseract; ``None``: no page is read, and ``unread`` names all.
    """

    def __init__(self, program: str | None) -> None:
        self._program = program
        self._until = time.monotonic() + SECONDS
        self._words: dict[int, list[_Word]] = {}
        self._unread: dict[str, int] = {}  # reason → number of pages

    def read(self, number: int, draw: Callable[[], Image.Image]) -> bool:
        """Read page ``number`` (from 0), drawn in grey; return ``False`` if it is left out."""
        reason = self._refused()
        if self._program and not reason:
            try:
                self._words[number] = _read(self._program, draw())
                return True
            except (OSError, subprocess.SubprocessError, pypdfium2.PdfiumError):
                reason = "tesseract failed"
        self._unread[reason] = self._unread.get(reason, 0) + 1
        return False

    def _refused(self) -> str:
        if not self._program:
            return "install tesseract to read them"
        if len(self._words) >= MAX_PAGES or time.monotonic() > self._until:
            return f"at most {MAX_PAGES} are read, in {SECONDS} seconds"
        return ""

    def stand_on(self, pages: range) -> bool:
        """Return whether words were read on one of ``pages`` (from 0)."""
        return any(number in self._words for number in pages)

    def unread(self, pages: int, what: str = "pages, which are pictures") -> list[str]:
        """Name the pages that were left out, of ``pages`` in all."""
        return [f"{count} of {pages} {what} ({reason})" for reason, count in self._unread.items()]

    def write(self, number: int, writer: Writer) -> None:
        """Write the words of page ``number`` (from 0), if it was read."""
        for _, paragraph in groupby(self._words.get(number, ()), key=lambda word: word.paragraph):
            writer.words += _write(list(paragraph), writer, number + 1)


def drawn_page(document: pypdfium2.PdfDocument, number: int) -> Image.Image:
    """Draw page ``number`` (from 0) of a PDF for tesseract."""
    with open_page(document, number) as opened:
        width, height = max(opened.page.get_width(), 1.0), max(opened.page.get_height(), 1.0)
        scale = min(DPI / 72, (MAX_PIXELS / (width * height)) ** 0.5)
        picture: Image.Image = opened.page.render(scale=scale, grayscale=True).to_pil()
        return picture.convert("L")


def _read(program: str, picture: Image.Image) -> list[_Word]:
    """Read a page, and read it again turned if its words are doubtful and tesseract finds that it lies."""
    words = _words(_run(program, picture, "tsv"), *picture.size)
    if _sure(words) >= _DOUBTFUL:
        return words
    degrees = _lies(program, picture)
    if degrees not in _TURNS:
        return words
    upright = picture.transpose(_TURNS[degrees])
    found = _words(_run(program, upright, "tsv"), *upright.size)
    if _sure(found) <= _sure(words):
        return words
    return [replace(word, box=turned(word.box, degrees)) for word in found]


def _sure(words: Sequence[_Word]) -> float:
    """Return the mean confidence of words, in percent."""
    return statistics.fmean(word.confidence for word in words) if words else 0.0


def _lies(program: str, picture: Image.Image) -> int:
    """Return by how many degrees a page must be turned to the right; 0 if tesseract cannot tell."""
    try:
        said = _run(program, picture, "--psm", "0")
    except subprocess.SubprocessError:  # too few letters, or it was installed without the data for this
        return 0
    values = dict(line.partition(": ")[::2] for line in said.splitlines())
    return int(values.get("Rotate", "0"))


def _run(program: str, picture: Image.Image, *options: str) -> str:
    content = io.BytesIO()
    picture.save(content, "PPM")
    done = subprocess.run(
        [program, "stdin", "stdout", "--dpi", str(DPI), *options],
        input=content.getvalue(),
        capture_output=True,
        env={"OMP_THREAD_LIMIT": "1"},
        timeout=limits.CPU_SECONDS,
        check=True,
        preexec_fn=partial(die_with_parent, os.getpid()),  # this process has one thread, so that it is safe
    )
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
        found.append(_Word(text, float(row["conf"]), (block, paragraph), (block, paragraph, line), box))
    return found


def _write(words: list[_Word], writer: Writer, page: int) -> list[WordBox]:
    """Write a paragraph; join a word that was hyphenated at a line's end."""
    if writer.length:
        writer.put("\n")
    start = writer.length
    boxes: list[WordBox] = []
    for n, word in enumerate(words):
        before = words[n - 1].text if n and word.line != words[n - 1].line else ""
        if before.endswith("-") and before[-2:-1].isalpha() and word.text[0].islower():
            writer.drop_last()
            last = boxes.pop()
            boxes.append(WordBox(last.start, last.end - 1, page, last.box))
        elif n:
            writer.put(" ")
        boxes.append(WordBox(writer.length, writer.length + len(word.text), page, word.box))
        writer.put(word.text)
    writer.end_block(BlockKind.PARAGRAPH, start)
    return boxes


def as_webp(picture: Image.Image) -> bytes:
    """Return a picture as WebP."""
    output = io.BytesIO()
    picture.convert("RGB").save(output, "WEBP", quality=80, method=2)
    return output.getvalue()


MAX_MILLIONS = 100
"""Most millions of pixels of a picture."""
_FORMATS = ("PNG", "JPEG", "TIFF")


def read(content: bytes, writer: Writer, program: str | None) -> None:
    """Write the words on a picture, or on each page of a TIFF; ``program`` is that of ``Pictures``."""
    pictures = Pictures(program)
    with _opened(content) as picture:
        count = _pages(picture)
        for number in range(count):
            pictures.read(number, partial(_grey, picture, number))
            pictures.write(number, writer)
            writer.pages.append(Page(writer.pages[-1].end if writer.pages else 0, writer.length))
    writer.unread += pictures.unread(count, "pictures")


def draw(content: bytes, number: int) -> bytes:
    """Draw page ``number`` (from 1) as a WebP picture. Raises as ``page_image``."""
    with _opened(content) as picture:
        if not 1 <= number <= _pages(picture):
            raise DocumentRefused("failed", f"The file has no picture {number}; it has {_pages(picture)}.")
        shown = _upright(picture, number - 1)
        scale = min(1, (MAX_SHOWN / (shown.width * shown.height)) ** 0.5, MAX_SIDE / max(shown.size))
        return as_webp(_scaled(shown, scale))


@contextmanager
def _opened(content: bytes) -> Iterator[Image.Image]:
    Image.MAX_IMAGE_PIXELS = MAX_MILLIONS * 1_000_000 // 2  # Pillow refuses twice as many
    with _refusing(), Image.open(io.BytesIO(content), formats=_FORMATS) as picture:
        yield picture


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except Image.DecompressionBombError as error:
        raise DocumentRefused(
            "too_large", f"The picture has more than {MAX_MILLIONS} million pixels; make it smaller."
        ) from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise DocumentRefused("failed", "The picture is damaged or incomplete and cannot be opened.") from error


def _pages(picture: Image.Image) -> int:
    """Return the number of pictures in a TIFF; those in other files are moments or previews of the first."""
    return int(getattr(picture, "n_frames", 1)) if picture.format == "TIFF" else 1


def _upright(picture: Image.Image, number: int) -> Image.Image:
    """Return picture ``number`` (from 0) as programs show it: turned as the camera says, on white."""
    picture.seek(number)
    shown = ImageOps.exif_transpose(picture)
    if shown.has_transparency_data:
        shown = shown.convert("RGBA")
        shown = Image.alpha_composite(Image.new("RGBA", shown.size, "white"), shown)
    return shown


def _grey(picture: Image.Image, number: int) -> Image.Image:
    with _refusing():
        shown = _upright(picture, number).convert("L")
    return _scaled(shown, min(1, (MAX_PIXELS / (shown.width * shown.height)) ** 0.5))


def _scaled(picture: Image.Image, scale: float) -> Image.Image:
    if scale == 1:
        return picture
    return picture.resize((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))
