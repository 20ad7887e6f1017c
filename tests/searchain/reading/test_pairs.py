"""The articles of two things that a question names."""

from searchain.language.two_things import Way
from searchain.reading.pairs import find_pair
from searchain.types import Passage
from tests.support.fakes import WordRetriever

DUKE = Passage("d", "Franz Ferdinand (duke)", "Franz Ferdinand was a duke of Austria.")
BAND = Passage("b", "Franz Ferdinand (band)", "Franz Ferdinand are a rock band, formed in 2002.")
SUNRISE = Passage("s", "Sunrise Avenue", "Sunrise Avenue is a Finnish rock band.")
NOVEL = Passage("n", "Pride and Prejudice", "Pride and Prejudice is a novel.")
BIRD = Passage("v", "Bird", "Birds are animals.")
CORPUS = WordRetriever((DUKE, BAND, SUNRISE, NOVEL, BIRD))


def titles(*ways):
    pair = find_pair(ways, CORPUS)
    return pair and [hit.passage.title for hit in pair.hits]


def test_of_namesakes_the_one_of_the_same_kind_is_meant():
    assert titles(Way("Franz Ferdinand", "Sunrise Avenue")) == ["Franz Ferdinand (band)", "Sunrise Avenue"]


def test_the_first_way_with_two_articles_is_taken():
    ways = Way("Pride", "Prejudice and Sunrise Avenue"), Way("Pride and Prejudice", "Sunrise Avenue")
    assert titles(*ways) == ["Pride and Prejudice", "Sunrise Avenue"]
    assert titles(ways[0]) is None


def test_one_article_is_no_pair():
    assert titles(Way("Sunrise Avenue", "sunrise avenue")) is None
    assert titles(Way("Sunrise Avenue", "Zorblax")) is None


def test_a_plural_in_lower_case_is_looked_up_as_one():
    assert titles(Way("birds", "Sunrise Avenue")) == ["Bird", "Sunrise Avenue"]


def test_a_name_with_several_articles_is_not_sure():
    assert find_pair([Way("Pride and Prejudice", "Sunrise Avenue")], CORPUS).is_sure
    assert not find_pair([Way("Franz Ferdinand", "Bird")], CORPUS).is_sure
