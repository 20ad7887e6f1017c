"""Spans in rows of tables."""

import pytest

from searchain.reading.lists import within_cell

TEXT = (
    "Staff\nName: Carla Benedetti; Room: C03; Extension: 4415\nNote: rooms change; ask first.\nIt began: 1990; ended."
)


@pytest.mark.parametrize(
    ("span", "kept"),
    [
        ("Room", "C03"),  # the name of a column stands for the cell
        ("Room: C03; Extension", "C03"),
        ("C03", "C03"),
        ("C03; Extension: 4415", "C03"),
        ("Benedetti", "Benedetti"),
        ("4415", "4415"),
        ("Staff", "Staff"),
        ("ask first", "ask first"),  # a sentence, not a row
        ("1990; ended", "1990; ended"),
    ],
)
def test_a_span_stays_within_one_cell_of_a_row(span, kept):
    start = TEXT.index(span)
    first, last = within_cell(TEXT, start, start + len(span))
    assert TEXT[first:last] == kept


def test_a_name_of_a_column_below_the_first_row_is_of_its_own_row():
    text = "Name: A; Room: 1\nName: B; Room: 2"
    start = text.rindex("Room")
    first, last = within_cell(text, start, start + 4)
    assert text[first:last] == "2"
