"""Read a picture, such as a scan or a photo, as pages of words, and draw it. Runs in the child process only."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from PIL import Image, ImageOps, UnidentifiedImageError

from searchain.documents.parsed import Page
from searchain.documents.pdf_views import MAX_PIXELS, MAX_SIDE, as_webp
from searchain.documents.pictures import MAX_PIXELS as MAX_READ
from searchain.documents.pictures import Pictures
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused

MAX_MILLIONS = 100
"""Most millions of pixels of a picture."""
_FORMATS = ("PNG", "JPEG", "TIFF")


def read(content: bytes, writer: Writer, program: str | None) -> None:
    """Write the words on a picture, or on each picture of a TIFF, which are its pages.

    Args:
        program: tesseract; ``None``: the file is named in ``writer.unread``.
    """
    pictures = Pictures(program)
    with _opened(content) as picture:
        count = _pages(picture)
        for number in range(count):
            pictures.read(number, partial(_grey, picture, number))
            pictures.write(number, writer)
            writer.pages.append(Page(writer.pages[-1].end if writer.pages else 0, writer.length))
    writer.unread += pictures.unread(count, "pictures")


def draw(content: bytes, number: int) -> bytes:
    """Draw page ``number`` (from 1) as a WebP picture.

    Raises:
        DocumentRefused: the page does not exist or is damaged.
    """
    with _opened(content) as picture:
        if not 1 <= number <= _pages(picture):
            raise DocumentRefused("failed", f"The file has no picture {number}; it has {_pages(picture)}.")
        shown = _upright(picture, number - 1)
        scale = min(1, (MAX_PIXELS / (shown.width * shown.height)) ** 0.5, MAX_SIDE / max(shown.size))
        return as_webp(_scaled(shown, scale))


@contextmanager
def _opened(content: bytes) -> Iterator[Image.Image]:
    Image.MAX_IMAGE_PIXELS = MAX_MILLIONS * 1_000_000 // 2  # Pillow refuses twice as many
    with _refusing(), Image.open(io.BytesIO(content), formats=_FORMATS) as picture:
        yield picture


@contextmanager
def _refusing() -> Iterator[None]:
    """Translate the errors of Pillow."""
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
    return _scaled(shown, min(1, (MAX_READ / (shown.width * shown.height)) ** 0.5))


def _scaled(picture: Image.Image, scale: float) -> Image.Image:
    if scale == 1:
        return picture
    return picture.resize((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))
