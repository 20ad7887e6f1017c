"""Enumerations are taken whole where several things are asked for."""

import pytest

from searchain.reading.lists import enumerated, has_too_few, short, things_listed, whole
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


SWISS = Passage(
    "s",
    "Switzerland",
    "Switzerland, officially a confederation, lies in Central, Western, and Southern Europe. It borders Germany to the "
    "north, France to the west, Austria and Liechtenstein to the east, and Italy to the south.",
)
FLORIDA = Passage("f", "Florida", "Florida is a state. It is bordered by the Gulf of Mexico and the Atlantic Ocean.")
MATTER = Passage("m", "State of matter", "Four states of matter are seen: solid, liquid, gas, and plasma.")
LAKES = Passage("l", "Great Lakes", "They lie in North America. The five lakes are Superior, Michigan, Huron and Erie.")
PLANET = Passage(
    "p",
    "Planet",
    "A planet is in orbit around a star, stellar remnant, or brown dwarf. There are the terrestrial planets Mars and "
    "Earth, and the giant planets Jupiter, Saturn, and Uranus.",
)
CONTINENT = Passage(
    "c", "Continent", "A continent could be a part, as with Asia and Europe. These three are Asia, Africa, and Europe."
)
BAND = Passage("q", "The Quarrymen", "They were a band. It comprised John Lennon, Eric Griffiths and Rod Davis.")
NOTHING_READ = Reading("", None, -5.0)


@pytest.mark.parametrize(
    ("question", "passage", "answer"),
    [
        (
            "which countries border Switzerland",
            SWISS,
            "Germany to the north, France to the west, Austria and Liechtenstein to the east, and Italy to the south",
        ),
        ("what are the official languages of Switzerland", SWISS, None),  # no sentence speaks of languages
        ("which countries border Austria", SWISS, None),
        ("what 3 states border Florida", FLORIDA, None),  # two things are no three states
        ("what are the states of matter", MATTER, "solid, liquid, gas, and plasma"),
        ("list the planets", PLANET, "Mars and Earth, and the giant planets Jupiter, Saturn, and Uranus"),
        ("name the continents", CONTINENT, "Asia, Africa, and Europe"),
        ("list the quarrymen members", BAND, "John Lennon, Eric Griffiths and Rod Davis"),
        ("what are the three states of matter", MATTER, "solid, liquid, gas, and plasma"),
        ("list the great lakes", LAKES, "Superior, Michigan, Huron and Erie"),
    ],
)
def test_the_enumeration_that_a_question_asks_for(question, passage, answer):
    found = enumerated(question, [Hit(passage, 1.0, 1)], [NOTHING_READ])
    assert (found and found[1].answer) == answer
    if found:
        assert passage.text[found[1].span.start : found[1].span.end] == answer
        assert found[1].probability is None  # the Reader points elsewhere


COLORS = Passage(
    "c", "Primary color", "Primary colors are used in, e.g., electronic displays, printing, and paintings."
)
RGB = Passage("r", "RGB color model", "Its name is that of the three primary colors— red, green, and blue.")
GASES = Passage(
    "g",
    "Noble gas",
    "The noble gases are a group: neon (Ne), argon (Ar), krypton (Kr) and, in some cases, oganesson (Og).",
)
HELIUM = Passage("he", "Helium", "Helium is a colorless, odorless, inert gas and the first of the noble gases.")
GIANTS = Passage(
    "j", "Giant planet", "The Solar System has four planets of this kind: Jupiter, Saturn, Uranus, and Neptune."
)
WORLDS = Passage(
    "w",
    "Planet",
    "The Solar System has eight planets: the terrestrial planets Mercury, Venus, Earth, and Mars, and the giant planets "
    "Jupiter, Saturn, Uranus, and Neptune.",
)


@pytest.mark.parametrize(
    ("question", "passages", "answer"),
    [
        ("name the primary colors", (COLORS, RGB), "red, green, and blue"),
        ("what are the primary colors", (COLORS,), None),
        ("name the noble gases", (HELIUM, GASES), "neon (Ne), argon (Ar), krypton (Kr) and, in some cases, oganesson (Og)"),
        ("what are the planets in order", (GIANTS, WORLDS), "Mercury, Venus, Earth"),
        ("planets in our solar system", (GIANTS, WORLDS), "Mercury, Venus, Earth"),
        ("name all planets of the solar system", (GIANTS, WORLDS), "Mercury, Venus, Earth"),
    ],
)  # fmt: skip
def test_an_enumeration_is_of_the_things_that_are_asked_for(question, passages, answer):
    hits = [Hit(passage, 1.0, rank) for rank, passage in enumerate(passages, start=1)]
    found = enumerated(question, hits, [Reading("", None, -3.0)] * len(hits))
    assert found is None if answer is None else found[1].answer.startswith(answer)


@pytest.mark.parametrize(
    ("question", "answer", "is_less"),
    [
        ("what are the four gospels", "New Testament gospels, as well as the Acts of the Apostles", True),
        ("name the oceans", "A sea", True),
        ("name the three primary colors", "red, green and blue", False),
        ("which country borders Portugal", "Spain", False),
        ("what are the two languages of peru", "Spanish", True),
        ("who wrote the three musketeers", "Alexandre Dumas", False),
        ("what is the capital of the five nations", "Onondaga", False),
        ("the four seasons", "four violin concerti", False),
    ],
)
def test_fewer_things_than_are_asked_for(question, answer, is_less):
    assert has_too_few(question, answer) is is_less


def test_what_is_listed_is_named_in_the_plural():
    assert things_listed("list of the planets") == "planets"
    assert things_listed("who wrote emma") == ""
