"""Small files of the office kinds, as their programs write them."""

from collections.abc import Mapping, Sequence

from tests.support.hostile_files import RELATIONSHIPS, packed

_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_ODF = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"), ("style", "style"),
        ("fo", "xsl-fo-compatible"), ("presentation", "presentation"), ("manifest", "manifest"),
    )
)  # fmt: skip


def links(found: Sequence[tuple[str, str]]) -> str:
    """The parts that a part names, as (kind, target); the first has the id ``r1``."""
    named = "".join(
        f'<Relationship Id="r{n}" Type="{_LINKS}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(found, 1)
    )
    return RELATIONSHIPS.format(named)


def xlsx(
    sheets: Mapping[str, str], *, styles: str = "", before: str = "", parts: Mapping[str, tuple[str, str]] | None = None
) -> bytes:
    """A workbook.

    Args:
        sheets: name → what stands inside ``worksheet``; a name that begins with ``.`` is hidden.
        before: what stands between the first line of the XML of a sheet and its root.
        parts: kind → the name and the content of a part of the first sheet.
    """
    others = parts or {}
    named = "".join(
        f'<sheet name="{name.strip(".")}" r:id="r{n}" state="{"hidden" if name[0] == "." else "visible"}"/>'
        for n, name in enumerate(sheets, 1)
    )
    entries = {
        "_rels/.rels": links([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_LINKS}"><sheets>{named}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": links(
            [("worksheet", f"worksheets/s{n}.xml") for n in range(1, len(sheets) + 1)] + [("styles", "styles.xml")]
        ),
        "xl/styles.xml": f'<styleSheet xmlns="{_SHEET}">{styles}</styleSheet>',
        "xl/worksheets/_rels/s1.xml.rels": links([(kind, f"../{name}") for kind, (name, _) in others.items()]),
        **{f"xl/{name}": content for name, content in others.values()},
    }
    for n, body in enumerate(sheets.values(), 1):
        entries[f"xl/worksheets/s{n}.xml"] = (
            f'<?xml version="1.0"?>{before}<worksheet xmlns="{_SHEET}">{body}</worksheet>'
        )
    return packed(entries)


def cells(*rows: Sequence[str | float | None], style: Mapping[str, int] | None = None) -> str:
    """``sheetData`` of rows; ``None`` is a blank cell, ``style`` gives the number of a style by a cell's name."""
    found = ""
    for number, row in enumerate(rows, 1):
        found += f'<row r="{number}">'
        for column, value in zip("ABCDEFGHIJ", row, strict=False):
            name = f"{column}{number}"
            look = f' s="{style[name]}"' if style and name in style else ""
            if isinstance(value, str):
                found += f'<c r="{name}"{look} t="inlineStr"><is><t>{value}</t></is></c>'
            elif value is not None:
                found += f'<c r="{name}"{look}><v>{value}</v></c>'
        found += "</row>"
    return f"<sheetData>{found}</sheetData>"


def pptx(*slides: str, parts: Mapping[str, tuple[str, str]] | None = None) -> bytes:
    """A presentation of slides, each what stands inside ``p:spTree``; ``parts`` are those of the first slide."""
    others = parts or {}
    names = f'xmlns:p="{_SLIDE}" xmlns:a="{_DRAWING}" xmlns:r="{_LINKS}"'
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="r{n}"/>' for n in range(1, len(slides) + 1))
    entries = {
        "_rels/.rels": links([("officeDocument", "ppt/presentation.xml")]),
        "ppt/presentation.xml": f"<p:presentation {names}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": links([("slide", f"slides/s{n}.xml") for n in range(1, len(slides) + 1)]),
        "ppt/slides/_rels/s1.xml.rels": links([(kind, f"../{name}") for kind, (name, _) in others.items()]),
    }
    for name, content in others.values():
        entries[f"ppt/{name}"] = content.replace("NAMES", names)
    for n, body in enumerate(slides, 1):
        entries[f"ppt/slides/s{n}.xml"] = f"<p:sld {names}><p:cSld><p:spTree>{body}</p:spTree></p:cSld></p:sld>"
    return packed(entries)


def shape(*paragraphs: str, role: str = "", levels: Sequence[int] = ()) -> str:
    """A shape of a slide; ``role`` is that of a placeholder."""
    place = f'<p:ph type="{role}"/>' if role else ""
    words = "".join(
        f'<a:p><a:pPr lvl="{levels[n] if levels else 0}"/><a:r><a:t>{text}</a:t></a:r></a:p>'
        for n, text in enumerate(paragraphs)
    )
    return f"<p:sp><p:nvSpPr><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:txBody>{words}</p:txBody></p:sp>"


def odf(kind: str, body: str, *, styles: str = "", manifest: str = "", before: str = "") -> bytes:
    """An OpenDocument file; ``kind`` is ``text``, ``spreadsheet`` or ``presentation``."""
    root = f'office:document-content {_ODF} xmlns:dc="http://purl.org/dc/elements/1.1/"'
    content = (
        f"<office:automatic-styles>{styles}</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}>"
    )
    return packed(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f'<?xml version="1.0"?>{before}<{root}>{content}</office:body></office:document-content>',
            "META-INF/manifest.xml": f"<manifest:manifest {_ODF}>{manifest}</manifest:manifest>",
        }
    )
