"""Names find their articles: by the title, by another name, by what they are the plural of."""

import pytest

from searchain.reading.articles import Match, find_article, matched, of_a_kind, sentences_of
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


def test_beside_a_planet_the_name_stands_for_the_planet():
    venus = article("Venus", "Second planet from the Sun", "Venus is the second planet from the Sun.")
    shelf = WordRetriever((METAL, PLANET, venus))
    chosen = of_a_kind(find_article("mercury", shelf), find_article("venus", shelf))
    assert (chosen.article.passage, chosen.namesakes) == (PLANET, ())


def test_beside_a_river_the_name_stands_for_the_river():
    company = article("Amazon (company)", "American technology company", "Amazon is a company.")
    river = article("Amazon River", "Major river in South America", "The Amazon River is in South America.")
    nile = article("Nile", "Major river in Africa", "The Nile is a river.")
    shelf = WordRetriever((company, river, nile))
    found = find_article("the amazon", shelf)
    assert found.article.passage is company
    assert of_a_kind(found, find_article("nile", shelf)).article.passage is river
    assert of_a_kind(found, find_article("cobol", shelf)).article.passage is company


def test_two_names_that_stand_for_several_things_meet_in_one_kind():
    shelf = WordRetriever(
        (
            article("Amazon (company)", "American company", "Amazon is a company."),
            article("Amazon (river)", "River in South America", "The Amazon is a river."),
            article("Vaal (river)", "River in South Africa", "The Vaal is a river."),
            article("Vaal (company)", "South African company", "Vaal is a company."),
        )
    )
    one, other = find_article("amazon", shelf), find_article("vaal", shelf)
    one = of_a_kind(one, other)
    other = of_a_kind(other, one)
    assert one.article.passage.title.split()[1] == other.article.passage.title.split()[1]
