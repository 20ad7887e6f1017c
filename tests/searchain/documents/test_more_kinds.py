"""Mail, notebooks, JSON, XML, reStructuredText, Org, LaTeX and pictures: what of them is text, and what it is called."""

import io
import shutil
from email.message import EmailMessage
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from searchain.documents import BlockKind, DocumentRefused, page_image, parse_file, passages_of, regions
from tests.support.json_lines import DATA
from tests.support.parsed_files import parsed


def message(subject: str, text: str, html: str = "", **files: bytes) -> EmailMessage:
    one = EmailMessage()
    one["From"], one["To"], one["Subject"] = "Bob Lee <bob@example.org>", "ann@example.org", subject
    one["Date"] = "Wed, 12 Jun 2024 10:00:00 +0200"
    one.set_content(text)
    if html:
        one.add_alternative(html, subtype="html")
    for name, content in files.items():
        one.add_attachment(content, maintype="application", subtype="pdf", filename=f"{name}.pdf")
    return one


OFFER = message(
    "Pumpe für Köln", "It costs 4,350 €.\n\nAnn wrote:\n> What is\n> the price?\n>\n> And when?\n", offer=b"%PDF"
)
NEWS = message("News", "View in a browser", "<h1>Harbour</h1><p>" + "The harbour opens on 3 May for all boats. " * 3)
FORWARDED = message("Fwd", "See below.")
FORWARDED.add_attachment(OFFER)
ODD = b"Subject: =?iso-8859-1?Q?Gr=FC=DFe?=\nContent-Type: text/plain; charset=none\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe aus K=F6ln, w=\neich.\n"
MAILBOX = b"".join(b"From a Mon Jan 1\n" + one.as_bytes() + b"\n\n>From here on.\n\n" for one in (OFFER, NEWS))
VALUES, NOTEBOOK, RST, ORG, TEX = (
    (DATA / "kinds" / name).read_bytes()
    for name in ("house.json", "rivers.ipynb", "rivers.rst", "rivers.org", "rivers.tex")
)
RECORDS = "<rooms site='Elm'><room id='1'><name>Otter</name><beds>3</beds></room><room id='2'><name>Owl</name></room><open lang='en'>May</open></rooms>"
PROSE = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><article><title>Rivers</title><info><author>Ann</author></info><section><title>Lengths</title><para>The <b>Seine</b> is&#160;long &x;.</para><table><thead><row><entry>River</entry><entry>km</entry></row></thead><row><entry>Oise</entry><entry>341</entry></row></table></section></article>"
ROW = "River: Oise; km: 341"
CASES = [
    (
        "a.eml", OFFER.as_bytes(),
        ["Pumpe für Köln (Bob Lee, Wed, 12 Jun 2024)", "From: Bob Lee <bob@example.org>", "To: ann@example.org", "Date: Wed, 12 Jun 2024 10:00:00 +0200", "It costs 4,350 €.", "> What is the price?", "> And when?"],
        None, "1 attached file (offer.pdf)",
    ),
    ("a.eml", NEWS.as_bytes(), ["Harbour", "The harbour opens on 3 May for all boats. " * 2], None, ""),
    ("a.eml", FORWARDED.as_bytes(), ["See below.", "It costs 4,350 €."], None, "1 attached file (offer.pdf)"),
    ("a.eml", ODD, ["Subject: Grüße", "Grüße aus Köln, weich."], None, ""),
    ("a.mbox", MAILBOX, ["It costs 4,350 €.", "Harbour"], "message 1 of 2 (Pumpe für Köln)", "1 attached file (offer.pdf)"),
    ("a.ipynb", NOTEBOOK, ["Rivers", "The Seine.", "frame", ROW, "done"], "cell 1", "1 picture"),
    ("a.json", VALUES, ["site: Elm", "tags: quiet, old", "rate: 1.0", "owner.name: Ann", "rooms", "name: Otter; at.floor: 2; beds: 3", "orders 2: B8", "items", "sku: w; count: 4"], None, ""),
    ("a.jsonl", '{"a": 1, "b": "x"}\n\n{"a": 2, "b": "y"}\n', ["a: 1; b: x", "a: 2; b: y"], None, ""),
    ("a.xml", RECORDS, ["site: Elm", "open: May (lang: en)", "id: 1; name: Otter; beds: 3", "id: 2; name: Owl"], None, ""),
    ("a.xml", PROSE, ["Rivers", "author: Ann", "Lengths", "The Seine is long &x;.", ROW], None, ""),
    ("a.rst", RST, ["Rivers", "Author: Ann", "See measure and the map.", "function: measure(river, unit)", "Measures a river.", "versionadded: 3.2", ROW], None, ""),
    ("a.org", ORG, ["Rivers", "TODO Measure the Seine :work:", "DEADLINE: <2024-06-12 Wed>", "- from its source", "Lengths", ROW, "* x = 1"], None, ""),
    ("a.tex", TEX, ["Rivers", "Lengths", "The Seine near Vellmar costs 5 %, see [lee]. (Or more.)", "Here $x^2$ and n.", "2. Write", ROW, "Both", "a % b"], None, "1 formula, 1 picture, 1 included file (more)"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "pieces", "label", "unread"), CASES, ids=[case[0] for case in CASES])
def test_what_is_text_and_what_its_place_is_called(name, content, pieces, label, unread):
    document = parsed(name, content)
    at = 0
    for piece in pieces:  # in this order
        at = document.text.index(piece, at)
    assert document.label_of(0, 5) == label
    assert document.unread == (f"Not read: {unread}." if unread else None)
    for left_out in ("a comment", "CLOCK", "toctree", "root:", "usepackage", "center"):
        assert left_out not in document.text


def test_headings_hold_what_stands_below_them():
    document = parsed("a.json", VALUES)
    assert document.blocks[-1].headings == ("orders 2: B8", "items")
    document = parsed("a.mbox", MAILBOX)
    start = document.text.index("The harbour")
    assert document.label_of(start, start + 40) == "message 2 of 2 (News)"
    assert document.block_at(start).headings == ("News (Bob Lee, Wed, 12 Jun 2024)", "Harbour")
    assert ">From here" not in document.text
    assert not any("4,350" in one.text and "Harbour" in one.text for one in passages_of(document, "D", "v"))
    assert parsed("a.tex", TEX).blocks[0].kind is BlockKind.HEADING


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.json", '{"a": 1,', "no JSON: .* in line 1, column"),
        ("a.xml", "<a><b></a>", "no well-formed XML"),
        ("a.eml", "Only words.", "no lines such as From"),
        ("a.png", "Only words.", "The name says picture, but the bytes are text"),
        ("a.exe", "MZ", "not read"),
    ],
)
def test_a_file_that_is_something_else_is_refused(name: str, content: str, reason: str):
    with pytest.raises(DocumentRefused, match=reason):
        parsed(name, content)


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")
@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF"])
def test_words_on_a_picture_are_read_marked_and_drawn_upright(tmp_path: Path, form: str):
    upright = Image.new("RGB", (900, 400), "white")
    text = "Delivery note 7731\nfourteen crates of lamp glass from Orsa"
    ImageDraw.Draw(upright).text((40, 60), text, fill=0, font=ImageFont.load_default(32))
    file, turned, more = tmp_path / "stored", Image.Exif(), {}
    if form == "JPEG":  # as a camera that was held sideways writes it
        turned[0x112] = 6
        more = {"exif": turned}
    picture = upright.rotate(90, expand=True) if form == "JPEG" else upright
    if form == "TIFF":
        more = {"save_all": True, "append_images": [Image.new("RGB", (90, 40), "white")]}
    picture.save(file, form, **more)
    document = parse_file(file, f"note.{form.lower()}")
    assert (document.type, len(document.pages), document.unread) == ("picture", 2 if form == "TIFF" else 1, None)
    assert " ".join(text.split()) in " ".join(document.text.split())
    start = document.text.index("lamp")
    (region,) = regions(file, document, start, start + 4)
    with Image.open(io.BytesIO(page_image(file, 1, "picture"))) as drawn:
        assert drawn.size == upright.size
        box = [round(side * length) for side, length in zip(region.boxes[0], drawn.size * 2, strict=True)]
        assert drawn.convert("L").crop(box).getextrema()[0] < 128  # there is ink in the mark
    with pytest.raises(DocumentRefused, match="has no picture 3"):
        page_image(file, 3, "picture")


def test_without_tesseract_a_picture_says_what_to_install():
    content = io.BytesIO()
    Image.new("L", (40, 20), 255).save(content, "PNG")
    with pytest.raises(DocumentRefused, match="1 of 1 pictures .install tesseract to read them.") as refusal:
        parsed("a.png", content.getvalue())
    assert refusal.value.state == "no_text"
