"""The place in an order that an article gives its subject."""

import pytest

from searchain.reading.stated.placed import PROBABILITY, placed
from searchain.types import Hit, Passage, Reading


def answer_to(query: str, title: str, description: str, lead: str) -> str | None:
    hit = Hit(Passage(title, title, f"Short description: {description}.\n{lead}"), 1.0, 1)
    found = placed(query, [hit], [Reading("", None, -2.0)])
    if found is None:
        return None
    reading = found[1]
    assert hit.passage.text[reading.span.start : reading.span.end] == reading.answer
    assert reading.probability == PROBABILITY
    return reading.answer


@pytest.mark.parametrize(
    ("query", "title", "description", "lead", "answer"),
    [
        ("How does the pacific rank by size?", "Pacific Ocean", "Ocean", "The Pacific Ocean is the largest and deepest "
         "of Earth's five oceanic divisions.", "largest and deepest of Earth's five oceanic divisions"),
        ("How does brazil rank by size?", "Brazil", "Country in South America", "Brazil is the largest country in South "
         "America. It is also the world's fifth-largest country by area.", "world's fifth-largest country by area"),
        ("How does the nile rank by length?", "Nile", "River in Africa", "At 7,088 km long, it is the longest river in "
         "the world, although it is thin.", "longest river in the world"),
        ("How does k2 rank by height?", "K2", "2nd-highest mountain on Earth", "K2 is a mountain.",
         "2nd-highest mountain on Earth"),
        ("How does the amazon rank by length?", "Amazon River", "River", "It is the second-longest or longest river "
         "in the world.", None),
        ("How does peru rank by size?", "Peru", "Country", "Its capital and largest city is Lima.", None),
        ("How does india rank by size?", "India", "Country in Asia", "It is the largest by population.", None),
        ("How does sudan rank by population?", "Sudan", "Country in Africa", "Sudan has a capital and most populous city "
         "in Khartoum.", None),
    ],
)  # fmt: skip
def test_the_place_that_the_subject_has(query, title, description, lead, answer):
    assert answer_to(query, title, description, lead) == answer
