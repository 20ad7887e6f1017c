"""Which of two places in an order is above the other, and when that cannot be said."""

import pytest

from searchain.language.places_in_order import order_of_places, standing
from searchain.types import Node, Passage


def article(title: str, description: str) -> Passage:
    return Passage(title, title, f"Short description: {description}.\nX.")


INDIA, BRAZIL = article("India", "Country in South Asia"), article("Brazil", "Country in South America")
BAIKAL, ERIE = article("Lake Baikal", "Lake in Siberia"), article("Lake Erie", "One of the Great Lakes")
SUDAN, MUMBAI = article("Sudan", "Country in Africa"), article("Mumbai", "City in India")


def steps(measure: str, *said: tuple[Passage, str]) -> list[Node]:
    return [
        Node(passage.id, None, 1, f"How does {passage.title} rank by {measure}?", answer=answer, passage=passage)
        for passage, answer in said
    ]


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ((INDIA, "largest by population"), (BRAZIL, "seventh-largest by population"), "India"),
        ((BRAZIL, "seventh-largest by population"), (INDIA, "largest by population"), "India"),
        ((INDIA, "second-largest country in Asia"), (BRAZIL, "largest country in America"), None),
        ((INDIA, "second-largest country"), (BRAZIL, "second-largest country"), None),
        ((INDIA, "largest country in the world"), (BRAZIL, "largest country in South America"), "India"),
        ((BAIKAL, "world's seventh-largest lake"), (ERIE, "world's third-largest freshwater lake"), None),
        ((BAIKAL, "world's seventh-largest lake"), (ERIE, "eleventh-largest lake in the world"), "Lake Baikal"),
    ],
)
def test_which_of_two_places_is_above_the_other(one, other, answer):
    question = f"which is larger, {one[0].title} or {other[0].title}"
    found = order_of_places(question, steps("size", one, other))
    assert (found and found[0]) == answer


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("third-largest city in the country", MUMBAI),  # which country is not said
        ("most populous city", SUDAN),  # of its capital
        ("33rd-largest by land area", MUMBAI),  # of what is not said
        ("one of the largest cities in India", MUMBAI),
    ],
)
def test_a_place_without_its_region_or_of_something_else_is_none(answer, passage):
    assert standing(answer, passage) is None
