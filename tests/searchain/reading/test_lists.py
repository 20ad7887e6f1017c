"""Enumerations are taken whole where several things are asked for; spans stay within a cell of a table."""

import pytest

from searchain.reading.lists import short, whole, within_cell, within_sentence
from searchain.types import Passage, Reading, Span
from tests.support.fakes import read_in

SWITZERLAND = Passage(
    "s",
    "Switzerland",
    "It is bordered by Italy to the south, France to the west, Germany to the north, and Austria and Liechtenstein to "
    "the east. Zurich is its largest city.",
)
BRASS = Passage("b", "Brass", "Brass is an alloy of copper and zinc, in proportions which can be varied.")


@pytest.mark.parametrize("answer", ["Italy", "Germany to the north", "Austria", "Liechtenstein"])
def test_every_item_leads_to_the_whole_enumeration(answer):
    found = whole("what countries border switzerland", SWITZERLAND, read_in(SWITZERLAND, answer, 1.0))
    assert found.answer == SWITZERLAND.text[found.span.start : found.span.end]
    assert short("what countries border switzerland", found.answer) == (
        "Italy, France, Germany, and Austria and Liechtenstein"
    )


@pytest.mark.parametrize(
    ("question", "passage", "answer", "expected"),
    [
        ("brass is an alloy of what 2 metals", BRASS, "zinc", "copper and zinc"),
        ("what metal is in brass", BRASS, "zinc", "zinc"),
        ("Which country borders Switzerland to the south?", SWITZERLAND, "Italy", "Italy"),
        ("what cities are in switzerland", SWITZERLAND, "Zurich", "Zurich"),
    ],
)
def test_one_thing_stays_one_thing(question, passage, answer, expected):
    assert whole(question, passage, read_in(passage, answer, 1.0)).answer == expected


TEXT = "Staff\nName: Carla Benedetti; Room: C03; Extension: 4415\nNote: rooms vary; ask first.\nIt began: 1990; ended."


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


BRING = "Bring these:\n- a rain jacket\n- two towels\n- soap.\nThe bus leaves at 8:15."


@pytest.mark.parametrize(
    ("body", "read", "question", "answer"),
    [
        (BRING, "two towels", "What things are needed?", "a rain jacket; two towels; soap"),
        (BRING, "a rain jacket\n- two towels", "What must we bring?", "a rain jacket; two towels; soap"),
        (BRING, "two towels", "What must we bring?", "two towels"),
        ("Name: Mr Kohl; Group: Gulls; Phone: 12", "Mr Kohl", "Which teacher leads the Gulls?", "Mr Kohl"),
    ],
)
def test_all_lines_of_a_list_are_the_answer_and_never_two_cells(body, read, question, answer):
    at = body.index(read)
    assert whole(question, Passage("", "", body), Reading(read, Span(at, at + len(read)), 1.0)).answer == answer


def test_a_span_ends_with_its_sentence_but_goes_on_in_a_list():
    at, end = BRING.index("a rain"), BRING.index("soap")
    assert within_sentence(BRING, Span(at, end)) == Span(at, end)
    body = "Check-in is from 14:00. On the day of departure you leave by 11."
    assert within_sentence(body, Span(17, 46)) == Span(17, 22)
