"""Convert a Word document to document text through HTML. Runs in the child process only."""

import io
import zipfile
from collections import Counter
from collections.abc import Iterator

import mammoth
from lxml import etree

from searchain.documents.html_blocks import blocks_of, parse, write
from searchain.documents.office_xml import (
    Numbers,
    Relation,
    W,
    child_value,
    main_part,
    numbers_of,
    open_zip,
    part_of,
    read_entry,
    read_xml,
    relations,
    stated_title,
    text_of,
)
from searchain.documents.writer import Writer, title_of

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_UNREAD = {
    f"{_M}oMath": "formula",
    "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart": "chart",
    "{http://schemas.openxmlformats.org/drawingml/2006/picture}pic": "picture",
    f"{W}object": "embedded object",
    f"{W}altChunk": "embedded document",
}
"""Elements that are not read → what people call one."""
_PAGE_NUMBERS = frozenset(("PAGE", "NUMPAGES", "SECTIONPAGES"))  # the fields that show another number on each page


def whole_body(packed: zipfile.ZipFile, writer: Writer) -> bytes:
    """Return the document with the text of its other parts in the body; name in ``writer`` what is not read.

    Raises ``KeyError`` or ``lxml.etree.XMLSyntaxError`` if it is not a Word document, or damaged, and
    ``DocumentRefused`` if an entry is damaged.
    """
    name = main_part(packed, "word/document.xml")
    root = read_xml(read_entry(packed, name))
    body = root.find(f"{W}body")
    writer.leave_out(Counter(_UNREAD[element.tag] for element in root.iter(*_UNREAD)))
    if body is None:  # it has the strict form of the standard, whose elements have other names
        writer.unread.append("headers, footers, comments and numbers")
    else:
        styles = part_of(packed, name, "styles")
        _number(body, numbers_of(part_of(packed, name, "numbering"), styles))
        _mark_heads(body, styles)
        _put_comments(body, part_of(packed, name, "comments"))
        _put_margins(body, packed, name)
    return _packed_with(packed, name, etree.tostring(root))


def _run(text: str) -> etree._Element:
    run = etree.Element(f"{W}r")
    words = etree.SubElement(run, f"{W}t")
    words.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    words.text = text
    return run


def _number(body: etree._Element, numbers: Numbers) -> None:
    """Write the number of each numbered paragraph before its words."""
    for paragraph in body.iter(f"{W}p"):
        label = numbers.label(paragraph)
        if label:
            first = 1 if paragraph.find(f"{W}pPr") is not None else 0
            paragraph.insert(first, _run(f"{label} "))


def _mark_heads(body: etree._Element, styles: etree._Element) -> None:
    """Mark the first row of a table as its header where the table's style shows it so."""
    showing = {
        style.get(f"{W}styleId")
        for style in styles
        if any(part.get(f"{W}type") == "firstRow" for part in style.iter(f"{W}tblStylePr"))
    }
    for table in body.iter(f"{W}tbl"):
        properties, row = table.find(f"{W}tblPr"), table.find(f"{W}tr")
        if properties is None or row is None or child_value(properties, "tblStyle") not in showing:
            continue
        look = properties.find(f"{W}tblLook")
        if look is not None and look.get(f"{W}firstRow") == "1" and next(row.iter(f"{W}tblHeader"), None) is None:
            if (settings := row.find(f"{W}trPr")) is None:
                row.insert(0, settings := etree.Element(f"{W}trPr"))
            etree.SubElement(settings, f"{W}tblHeader")


def _put_comments(body: etree._Element, comments: etree._Element) -> None:
    """Write each comment below the paragraph or the table that it is about."""
    known = {comment.get(f"{W}id"): comment for comment in comments.iter(f"{W}comment")}
    for reference in list(body.iter(f"{W}commentReference")):
        comment = known.pop(reference.get(f"{W}id"), None)
        place = next((one for one in reference.iterancestors() if one.getparent() is body), None)
        text = text_of(comment) if comment is not None else ""
        if comment is not None and place is not None and text:
            said = etree.Element(f"{W}p")
            said.append(_run(f"Comment by {comment.get(f'{W}author') or 'a reader'}: {text}"))
            place.addnext(said)


def _put_margins(body: etree._Element, packed: zipfile.ZipFile, name: str) -> None:
    """Write the headers before and the footers behind the first section that shows them."""
    named = relations(packed, name)
    seen: set[str] = set()
    start = 0
    for block in list(body):
        section = block if block.tag == f"{W}sectPr" else next(block.iter(f"{W}sectPr"), None)
        if section is None:
            continue
        for kind in ("headerReference", "footerReference"):
            at = start if kind == "headerReference" else body.index(block) + (block is not section)
            for part in _margins(section, kind, packed, named, seen):
                for child in part:
                    body.insert(at, child)
                    at += 1
        start = body.index(block) + 1


def _margins(
    section: etree._Element, kind: str, packed: zipfile.ZipFile, named: dict[str, Relation], seen: set[str]
) -> Iterator[list[etree._Element]]:
    """Yield what stands in each header or footer of a section with words that no section before had."""
    has_first = section.find(f"{W}titlePg") is not None
    for reference in section.iter(f"{W}{kind}"):
        relation = named.get(reference.get(f"{_R}id") or "")
        if relation is None or (reference.get(f"{W}type") == "first" and not has_first):
            continue
        part = read_xml(read_entry(packed, relation.target))
        shown = [block for block in part if not _only_numbers_pages(block)]
        words = " ".join(map(text_of, shown)).strip()
        if not words or words in seen:
            continue
        seen.add(words)
        for block in shown:  # these name parts that belong to the header, not to the body
            etree.strip_attributes(block, f"{_R}*")
        yield shown


def _only_numbers_pages(block: etree._Element) -> bool:
    stated = [*(one.text or "" for one in block.iter(f"{W}instrText"))]
    stated += [one.get(f"{W}instr") or "" for one in block.iter(f"{W}fldSimple")]
    fields = {word for field_ in stated for word in field_.split()[:1]}
    words = [word for word in text_of(block).split() if any(map(str.isalpha, word))]
    return bool(fields & _PAGE_NUMBERS) and len(words) <= 2


def _packed_with(packed: zipfile.ZipFile, name: str, content: bytes) -> bytes:
    """Pack the document anew, with ``content`` as the part ``name`` and without pictures."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as new:
        for entry in packed.namelist():
            if not entry.startswith(("word/media/", "word/embeddings/", "word/fonts/")):
                new.writestr(entry, content if entry == name else read_entry(packed, entry))
    return file.getvalue()


_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
"""


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text; return the title in the properties, or else the first heading."""
    with open_zip(content) as packed:
        stated, file = stated_title(packed, writer), whole_body(packed, writer)
    without_pictures = mammoth.images.img_element(lambda image: {"src": ""})
    converted = mammoth.convert_to_html(io.BytesIO(file), style_map=_STYLES, convert_image=without_pictures)
    if converted.value.strip():
        root = parse(converted.value)
        for link in list(root.iter("a")):
            if (link.get("href") or "").startswith(("#footnote-ref", "#endnote-ref")):
                link.drop_tree()  # the arrow back
        write(blocks_of(root, numbers_items=False), writer)
    return title_of(stated, writer)
