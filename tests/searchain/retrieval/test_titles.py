"""The articles that short queries name by their titles."""

import pytest

from searchain.retrieval.lexical import NamedArticles
from searchain.types import Passage


def passage(title, text):
    return Passage(title, title, text)


PASSAGES = [
    passage("Australia", "Short description: Country in Oceania. Australia is a country."),
    passage("Frédéric Chopin", "Short description: Polish composer (1810–1849). Chopin wrote for the piano."),
    passage("Amazon (company)", "Amazon is a company."),
    passage("Amazon River", "The Amazon is a river."),
    passage("Mercury (planet)", "Mercury is a planet."),
    passage("South Australia", "South Australia is a state."),
    passage("Max Born", "Short description: German physicist (1882–1970). Max Born was a physicist."),
    passage("Greta Nielsen", "Short description: Danish singer (born 1950). She sings."),
    passage("Carl Nielsen", "Short description: Danish composer (1865–1931). He wrote six symphonies."),
    passage("Greek War of Independence", "Short description: War (1821–1829). The war was fought for independence."),
    passage("Water", "Water is a substance; clear water has no colour."),
    passage("Australia", "A second passage of the same article."),
]


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("capital of australia", ["Australia"]),
        ("When was Chopin born?", ["Frédéric Chopin"]),
        ("what's south australia's capital", ["South Australia"]),  # the longer name, and nothing inside it
        ("how long is the amazon", []),  # a company or a river
        ("how far is mercury", ["Mercury (planet)"]),
        ("when was nielsen born", []),  # two have this name
        ("date of independence", []),  # the last word of a war is no surname
        ("who", []),
        ("a question of so many words that it names its subject well enough in australia", []),
    ],
)
def test_a_short_query_names_articles_by_title_or_by_surname(query, titles):
    assert [PASSAGES[row].title for row, _ in NamedArticles(PASSAGES).rows(query)] == titles


def test_only_what_is_never_written_in_small_letters_is_a_proper_name():
    found = NamedArticles(PASSAGES).rows("boiling point of water")
    assert [(PASSAGES[row].title, is_proper) for row, is_proper in found] == [("Water", False)]
    assert NamedArticles(PASSAGES).rows("australia") == [(0, True)]
