"""The names of places in originals without pages: a cell, a slide, a message."""

import pytest

from searchain.documents.parsed import BlockKind, ParsedDocument
from searchain.documents.tables import Cell, lines_of
from searchain.documents.writer import Writer
from ui.show.terminal import where_in_document


def document(writer: Writer) -> ParsedDocument:
    labels, blocks = tuple(writer.labels), tuple(writer.blocks)
    found = ParsedDocument("a.xlsx", "docx", "0" * 64, 1, "", "", writer.text, blocks, labels=labels)
    assert ParsedDocument.from_json(found.to_json()) == found
    return found


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("Costs!B4",), "Costs!B4"),
        (("Costs!B4", "Costs!C4", "Costs!D4:D6"), "Costs!B4:D6"),
        (("Costs!B4", "Rates!A1"), "Costs!B4 – Rates!A1"),
        (("slide 3", "slide 12"), "slide 3–12"),
        (("message 1", "attachment"), "message 1 – attachment"),
        ((), None),
    ],
)
def test_words_are_called_by_all_labels_that_they_span(labels: tuple[str, ...], expected: str | None):
    writer = Writer()
    for label in labels:
        writer.label(label)
        writer.put("word ")
    assert document(writer).label_of(2, max(3, writer.length)) == expected


def test_each_cell_of_a_row_has_its_label():
    writer = Writer()
    table = [
        [Cell("River", is_name=True, label="A!A1"), Cell("Length", is_name=True, label="A!B1")],
        [Cell("Seine", label="A!A2"), Cell("777 km", label="A!B2:B3", rows=2)],
        [Cell("Marne", label="A!A3")],
    ]
    for line in lines_of(table):
        writer.put_block(BlockKind.TABLE_ROW, line.text, added=line.added, labels=line.labels)
    found = document(writer)
    assert found.text == "River | Length\nRiver: Seine; Length: 777 km\nRiver: Marne; Length: 777 km"
    for words, label in (("Seine", "A!A2"), ("777 km", "A!B2:B3"), ("Marne", "A!A3"), ("Seine; Length", "A!A2:B3")):
        start = found.text.index(words)
        assert found.label_of(start, start + len(words)) == label
    last = found.text.rindex("777 km")
    assert found.label_of(last, last + 6) == "A!B2:B3"
    assert where_in_document({"name": "a.xlsx", "regions": [], "page_label": "A!B2"}) == "(a.xlsx, A!B2)"
