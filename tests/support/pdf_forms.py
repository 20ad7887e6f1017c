"""A small PDF with a form that somebody filled in."""

from tests.support.pdf_files import Sheet, Text, pdf

FONT = 10
"""The object of the first font, behind six other objects."""
NOTES = "/AcroForm << /Fields [4 0 R 5 0 R 6 0 R] >>"


def field(value: str, top: float, kind: str, look: str) -> bytes:
    return (
        f"<< /Type /Annot /Subtype /Widget /F 4 {kind} /T (f{top}) {value} /Rect [200 {top} 400 {top + 16}] "
        f"/AP << /N {look} >> >>"
    ).encode()


def look(content: str, resources: str = "") -> bytes:
    return (
        f"<< /Type /XObject /Subtype /Form /BBox [0 0 200 16] /Resources << /Font << {resources} >> >> "
        f"/Length {len(content)} >>\nstream\n{content}\nendstream"
    ).encode()


def filled_form() -> bytes:
    """A form with a name, a date and a tick."""
    font = f"/F1 {FONT} 0 R"
    texts = [
        Text(72, 740, "Application for a licence", 18),
        Text(72, 703, "Name of applicant:"),
        Text(72, 673, "Date of birth:"),
        Text(72, 643, "Has a boat:"),
        Text(230, 643, "since 1990"),
    ]
    content = pdf(
        [Sheet(texts)],
        catalog=NOTES,
        objects=[
            field("/V (Petra Lindqvist)", 700, "/FT /Tx", "7 0 R"),
            field("/V (14 February 1987)", 670, "/FT /Tx", "8 0 R"),
            field("/V /Yes /AS /Yes", 640, "/FT /Btn", "<< /Yes 9 0 R >>"),
            look("BT /F1 11 Tf 2 3 Td (Petra Lindqvist) Tj ET", font),
            look("BT /F1 11 Tf 2 3 Td (14 February 1987) Tj ET", font),
            look("2 2 12 12 re f"),
        ],
    )
    return content.replace(b"/Rotate 0", b"/Annots [4 0 R 5 0 R 6 0 R] /Rotate 0")
