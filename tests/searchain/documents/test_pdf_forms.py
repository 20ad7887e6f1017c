"""Forms and attachments of PDFs: what was filled in is read, marked and drawn; what is not read is named."""

import io

import pytest
from PIL import Image

from searchain.documents import ParsedDocument
from searchain.documents.pdf_views import draw, find
from searchain.documents.reading import read_document
from searchain.documents.views import locate
from tests.support.pdf_files import Sheet, Text, pdf

FONT = 10
"""The object of the first font, behind six other objects."""
NOTES = "/AcroForm << /Fields [4 0 R 5 0 R 6 0 R] >>"


def field(value: str, top: float, kind: str, look: int) -> bytes:
    return (
        f"<< /Type /Annot /Subtype /Widget /F 4 {kind} /T (f{top}) {value} /Rect [200 {top} 400 {top + 16}] "
        f"/AP << /N {look} >> >>"
    ).encode()


def look(content: str, resources: str = "") -> bytes:
    body = content.encode()
    return (
        (
            f"<< /Type /XObject /Subtype /Form /BBox [0 0 200 16] /Resources << /Font << {resources} >> >> "
            f"/Length {len(body)} >>\nstream\n"
        ).encode()
        + body
        + b"\nendstream"
    )


@pytest.fixture(scope="module")
def form() -> bytes:
    """A form with a name, a date and a tick."""
    font = f"/F1 {FONT} 0 R"
    content = pdf(
        [
            Sheet(
                [
                    Text(72, 740, "Application for a licence", 18),
                    Text(72, 703, "Name of applicant:"),
                    Text(72, 673, "Date of birth:"),
                    Text(72, 643, "Has a boat:"),
                    Text(230, 643, "since 1990"),
                ]
            )
        ],
        catalog=NOTES,
        objects=[
            field("/V (Petra Lindqvist)", 700, "/FT /Tx", 7).replace(b"/N 7", b"/N 7 0 R"),
            field("/V (14 February 1987)", 670, "/FT /Tx", 8).replace(b"/N 8", b"/N 8 0 R"),
            field("/V /Yes /AS /Yes", 640, "/FT /Btn", 9).replace(b"/N 9", b"/N << /Yes 9 0 R >>"),
            look("BT /F1 11 Tf 2 3 Td (Petra Lindqvist) Tj ET", font),
            look("BT /F1 11 Tf 2 3 Td (14 February 1987) Tj ET", font),
            look("2 2 12 12 re f"),
        ],
    )
    return content.replace(b"/Rotate 0", b"/Annots [4 0 R 5 0 R 6 0 R] /Rotate 0")


def parsed(content: bytes) -> ParsedDocument:
    return read_document(content, "form.pdf", read_pictures=None)


def test_the_values_of_a_form_are_read_beside_their_labels(form: bytes):
    assert parsed(form).text.split("\n")[1:] == [
        "Name of applicant: Petra Lindqvist",
        "Date of birth: 14 February 1987",
        "Has a boat: [x] since 1990",
    ]


def test_a_mark_on_a_value_stands_where_it_is_drawn(form: bytes):
    document = parsed(form)
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
    assert parsed(content).unread == "Not read: 1 attached file (figures.xlsx)."


@pytest.mark.parametrize("title", ["about:blank", "(anonymous)", "Microsoft Word - draft.doc", "untitled", "file:///a"])
def test_what_a_program_writes_for_a_title_is_none(title: str):
    document = read_document(
        pdf([Sheet([Text(72, 700, "The pump stands in the cellar.")])], title=title), "pump.pdf", read_pictures=None
    )
    assert document.title == "pump"
