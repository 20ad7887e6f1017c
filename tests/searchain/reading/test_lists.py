"""Enumerations are taken whole where several things are asked for."""

import pytest

from searchain.reading.lists import short, whole
from searchain.types import Passage
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
