"""Capitals by the article of the country or state."""

import pytest

from searchain.reading.stated.capitals import capital, capital_of
from searchain.types import Hit, Passage, Reading


@pytest.mark.parametrize(
    ("title", "said", "expected"),
    [
        ("Greenland", "The capital and largest city is Nuuk.", "Nuuk"),
        ("Canada", "Its capital is Ottawa and its three largest metropolitan areas are others.", "Ottawa"),
        ("Ukraine", "Kyiv is Ukraine's capital and largest city, followed by Kharkiv.", "Kyiv"),
        ("Qatar", "The capital is Doha, home to over 80% of the population.", "Doha"),
        ("Seychelles", "Its capital and largest city, Victoria, is east of Africa.", "Victoria"),
        ("Trinidad and Tobago", "The capital city is Port of Spain, while another is larger.", "Port of Spain"),
        ("Timor-Leste", "Dili, on the north coast of Timor, is its capital and largest city.", "Dili"),
        ("Aceh", "It lies in the north, with Banda Aceh being its capital and largest city.", "Banda Aceh"),
        ("Kazakhstan", "Almaty served as the capital until 1997.", None),
        ("Yokohama", "It is the capital and most populous city of the prefecture.", None),
        ("Bolivia", "The seat of government is La Paz, while the constitutional capital is Sucre.", None),
        ("Twoland", "Its capital is Alba. The state capital is Borgo.", None),
        ("Oldland", "Its former capital is Alba.", None),
    ],
)
def test_one_capital_is_read_from_the_article(title, said, expected):
    passage = Passage("x", title, said)
    span = capital_of(passage)
    assert (span and passage.text[span.start : span.end]) == expected


def read(query: str, *passages: Passage) -> str | None:
    hits = [Hit(passage, 1.0, rank) for rank, passage in enumerate(passages, 1)]
    found = capital(query, hits, [Reading("", None, 0.5)] * len(hits))
    return found[1].answer if found else None


def test_it_answers_both_ways_round():
    chad = Passage("c", "Chad", "Chad is a country. Its capital is N'Djamena.")
    assert read("what is the capital of chad", chad) == "N'Djamena"
    assert read("N’Djamena is the capital city of which landlocked country in central Africa?", chad) == "Chad"
    assert read("what is the capital of mali", chad) is None
    assert read("what is the currency of chad", chad) is None


def test_a_capital_of_two_things_decides_nothing():
    one = Passage("a", "Aland", "Aland is a country. Its capital is Victoria.")
    two = Passage("b", "Bland", "Bland is a country. Its capital is Victoria.")
    assert read("Victoria is the capital of what country?", one) == "Aland"
    assert read("Victoria is the capital of what country?", one, two) is None
