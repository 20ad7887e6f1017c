"""Names find their articles: by the title, by another name, by what they are the plural of."""

import pytest

from searchain.reading.articles import Match, find_article, matched, sentences_of
from searchain.types import Passage
from tests.support.fakes import WordRetriever


def article(title, description, lead):
    return Passage(title, title, f"Short description: {description}.\n{lead}")


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
PAINTER = article("Leo Vinci", "Painter (1452–1519)", "Leo di ser Piero, or mononymously as Piero, was a painter.")
SHELF = WordRetriever((CAT, METAL, PLANET, UNIT, NEWTON, LOVELACE, POPE))


@pytest.mark.parametrize(
    ("name", "passage", "match"),
    [
        ("ada lovelace", LOVELACE, Match.TITLE),
        ("the Cat", CAT, Match.TITLE),
        ("cats", CAT, Match.ALIAS),
        ("mercury", METAL, Match.BARE_TITLE),
        ("Ada Byron", LOVELACE, Match.ALIAS),
        ("newton", NEWTON, Match.SURNAME),
        ("piero", PAINTER, Match.ALIAS),
        ("Ada", LOVELACE, None),
        ("capital of France", POPE, None),
        ("", CAT, None),
    ],
)
def test_how_names_match(name, passage, match):
    assert matched(name, passage) is match


def test_of_two_articles_of_one_name_the_other_is_told_too():
    found = find_article("mercury", SHELF)
    assert {found.article.passage, *(hit.passage for hit in found.namesakes)} == {METAL, PLANET}


def test_who_asks_for_a_person():
    assert find_article("newton", SHELF).article.passage is UNIT
    assert find_article("newton", SHELF, rather_person=True).article.passage is NEWTON
    assert find_article("pope", SHELF, rather_person=True).article.passage is POPE


def test_the_description_is_no_sentence_of_the_article():
    assert [CAT.text[span.start : span.end] for span in sentences_of(CAT)] == ["The cat is a small mammal."]
