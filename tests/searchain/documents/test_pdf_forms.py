"""Forms and attachments of PDFs: what was filled in is read, marked and drawn; what is not read is named."""

import io

import pytest
from PIL import Image

from searchain.documents.originals import locate
from searchain.documents.pdf import draw, find
from tests.support.parsed_files import parsed
from tests.support.pdf_files import Sheet, Text, pdf
from tests.support.pdf_forms import filled_form


@pytest.fixture(scope="module")
def form() -> bytes:
    return filled_form()


def test_the_values_of_a_form_are_read_beside_their_labels(form: bytes):
    lines = parsed("form.pdf", form).text.split("\n")[1:]
    assert lines == [
        "Name of applicant: Petra Lindqvist",
        "Date of birth: 14 February 1987",
        "Has a boat: [x] since 1990",
    ]


def test_a_mark_on_a_value_stands_where_it_is_drawn(form: bytes):
    document = parsed("form.pdf", form)
    start = document.text.index("Petra")
    (region,) = locate(document, start, start + 15, lambda pages: find(form, pages))
    ((left, top, right, bottom),) = region.boxes
    assert left == pytest.approx(202 / 612, abs=0.01)
    assert top < 1 - 706 / 792 < bottom
    picture = Image.open(io.BytesIO(draw(form, 1))).convert("L")
    width, height = picture.size
    cut = picture.crop((int(left * width), int(top * height), int(right * width), int(bottom * height)))
    assert cut.getextrema()[0] < 100


def test_attached_files_are_named_as_not_read():
    content = pdf(
        [Sheet([Text(72, 700, "The figures are in the file that is attached.")])],
        catalog="/Names << /EmbeddedFiles << /Names [(figures.xlsx) 4 0 R] >> >>",
        objects=[
            b"<< /Type /Filespec /F (figures.xlsx) /UF (figures.xlsx) /EF << /F 5 0 R >> >>",
            b"<< /Type /EmbeddedFile /Length 3 >>\nstream\nabc\nendstream",
        ],
    )
    assert parsed("form.pdf", content).unread == "Not read: 1 attached file (figures.xlsx)."
