"""Names of countries and states."""

import pytest

from searchain.language.territories import COUNTRIES, STATES, countries_in, is_other_place, state_in


def test_names_are_whole_and_no_city_state_is_a_state():
    assert {"United States", "Bosnia and Herzegovina", "Trinidad and Tobago", "DR Congo", "Zimbabwe"} <= COUNTRIES
    assert {"New York", "New South Wales", "Mecklenburg-Vorpommern", "Thuringia", "Western Australia"} <= STATES
    assert not any(name != name.strip() or "\n" in name or not name for name in COUNTRIES | STATES)
    assert not {"Berlin", "Hamburg", "Delhi"} & STATES


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("City in Papua New Guinea", "Papua New Guinea"),
        ("City in New Mexico", None),
        ("River flowing into the Gulf of Mexico", None),
        ("City in New South Wales", None),
        ("Lake Chad", None),
        ("Empire of the Mali Empire", None),
        ("City in Atlanta, Georgia, US", "US"),
        ("City in Georgia", "Georgia"),
        ("Lake between Uganda and the Democratic Republic of the Congo", "Uganda and the Democratic Republic of the Congo"),
        ("From Peru through many valleys to Brazil", None),
        ("City in Tibet", None),
    ],
)  # fmt: skip
def test_the_country_or_countries_that_words_name(words, named):
    found = countries_in(words)
    assert (found and words[found.start : found.end]) == named


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("City in Fulton County, Georgia, US", "Georgia"),
        ("City in Georgia", None),
        ("City in Punjab, Pakistan", None),
        ("City in Punjab, India", "Punjab"),
        ("Museum in New York City", None),
        ("City on the border of Texas and Arkansas", None),
    ],
)
def test_the_state_that_words_name(words, named):
    found = state_in(words)
    assert (found and words[found.start : found.end]) == named


@pytest.mark.parametrize(
    ("query", "answer", "expected"),
    [
        ("what country is jerusalem in", "Southern Levant", True),
        ("In which country is K2?", "Earth", True),
        ("in what country is k2 located", "Pakistan", False),
        ("what country was troy in", "Anatolia", False),
        ("what continent is mali in", "West Africa", False),
    ],
)
def test_an_answer_that_is_other_place(query, answer, expected):
    assert is_other_place(query, answer) is expected
