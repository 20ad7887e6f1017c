"""Names find their articles: by the title, by another name, by what they are the plural of."""

import pytest

from searchain.reading.articles import Match, find_article, matched
from tests.support.fakes import WordRetriever, article

CAT = article("Cat", "Small domesticated carnivorous mammal", "The cat is a small mammal.")
METAL = article("Mercury (element)", "Chemical element", "Mercury is a chemical element.")
PLANET = article("Mercury (planet)", "First planet from the Sun", "Mercury is the first planet from the Sun.")
UNIT = article("Newton (unit)", "Unit of force", "The newton is the unit of force.")
NEWTON = article("Isaac Newton", "English polymath (1642–1726)", "Sir Isaac Newton was an English polymath.")
LOVELACE = article(
    "Ada Lovelace",
    "English mathematician (1815–1852)",
    "Augusta Ada King, Countess of Lovelace, also known as Ada Byron, was an English mathematician. She wrote.",
)
POPE = article("Pope", "Leader of the Catholic Church", "The pope is the bishop of Rome.")
SHELF = WordRetriever((CAT, METAL, PLANET, UNIT, NEWTON, LOVELACE, POPE))


@pytest.mark.parametrize(
    ("name", "passage", "match"),
    [
        ("ada lovelace", LOVELACE, Match.TITLE),
        ("the Cat", CAT, Match.TITLE),
        ("mercury", METAL, Match.BARE_TITLE),
        ("Ada Byron", LOVELACE, Match.ALIAS),
        ("newton", NEWTON, Match.SURNAME),
        ("Ada", LOVELACE, None),
        ("", CAT, None),
    ],
)
def test_how_names_match(name, passage, match):
    assert matched(name, passage) is match


def test_of_two_articles_of_one_name_the_other_is_told_too():
    found = find_article("mercury", SHELF)
    assert {found.article.passage, *(hit.passage for hit in found.namesakes)} == {METAL, PLANET}
