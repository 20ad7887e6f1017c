"""Scanned pages: what the program for character recognition says becomes text with a box for each word."""

import stat
import sys
from pathlib import Path

import pytest

from searchain.documents import DocumentRefused, parse_file, regions
from tests.support.pdf_files import Sheet, pdf

TABLE = """level page_num block_num par_num line_num word_num left top width height conf text
1 1 0 0 0 0 0 0 1700 2200 -1
5 1 1 1 1 1 170 220 170 44 96.1 The
5 1 1 1 1 2 374 220 170 44 95 Seine
5 1 1 1 1 3 578 220 170 44 95 "pro-
5 1 1 1 2 1 170 286 170 44 91 ceeds"
5 1 1 1 2 2 374 286 340 44 12 ~~
5 1 2 1 1 1 170 880 340 44 91 Paris."""
SCANNED = pdf([Sheet([], more=b"0 0 100 100 re f"), Sheet([], more=b"0 0 100 100 re f")])


def recogniser(folder: Path, body: str) -> None:
    """A program that stands in the place of tesseract."""
    program = folder / "tesseract"
    program.write_text(f"#!{sys.executable}\nimport sys\npicture = sys.stdin.buffer.read()\n{body}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def test_words_and_boxes_come_from_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    table = TABLE.replace(" ", "\t")
    recogniser(
        tmp_path,
        f"assert picture[1:4] == b'PNG' and sys.argv[1:] == 'stdin stdout --dpi 200 tsv'.split()\nprint({table!r})",
    )
    file = tmp_path / "scan.pdf"
    file.write_bytes(SCANNED)
    with pytest.raises(DocumentRefused) as refusal:
        parse_file(file, "scan.pdf")
    assert refusal.value.state == "no_text"
    document = parse_file(file, "scan.pdf", read_pictures=True)
    one = 'The Seine "proceeds"\nParis.'
    assert document.text == f"{one}\n{one}"
    assert document.parser.endswith(", tesseract")
    assert [page.end for page in document.pages] == [len(one), 2 * len(one) + 1]
    start = document.text.rindex("Seine")
    (region,) = regions(file, document, start, start + len('Seine "proceeds"'))
    assert region.page == 2
    assert [[round(side, 2) for side in box] for box in region.boxes] == [
        [0.22, 0.1, 0.44, 0.12],
        [0.1, 0.13, 0.2, 0.15],
    ]


def test_a_program_that_fails_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    recogniser(tmp_path, "sys.exit(1)")
    file = tmp_path / "scan.pdf"
    file.write_bytes(SCANNED)
    with pytest.raises(DocumentRefused, match="tesseract failed") as refusal:
        parse_file(file, "scan.pdf", read_pictures=True)
    assert refusal.value.state == "failed"
