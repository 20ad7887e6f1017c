"""Figures out of the article of the thing that is measured."""

import pytest

from searchain.reading.stated.measures import PROBABILITY, measured, with_measured
from searchain.types import Hit, Passage, Reading
from tests.support.fakes import WordRetriever


def answer_to(question: str, title: str, lead: str, description: str = "Thing") -> str | None:
    hit = Hit(Passage(title, title, f"Short description: {description}.\n{lead}"), 1.0, 1)
    found = measured(question, [hit], [Reading("", None, -2.0)])
    if found is None:
        return None
    reading = found[1]
    assert hit.passage.text[reading.span.start : reading.span.end] == reading.answer
    assert reading.probability == PROBABILITY
    return reading.answer


@pytest.mark.parametrize(
    ("question", "title", "lead", "answer"),
    [
        ("how many people live in peru", "Peru", "Peru has a population of over 32 million.", "over 32 million"),
        ("population of riga", "Riga", "As of 2024, the population of Riga was 605,273, a third of all.", "605,273"),
        ("how tall is mont x", "Mont X", "Mont X is a mountain, rising 4,807.3 m above sea level.", "4,807.3 m"),
        ("how high is k2", "K2", "K2, at 8,611 metres (28,251 ft) above sea level, is a mountain.", "8,611 metres (28,251 ft)"),
        ("how long is the lena", "Lena", "The Lena is 4,294 km (2,668 mi) long, with a basin.", "4,294 km (2,668 mi)"),
        ("how long is the amur", "Amur River", "It flows east for 1,465 kilometres, draining states.", "1,465 kilometres"),
        ("how long is the isar", "Isar", "Rising in the Alps, the Isar flows north for 295 km to a river.", "295 km"),
        ("how deep is the x trench", "X Trench", "The maximum known depth is 10,935 ± 6 meters.", "10,935 ± 6 meters"),
        ("how deep is lake x", "Lake X", "It has an average depth of 21 m, and a maximum depth of 25.5 m.", "25.5 m"),
        ("how big is peru", "Peru", "It covers an area of 1,285,216 km2 (496,225 sq mi).", "1,285,216 km2 (496,225 sq mi)"),
    ],
)  # fmt: skip
def test_the_figure_beside_the_measure_answers(question, title, lead, answer):
    assert answer_to(question, title, lead) == answer


def test_an_element_has_its_symbol_and_number_in_its_description():
    said = "Chemical element with atomic number 79 (Au)"
    assert answer_to("what is the symbol for gold", "Gold", "Gold is a metal.", said) == "Au"
    assert answer_to("what is the atomic number of gold", "Gold", "Gold is a metal.", said) == "79"


@pytest.mark.parametrize(
    ("question", "title", "lead"),
    [
        ("population of rome", "Rome", "The Metropolitan City of Rome, with a population of 4.2 million, is large."),
        ("population of quito", "Quito", "Quito has a population of 2.8 million in its metropolitan area."),
        ("how long is the volga", "Volga", "A tributary of the Volga is 60 km long."),
        ("how tall is sorghum", "Sorghum", "It grows from 1 to 2.5 metres tall."),
        ("how tall is tibet", "Tibet", "The highest point in Tibet is Everest, standing 8,848 m above sea level."),
        ("how big is the volga", "Volga", "The Volga has a catchment area of 1,360,000 km2."),
        ("how long is the elbe", "Elbe", "The Elbe is a river, flowing 110 km northwest of Hamburg into the sea."),
        ("how long is x", "X", "X is 60 km long. X is 80 km long."),
        ("how long is the rhine", "Volga", "The Volga is 3,531 km long."),
    ],
)
def test_a_figure_of_something_else_does_not(question, title, lead):
    assert answer_to(question, title, lead) is None


def test_a_thing_that_was_not_found_is_searched_by_name():
    river = Passage("r", "Amur River", "The Amur River is 2,824 km long.")
    fish = Passage("f", "Kaluga", "The kaluga is a fish of the Amur. How long is it? Up to 6 m long.")
    hits, retriever = (Hit(fish, 1.0, 1),), WordRetriever((river, fish))
    assert [hit.passage.title for hit in with_measured("how long is the amur", hits, retriever)] == ["Amur River"]
    assert with_measured("who found the amur", hits, retriever) == hits
    assert with_measured("how long is the lena", hits, retriever) == hits


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("how big is acme", "The Acme Exclusive Economic Zone covers 1,960,027 square kilometres of ocean."),
        ("what is the population of acme", "Acme and the surrounding North Land are one area, with a population of over 5 million."),
        ("how many people live in acme", "In 1930 the population was 3,460,059; today over 17 million people live there."),
    ],
)  # fmt: skip
def test_figures_of_more_than_the_thing_or_of_long_ago_are_not_taken(question, lead):
    assert answer_to(question, "Acme", lead) is None
