"""Enumerations are taken whole where several things are asked for."""

import pytest

from searchain.reading.lists import enumerated, short, whole
from searchain.types import Hit, Passage, Reading, Span

SWITZERLAND = Passage(
    "s",
    "Switzerland",
    "It is bordered by Italy to the south, France to the west, Germany to the north, and Austria and Liechtenstein to "
    "the east. Zurich is its largest city.",
)
BRASS = Passage("b", "Brass", "Brass is an alloy of copper and zinc, in proportions which can be varied.")


def read(passage, answer):
    start = passage.text.index(answer)
    return Reading(answer, Span(start, start + len(answer)), 1.0)


@pytest.mark.parametrize("answer", ["Italy", "Germany to the north", "Austria", "Liechtenstein"])
def test_every_item_leads_to_the_whole_enumeration(answer):
    found = whole("what countries border switzerland", SWITZERLAND, read(SWITZERLAND, answer))
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
    assert whole(question, passage, read(passage, answer)).answer == expected


def test_no_answer_stays_none():
    none = Reading("", None, -3.0)
    assert whole("what countries border switzerland", SWITZERLAND, none) is none


def test_the_likeliest_enumeration_is_taken_whole():
    swiss, brass = read(SWITZERLAND, "Zurich"), read(BRASS, "zinc")
    hits = [Hit(SWITZERLAND, 2.0, 1), Hit(BRASS, 1.0, 2)]
    asked = "what metals is brass made of"
    found = enumerated(asked, hits, [swiss, brass])
    assert found is not None
    assert (found[0], found[1].answer) == (hits[1], "copper and zinc")
    assert enumerated(asked, hits[:1], [swiss]) is None
    assert enumerated(asked, hits[:1], [Reading("", None, -5.0)]) is None


def test_what_is_asked_about_is_not_one_of_the_things():
    war = Passage("w", "The war", "The war was fought between the Allies and the Central Powers.")
    asked = "who were the central powers in the war"
    assert whole(asked, war, read(war, "Allies")).answer == "Allies"
    assert enumerated(asked, [Hit(war, 1.0, 1)], [read(war, "Allies")]) is None
