"""What stands in a Word file beside its body: headers, footers, comments, notes, numbers, and what is not read."""

from tests.support.hostile_files import docx, paragraph
from tests.support.parsed_files import blocks, parsed

RELATION = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
SECTION = f"<w:sectPr {RELATION}>{{}}</w:sectPr>"
SHOWN = (
    '<w:headerReference w:type="default" r:id="header"/><w:footerReference w:type="default" r:id="footer"/>'
    '<w:headerReference w:type="first" r:id="first"/>'
)


def texts(content: bytes) -> list[str]:
    return [text for _, text in blocks(parsed("a.docx", content))]


def test_headers_and_footers_stand_around_the_body_once():
    end = f"<w:p><w:pPr>{SECTION.format(SHOWN)}</w:pPr></w:p>"
    page = '<w:p><w:r><w:t>Page </w:t></w:r><w:fldSimple w:instr=" PAGE "><w:r><w:t>7</w:t></w:r></w:fldSimple></w:p>'
    link = f'<w:p><w:hyperlink {RELATION} r:id="r9"><w:r><w:t>Contract KX-4471</w:t></w:r></w:hyperlink></w:p>'
    content = docx(
        paragraph("The price is 18,400 euros.") + end + paragraph("Two lifts.") + SECTION.format(SHOWN),
        parts={
            "header": f"<w:hdr>{link}</w:hdr>",
            "footer": f"<w:ftr>{paragraph('Valid until 2031')}{page}</w:ftr>",
            "first": f"<w:hdr>{paragraph('No page has this')}</w:hdr>",
        },
    )
    assert texts(content) == ["Contract KX-4471", "The price is 18,400 euros.", "Valid until 2031", "Two lifts."]


def test_a_comment_stands_below_what_it_is_about_with_its_author():
    about = '<w:p><w:r><w:t>The price is 18,400 euros.</w:t></w:r><w:r><w:commentReference w:id="{}"/></w:r></w:p>'
    cell = f"<w:tbl><w:tr><w:tc>{about.format(1)}</w:tc><w:tc>{paragraph('Net')}</w:tc></w:tr></w:tbl>"
    comment = '<w:comment w:id="{}" w:author="Legal">{}{}</w:comment>'
    comments = comment.format(0, paragraph("Lowered"), paragraph("to 17,900 euros.")) + comment.format(
        1, paragraph("Check."), ""
    )
    content = docx(
        about.format(0) + cell + paragraph("End."), parts={"comments": f"<w:comments>{comments}</w:comments>"}
    )
    assert texts(content) == [
        "The price is 18,400 euros.",
        "Comment by Legal: Lowered to 17,900 euros.",
        "The price is 18,400 euros. | Net",
        "Comment by Legal: Check.",
        "End.",
    ]


def test_a_footnote_keeps_its_number_and_has_no_arrow():
    reference = '<w:p><w:r><w:t>It rains.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    notes = f'<w:footnotes><w:footnote w:id="2">{paragraph("In May.")}</w:footnote></w:footnotes>'
    assert texts(docx(reference, parts={"footnotes": notes})) == ["It rains.[1]", "1. In May."]


LEVEL = '<w:lvl w:ilvl="{}"><w:start w:val="{}"/><w:numFmt w:val="{}"/>{}<w:lvlText w:val="{}"/></w:lvl>'


def numbered(text: str, number: int, level: int) -> str:
    properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_headings_and_items_bear_the_numbers_that_word_shows():
    levels = (
        LEVEL.format(0, 1, "upperRoman", '<w:pStyle w:val="Heading1"/>', "Article %1"),
        LEVEL.format(1, 1, "decimal", "", "%1.%2"),
    )
    items = LEVEL.format(0, 3, "lowerLetter", "", "(%1)"), LEVEL.format(1, 1, "bullet", "", "•")
    numbering = "".join(
        f'<w:abstractNum w:abstractNumId="{n}">{"".join(found)}</w:abstractNum>'
        for n, found in enumerate((levels, items))
    )
    again = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    for number, of, more in ((1, 0, ""), (2, 1, ""), (3, 1, again)):
        numbering += f'<w:num w:numId="{number}"><w:abstractNumId w:val="{of}"/>{more}</w:num>'
    style = '<w:style w:type="paragraph" w:styleId="{}"><w:name w:val="{}"/>{}</w:style>'
    styles = style.format("Base", "Base", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>') + style.format(
        "Heading1", "heading 1", '<w:basedOn w:val="Base"/>'
    )
    content = docx(
        paragraph("Scope &lt;b&gt;", "Heading1")
        + numbered("Lifts", 1, 1)
        + paragraph("Term", "Heading1")
        + numbered("Years", 1, 1)
        + numbered("red", 2, 0)
        + numbered("dot", 2, 1)
        + numbered("blue", 2, 0)
        + numbered("anew", 3, 0),
        parts={"numbering": f"<w:numbering>{numbering}</w:numbering>", "styles": f"<w:styles>{styles}</w:styles>"},
    )
    assert blocks(parsed("a.docx", content))[0] == ("heading", "Article I Scope <b>")
    numbered_ones = "I.1 Lifts, Article II Term, II.1 Years, (c) red, - dot, (d) blue, (a) anew"
    assert ", ".join(texts(content)[1:]) == numbered_ones


def test_a_table_style_that_shows_a_header_names_the_columns():
    def table(style: str) -> str:
        rows = "".join(
            "<w:tr>" + "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in row) + "</w:tr>"
            for row in (("Who", "Where"), ("Ann", "Oslo"))
        )
        look = f'<w:tblStyle w:val="{style}"/><w:tblLook w:firstRow="1"/>'
        return f"<w:tbl><w:tblPr>{look}</w:tblPr>{rows}</w:tbl>"

    style = '<w:style w:type="table" w:styleId="Bold"><w:tblStylePr w:type="firstRow"/></w:style>'
    parts = {"styles": f"<w:styles>{style}</w:styles>"}
    assert texts(docx(table("Bold"), parts=parts)) == ["Who | Where", "Who: Ann; Where: Oslo"]
    assert texts(docx(table("Plain"), parts=parts)) == ["Who | Where", "Ann | Oslo"]


def test_what_is_not_read_is_said():
    formula = '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"/>'
    document = parsed("a.docx", docx(f"<w:p><w:r><w:t>It holds that</w:t></w:r>{formula}{formula}</w:p><w:object/>"))
    assert document.unread == "Not read: 2 formulas, 1 embedded object."
    assert parsed("a.docx", docx(paragraph("All of it."))).unread is None
