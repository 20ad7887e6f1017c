"""Scanned pages: what the program for character recognition says becomes text with a box for each word."""

import shutil
import stat
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from searchain.documents import DocumentRefused, parse_file, regions
from tests.support.pdf_files import Sheet, Text, pdf

TABLE = """level page_num block_num par_num line_num word_num left top width height conf text
1 1 0 0 0 0 0 0 1700 2200 -1
5 1 1 1 1 1 170 220 170 44 96.1 The
5 1 1 1 1 2 374 220 170 44 95 Seine
5 1 1 1 1 3 578 220 170 44 95 "pro-
5 1 1 1 2 1 170 286 170 44 91 ceeds"
5 1 1 1 2 2 374 286 340 44 12 ~~
5 1 2 1 1 1 170 880 340 44 91 Paris."""
PICTURE = Sheet([], more=b"q 612 0 0 792 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q")
SCANNED = pdf([PICTURE, PICTURE])


def recogniser(folder: Path, body: str) -> None:
    """A program that stands in the place of tesseract."""
    program = folder / "tesseract"
    program.write_text(f"#!{sys.executable}\nimport sys\npicture = sys.stdin.buffer.read()\n{body}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def test_words_and_boxes_come_from_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    table = TABLE.replace(" ", "\t")
    file = tmp_path / "scan.pdf"
    file.write_bytes(SCANNED)
    with pytest.raises(DocumentRefused, match="2 of 2 pages, which are pictures .install tesseract") as refusal:
        parse_file(file, "scan.pdf")
    assert refusal.value.state == "no_text"
    recogniser(
        tmp_path,
        f"assert picture[:2] == b'P5' and sys.argv[1:] == 'stdin stdout --dpi 200 tsv'.split()\nprint({table!r})",
    )
    document = parse_file(file, "scan.pdf")
    one = 'The Seine "proceeds"\nParis.'
    assert document.text == f"{one}\n{one}"
    assert document.parser.endswith(", tesseract")
    assert [page.end for page in document.pages] == [len(one), 2 * len(one) + 1]
    start = document.text.rindex("Seine")
    (region,) = regions(file, document, start, start + len('Seine "proceeds"'))
    assert region.page == 2
    assert [[round(n, 2) for n in box] for box in region.boxes] == [[0.22, 0.1, 0.44, 0.12], [0.1, 0.13, 0.2, 0.15]]


def test_a_program_that_fails_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    recogniser(tmp_path, "sys.exit(1)")
    file = tmp_path / "scan.pdf"
    file.write_bytes(SCANNED)
    with pytest.raises(DocumentRefused, match="tesseract failed"):
        parse_file(file, "scan.pdf")


def test_pages_that_are_pictures_stand_between_those_with_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    file = tmp_path / "mixed.pdf"
    first, last = (Sheet([Text(72, 700, one)]) for one in ("The first page has a text layer", "as has the third page."))
    file.write_bytes(pdf([first, PICTURE, last, Sheet([])]))
    document = parse_file(file, "mixed.pdf")
    assert document.unread == "Not read: 1 of 4 pages, which are pictures (install tesseract to read them)."
    recogniser(tmp_path, f"print({TABLE.replace(' ', chr(9))!r})")
    document = parse_file(file, "mixed.pdf")
    assert document.unread is None
    texts = "The first page has a text layer", 'The Seine "proceeds"\nParis.', "as has the third page."
    assert document.text == "\n".join(texts)
    for page, text in enumerate(texts, 1):
        start = document.text.index(text)
        assert document.page_of(start) == page
        assert [(one.page, bool(one.boxes)) for one in regions(file, document, start, start + 9)] == [(page, True)]


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")
@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_turned_page_is_read_and_marked(tmp_path: Path, degrees: int):
    picture = Image.new("L", (1240, 1754), 255)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(42)
    lines = ["Delivery note 7731", "Received by the office on 12 June:", "fourteen crates of lamp glass from Orsa."]
    for n, line in enumerate([*lines, *(f"Crate number {n} was opened and is whole." for n in range(12))]):
        draw.text((120, 200 + 70 * n), line, fill=0, font=font)
    file = tmp_path / "turned.pdf"
    picture.rotate(degrees, expand=True).save(file, "PDF", resolution=150)
    document = parse_file(file, "turned.pdf")
    assert all(line in " ".join(document.text.split()) for line in lines)
    start = document.text.index("lamp")
    (region,) = regions(file, document, start, start + 4)
    ((x0, y0, x1, y1),) = region.boxes
    drawn = 120 / 1240 + 0.001 + draw.textlength("fourteen crates of lamp", font) / 1240 - 0.02, (200 + 140 + 25) / 1754
    x, y = {0: drawn, 90: (drawn[1], 1 - drawn[0]), 180: (1 - drawn[0], 1 - drawn[1]), 270: (1 - drawn[1], drawn[0])}[
        degrees
    ]
    assert x0 <= x <= x1
    assert y0 <= y <= y1
