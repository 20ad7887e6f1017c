"""The names of places in originals without pages: a cell, a slide, a message."""

import pytest

from searchain.documents.parsed import ParsedDocument
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


def test_a_terminal_shows_the_label_in_the_place_of_a_page():
    assert where_in_document({"name": "a.xlsx", "regions": [], "page_label": "A!B2"}) == "(a.xlsx, A!B2)"
