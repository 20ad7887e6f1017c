"""PDF files: the text in reading order, and marks on the words that were asked for."""

from collections import Counter

import pytest

from searchain.documents import ParsedDocument
from tests.support.document_set import generated_set
from tests.support.parsed_files import blocks, parsed
from tests.support.pdf_files import Sheet, Text, pdf
from tests.support.span_round_trip import round_trips

FILES = {made.name: made for made in generated_set()}


def drawn(*sheets: Sheet, **more) -> ParsedDocument:
    return parsed("file.pdf", pdf(sheets, **more))


@pytest.mark.parametrize("name", FILES)
def test_the_boxes_of_a_span_hold_its_words_and_no_others(name: str):
    tried = list(round_trips(FILES[name], 20))
    assert Counter(one.state for one in tried)["right"] >= 0.97 * len(tried), [t for t in tried if t.state != "right"]
    assert [one for one in tried if one.state == "wrong"] == []


@pytest.mark.parametrize("name", [name for name in FILES if name not in ("hebrew", "arabic", "table")])
def test_the_text_is_what_was_drawn_in_order(name: str):
    made = FILES[name]
    document = parsed(f"{name}.pdf", made.content)
    letters = "".join(c for c in document.text if c.isalnum())
    drawn = "".join(g.character.replace("ﬁ", "fi").replace("ﬂ", "fl") for g in made.glyphs if g.character.isalnum())
    if name == "plain":  # running heads and page numbers
        assert "Report" not in document.text
        return
    if name == "columns_by_row":  # drawn line by line, read column by column
        assert sorted(letters) == sorted(drawn)
        return
    assert letters == drawn


def test_headings_lists_tables_and_hyphens():
    document = drawn(
        Sheet(
            [
                Text(72, 740, "Rivers of Europe", 20), Text(72, 710, "1. Lengths", 14, bold=True),
                Text(72, 690, "Rivers are measured from the source to the mouth, which is diffi-"),
                Text(72, 677, "cult in a well-known delta. A word of a well-"),
                Text(72, 664, "known kind keeps its hyphen."), Text(72, 640, "• The Danube is long."),
                Text(72, 627, "• The Rhine is shorter."), Text(72, 600, "River"), Text(250, 600, "Length"),
                Text(72, 587, "Danube"), Text(250, 587, "2850 km"), Text(72, 574, "Rhine"), Text(250, 574, "1230 km"),
            ]
        ),
        Sheet([Text(72, 700, "The next page speaks of lakes.")]), title="untitled",
        labels="[0 << /S /r >> 1 << /S /D >>]",
    )  # fmt: skip
    assert blocks(document) == [
        ("heading", "Rivers of Europe"), ("heading", "1. Lengths"),
        (
            "paragraph",
            "Rivers are measured from the source to the mouth, which is difficult in a well-known delta. "
            "A word of a well-known kind keeps its hyphen.",
        ),
        ("list_item", "• The Danube is long."), ("list_item", "• The Rhine is shorter."),
        ("table_row", "River | Length"), ("table_row", "River: Danube; Length: 2850 km"),
        ("table_row", "River: Rhine; Length: 1230 km"), ("paragraph", "The next page speaks of lakes."),
    ]  # fmt: skip
    assert document.title == "Rivers of Europe"
    assert document.blocks[3].headings == ("Rivers of Europe", "1. Lengths")
    assert [page.label for page in document.pages] == ["i", "1"]
    assert [document.page_of(block.start) for block in document.blocks][-2:] == [1, 2]


def test_running_heads_and_page_numbers_go_from_a_short_file_too():
    def sheet(page: int, text: str) -> Sheet:
        head = [Text(72, 740, "Manual of the pump", 8), Text(72, 60, "Printed in Eskerby"), Text(300, 40, str(page))]
        return Sheet([*head, Text(72, 700, text), Text(72, 686, "It goes on with a second line.")])

    document = drawn(sheet(1, "The valve opens at a pressure of 8 bar."), sheet(2, "The seal is made of rubber."))
    assert "Manual" not in document.text
    assert not any(character in document.text for character in "12")
    assert document.text.count("Printed in Eskerby") == 2  # as large as the text: it may be part of it


def test_what_is_stored_in_another_format_is_not_read():
    document = parsed("columns.pdf", FILES["columns"].content)
    with pytest.raises(ValueError, match="another format"):
        ParsedDocument.from_json(document.to_json().replace('"format":1', '"format":0', 1))
