"""Workbooks, presentations, OpenDocument and RTF files: their words, and what people call each place in them."""

from collections.abc import Sequence

import pytest

from searchain.documents.sheets import MAX_CELLS, shown
from searchain.errors import DocumentRefused
from tests.support.hostile_files import docx, paragraph
from tests.support.json_lines import DATA
from tests.support.office_files import cells, odf, pptx, shape, xlsx
from tests.support.parsed_files import parsed

FORMATS, NOTES, CHART, ODS, ODT, BOLD = (
    (DATA / f"office/{name}.xml").read_text(encoding="utf-8")
    for name in ("formats", "notes", "chart", "ods", "odt", "bold")
)
RTF = (DATA / "office/mill.rtf").read_bytes()
COSTS = (
    cells(
        ("Costs of 2026",), ("Item", "From", "Cost", "Share"), ("Rent", 46082, 1450, 0.725),
        ("Heat", None, 550.5, 0.275), (), ("Key", "Holder", None, "Room", "Seats"), ("K1", "Ann", None, "Elm", 12),
        style={"A2": 1, "B2": 1, "C2": 1, "D2": 1, "B3": 3, "C3": 2, "C4": 2, "D3": 4, "D4": 4},
    )
    + '<mergeCells count="1"><mergeCell ref="B3:B4"/></mergeCells>'
)  # fmt: skip
DRAWING = '<d xmlns:x="a"><x:pic/><x:graphicFrame/><x:graphicFrame/></d>'
TABLE = (
    '<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/>{}</a:tbl></p:graphicFrame><p:pic/>'
    '<p:grpSp>{}</p:grpSp><p:graphicFrame><c:chart xmlns:c="c" r:id="r2"/></p:graphicFrame>'
)
ROWS = "".join(
    "<a:tr>"
    + "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>" for text in row)
    + "</a:tr>"
    for row in (("Who", "Where"), ("Bo", "Rome"))
)
WORDS = {
    "costs.xlsx": (
        xlsx(
            {"Costs": COSTS, ".Old": cells(("gone",)) + "<f/>"},
            styles=FORMATS,
            parts={"comments": ("comments.xml", NOTES), "drawing": ("drawing.xml", DRAWING)},
        ),
        "Costs|Costs\nCosts of 2026|Costs!A1\nItem | From | Cost | Share|Costs!A2:D2\n"
        "Item: Rent; From: 2026-03-01; Cost: € 1,450.00; Share: 72.50%|Costs!A3:D3\n"
        "Item: Heat; From: 2026-03-01; Cost: € 550.50; Share: 27.50%|Costs!A4:D4\n"
        "Key | Holder|Costs!A6:B6\nK1 | Ann|Costs!A7:B7\nRoom | Seats|Costs!D6:E6\nElm | 12|Costs!D7:E7\n"
        "Comment by Ann on C3: too high|Costs!C3\nOld (hidden)|Old\ngone|Old!A1",
        "Not read: 1 picture, 2 charts.",
    ),
    "talk.pptx": (
        pptx(
            shape("See you", role="sldNum") + shape("One", "Two", role="body", levels=(0, 1)) + shape("Plan", role="title"),
            TABLE.format(ROWS, shape("In a group")),
            parts={"notesSlide": ("n.xml", f"<p:notes NAMES>{shape('Smile.', role='body')}</p:notes>")},
        ),
        "Plan|slide 1\n- One|slide 1\n- Two|slide 1\nNotes: Smile.|slide 1\nWho | Where|slide 2\n"
        "Who: Bo; Where: Rome|slide 2\nIn a group|slide 2",
        "Not read: 1 picture.",
    ),
    "chart.pptx": (
        pptx('<p:graphicFrame><c:chart xmlns:c="c" r:id="r1"/></p:graphicFrame>', parts={"chart": ("c.xml", CHART)}),
        "Sales|slide 1\nMay; Oslo: 25%|slide 1", None),
    "rates.ods": (
        odf("spreadsheet", ODS, styles=BOLD),
        "Rates|Rates\nRoom | Rate|Rates!A1:B1\nRoom: Elm; Rate: 97 €|Rates!A2:B2\nComment by Ann on B2: Ask Bo.|Rates!B2",
        None,
    ),
    "lease.odt": (
        odf("text", ODT, styles=BOLD),
        "The lease\nIt ends[1].\nComment by Ann: When?\na) Rent\n- Cold\nb) Heat\nPool | Monday | Tuesday\n"
        "Pool: Indoor; Monday, Tuesday: closed\n1. In May.",
        None,
    ),
    "talk.odp": (
        odf(
            "presentation",
            '<draw:page><draw:frame><draw:text-box><text:p>Words</text:p></draw:text-box></draw:frame><draw:frame '
            'presentation:class="title"><draw:text-box><text:p>Plan</text:p></draw:text-box></draw:frame><draw:frame>'
            "<draw:image/></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>Smile.</text:p>"
            "</draw:text-box></draw:frame></presentation:notes></draw:page>",
        ),
        "Plan|slide 1\nWords|slide 1\nNotes: Smile.|slide 1", "Not read: 1 picture.",
    ),
    "mill.rtf": (RTF, "Lease\nIt costs €1 from März, Дом.\n- Keys\nRoom | Rate\nRoom: Elm; Rate: 9\nRate: 8\n😀",
        "Not read: 1 picture, 1 note, 1 comment, 1 header, 1 footer."),
}  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
def test_words_and_places(name: str):
    content, expected, unread = WORDS[name]
    document = parsed(name, content)
    found = [(document.text[one.start : one.end], document.label_of(one.start, one.end)) for one in document.blocks]
    assert "\n".join("|".join(filter(None, line)) for line in found) == expected
    assert document.unread == unread
    assert all(block.anchor for block in document.blocks)


def test_a_cited_value_is_called_by_its_cell():
    document = parsed("costs.xlsx", WORDS["costs.xlsx"][0])
    for words, label in (("€ 550.50", "Costs!C4"), ("2026-03-01", "Costs!B3:B4"), ("12", "Costs!E7")):
        start = document.text.rindex(words)
        assert document.label_of(start, start + len(words)) == label


def test_a_merged_cell_above_moves_no_cell_below_it():
    sheet = cells(("Item", "Cost"), ("Rent", 1450), ("Both",), ("Heat", 550))
    merged = '<mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells>'
    assert parsed("a.xlsx", xlsx({"A": sheet + merged})).text.endswith("Rent | 1450\nBoth\nHeat | 550")


Sheet = Sequence[tuple[str | float | None, ...]]
DRINKS: Sheet = [("Tea", 2, 1.5, "hot"), ("Milk", 3, 2.5, "cold"), ("Total", 5, 4, None)]
"""The last three rows of each sheet below."""
PRICED, UNNAMED = ("Drink", "Price", None, "Served"), "Milk | 3 | 2.5 | cold"
ANEW = "Drink: Milk; one: 3; ten: 2.5; Served: cold"
NAMED: dict[str, tuple[Sheet, tuple[str, ...], str]] = {
    "names of several columns, and one merged downwards": (
        [("Drink", "Price", None, "Served"), (None, "1-24", "25+", None)], ("B1:C1", "D1:D2"),
        "Drink: Milk; Price 1-24: 3; Price 25+: 2.5; Served: cold"),
    "years below a name": ([("Drink", "Sold in", None, "Served"), (None, 2024, 2025, None)],
        ("A1:A2", "B1:C1", "D1:D2"), "Drink: Milk; Sold in 2024: 3; Sold in 2025: 2.5; Served: cold"),
    "three rows": ([("Drink", "Price", None, None), (None, "net", None, "other"), (None, "one", "ten", "note")],
        ("A1:A3", "B1:D1", "B2:C2"), "Drink: Milk; Price net one: 3; Price net ten: 2.5; Price other note: cold"),
    "a name of some columns above a row that begins anew": (
        [("Drinks of 2025",), (None, "Price", None, None), ("Drink", "one", "ten", "Served")], ("A1:D1", "B2:C2"),
        ANEW),
    "a title above some columns": ([("Drinks", None, None, None), ("Drink", "one", "ten", "Served")], ("A1:C1",), ANEW),
    "one row of names above a row of words": ([PRICED, ("Beer", "closed", "sold out", "cold")], ("B1:C1",), UNNAMED),
    "the same word twice below a name": ([PRICED, (None, "none", "none", "cold")], ("B1:C1",), UNNAMED),
    "a merged cell that reaches into the rows": ([PRICED, (None, "one", "ten", None)], ("B1:C1", "D1:D3"), UNNAMED),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
@pytest.mark.parametrize("what", NAMED)
def test_names_of_several_columns_stand_before_their_own(what: str, kind: str):
    heads, merged, expected = NAMED[what]
    rows = [*heads, *DRINKS]
    ranges = "".join(f'<mergeCell ref="{one}"/>' for one in merged)
    workbook = xlsx({"A": cells(*rows) + f"<mergeCells>{ranges}</mergeCells>"})
    text = parsed(f"a.{kind}", workbook if kind == "xlsx" else odf("spreadsheet", _ods_table(rows, merged))).text
    assert text.split("\n")[-2] == expected
    assert not text.split("\n")[-1].startswith("Tea"), "the total is a row, too"


def _ods_table(rows: Sequence[Sequence[str | float | None]], merged: Sequence[str]) -> str:
    spans = {
        first: (ord(last[0]) - ord(first[0]) + 1, int(last[1]) - int(first[1]) + 1)
        for first, _, last in (one.partition(":") for one in merged)
    }
    found = ""
    for number, row in enumerate(rows, 1):
        found += "<table:table-row>"
        for column, value in zip("ABCD", row, strict=False):
            across, down = spans.get(f"{column}{number}", (1, 1))
            kind = "string" if isinstance(value, str) else "float"
            found += (
                f'<table:table-cell office:value-type="{kind}" table:number-columns-spanned="{across}" '
                f'table:number-rows-spanned="{down}"><text:p>{value}</text:p></table:table-cell>'
                if value is not None
                else "<table:covered-table-cell/>"
            )
        found += "</table:table-row>"
    return f'<table:table table:name="A">{found}</table:table>'


@pytest.mark.parametrize(("value", "code", "expected"), [
    (1234.5, '"$"#,##0.00', "$1,234.50"), (-9.03, "#,##0.00;[Red](#,##0.00)", "(9.03)"),
    (0, '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-', "-"), (1234567, '0.0,,"M"', "1.2M"),
    (0.000123, "0.00E+00", "1.23E-04"), (45415.75, "d/m/yyyy h:mm AM/PM", "3/5/2024 6:00 PM"),
    (1.5, "[h]:mm:ss", "36:00:00"), (0.1 + 0.2, "General", "0.3"), (7, "000", "007"), (3.5, "# ?/?", "3.5"),
    (1e300, "yyyy", "1e+300"),
])  # fmt: skip
def test_numbers_are_written_as_the_sheet_shows_them(value: float, code: str, expected: str):
    assert shown(value, code) == expected


LAUGHS = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
REPEATED = (
    '<table:table><table:table-row table:number-rows-repeated="1000"><table:table-cell '
    'table:number-columns-repeated="10000"><text:p>x</text:p></table:table-cell></table:table-row></table:table>'
)
HARMFUL = {
    "a workbook that unpacks to 300 times its size": (
        "a.xlsx", xlsx({"A": "<sheetData>" + '<row><c t="inlineStr"><is><t>Words</t></is></c></row>' * 300_000}), "too_large", "as zip bombs do",
    ),
    "ten million repeated cells": ("a.ods", odf("spreadsheet", REPEATED), "too_large", f"more than {MAX_CELLS:,} cells"),
    "entities": ("a.xlsx", xlsx({"A": cells(("&b;",))}, before=LAUGHS), "no_text", "holds no text"),
    "entities in a text": ("a.odt", odf("text", "<text:p>&b;</text:p>", before=LAUGHS), "no_text", "holds no text"),
    "100,000 groups in one another": ("a.rtf", rb"{\rtf1 " + b"{" * 100_000, "no_text", "holds no text"),
    "a Word document by another name": ("a.pptx", docx(paragraph("Words")), "failed", "the bytes are a Word document"),
    "a presentation by another name": ("a.docx", pptx(shape("a")), "failed", "the bytes are a PowerPoint presentation"),
    "an RTF text by another name": ("a.txt", RTF, "failed", "the bytes are an RTF text"),
    "a workbook with a password": ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64), "encrypted", "save it as .xlsx"),
    "an OpenDocument text with a password": (
        "a.odt", odf("text", "", manifest="<manifest:encryption-data/>"), "encrypted", "has a password",
    ),
    "an old workbook": ("a.xls", b"x", "failed", "save it as .xlsx"),
}  # fmt: skip


@pytest.mark.parametrize("what", HARMFUL)
def test_a_harmful_file_is_refused_with_a_sentence(what: str):
    name, content, state, reason = HARMFUL[what]
    with pytest.raises(DocumentRefused) as refused:
        parsed(name, content)
    assert (refused.value.state, reason in refused.value.reason) == (state, True), refused.value.reason
