"""What a question names and its passage does not."""

import dataclasses

import pytest

from searchain.language.unconfirmed import is_no_capital_of, leaves_open
from searchain.types import Passage, Place

APOLLO = Passage("a", "Apollo program", "Conceived in 1960, the Apollo program of NASA landed people on the Moon.")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Which project chose its astronauts in 1959?", True),
        ("Which project was conceived in early 1959?", True),
        ("Which project was conceived in 1960?", False),
        ("Which project of the president (in office in 1961) landed on the Moon?", False),
        ("Which project in 1959 followed the one in 1960?", False),
        ("Which project cost 1959 dollars?", False),
        ("Which rocket flew in 2000 metres?", False),
        ("NATO was founded by whom?", False),
        ("Odysseus was king of which state?", True),
        ("Apollo is a program of which agency?", False),
        ("Apolo is a program of which agency?", False),
        ("Who is Odysseus?", False),
        ("There are how many astronauts?", False),
        ("By what name was the boxer Walker Smith known?", True),
        ("Which agency trained Walker Smith and Apolo crews?", False),
        ("Which Programs Did Walker Smith Lead?", False),
        ("Which people of the United States landed on the Moon?", False),
        ("Which people of the United States came first?", False),
        ("Walker Smith led which program?", True),
    ],
)
def test_a_year_or_a_subject_that_the_passage_does_not_name(query, expected):
    assert leaves_open(query, APOLLO) is expected


def test_a_piece_of_an_own_document_may_name_it_on_another_page():
    piece = dataclasses.replace(APOLLO, place=Place("d", "0" * 64, 0, 40))
    assert not leaves_open("Odysseus was king of which state?", piece)


@pytest.mark.parametrize(
    ("query", "title", "lead", "answer", "expected"),
    [
        ("munich is the capital of which country", "Bavaria", "Bavaria is a state of Germany. Its capital is Munich.", "Germany", True),
        ("munich is the capital of which state", "Munich", "Munich is the capital and largest city of Bavaria.", "Bavaria", False),
        ("munich is the capital of which state", "Munich", "Munich is the capital of the Free State of Bavaria.", "Bavaria", False),
        ("lima is the capital of which country", "Peru", "Peru is a country. Lima is its capital.", "Peru", False),
        ("what is the capital of peru", "Peru", "Peru is a country. Lima is its capital.", "Cusco", False),
    ],
)  # fmt: skip
def test_a_city_is_called_the_capital_of_the_answer(query, title, lead, answer, expected):
    assert is_no_capital_of(query, Passage("p", title, lead), answer) is expected
