"""What two articles both say: a kind, a work, a people, a place, a year."""

import pytest

from searchain.reading.stated import shared
from searchain.types import Hit, Passage
from tests.support.fakes import WordRetriever


def article(title, description, lead):
    return Passage(title, title, f"Short description: {description}.\n{lead}" if description else lead)


FORST = article("Willi Forst", "", "Willi Forst was an Austrian actor, screenwriter, film director and singer.")
CLIFTON = article("Elmer Clifton", "", "Elmer Clifton was an American writer, director and actor from the silent days.")
SICKO = article("Sicko", "", "Sicko is a 2007 American documentary film made by Michael Moore.")
JESTER = article("Bitter Jester", "", "Bitter Jester is a documentary starring Maija DiGiorgio.")
KENYA = article("Kenya", "Country in East Africa", "Kenya is a country.")
NIGERIA = article("Nigeria", "Country in West Africa", "Nigeria is a country.")
PERU = article("Peru", "Country in South America", "Peru is a country in South America.")
AFRICA = article("Africa", "Continent", "Africa is a continent.")
SOUTH = article("South America", "Continent", "South America is a continent.")
PARIS = article("Paris", "Capital of France", "Paris is the capital of France.")
LYON = article("Lyon", "City in France", "Lyon is a city in France.")
CORPUS = WordRetriever((KENYA, NIGERIA, PERU, AFRICA, SOUTH, PARIS, LYON))


def hits(*passages):
    return [Hit(passage, 1.0, rank) for rank, passage in enumerate(passages, 1)]


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        (FORST, CLIFTON, "actor and director"),
        (SICKO, JESTER, "documentary"),
        (KENYA, NIGERIA, "country"),
    ],
)
def test_the_words_for_a_kind_that_both_articles_have(one, other, answer):
    assert shared.shared_kinds([one, other]).answer == answer


def test_nothing_is_shared_by_things_of_different_kinds():
    assert shared.shared_kinds([KENYA, SICKO]) is None
    assert shared.shared_kinds([KENYA, PERU], "kind of country") is None
    small = [article("A", "First known dog", "A is one."), article("B", "Last known cat", "B is one.")]
    assert shared.shared_kinds(small) is None


def test_a_people_is_no_kind_but_may_be_shared():
    painters = [
        article("Ann Li", "French painter (1900–1980)", "Ann Li was a French painter."),
        article("Bo Ek", "French singer (1910–1990)", "Bo Ek was a French singer."),
    ]
    assert shared.shared_kinds(painters) is None
    found = shared.shared_nationality(hits(*painters), ["Ann Li", "Bo Ek"])
    assert (found.answer, round(found.probability, 4)) == ("French", 0.9025)
    assert shared.differ_in_nationality(painters) is None


def test_peoples_differ_but_not_those_of_one_union():
    english, scottish, dutch = (
        article(name, "", f"{name} was {people} painter.")
        for name, people in (("Ann", "an English"), ("Bo", "a Scottish"), ("Cas", "a Dutch"))
    )
    assert shared.differ_in_nationality([english, dutch])
    assert shared.differ_in_nationality([english, scottish]) is None


def test_a_country_or_continent_that_both_lie_in():
    found = shared.shared_place(hits(KENYA, NIGERIA), ["Kenya", "Nigeria"], "continent", CORPUS)
    assert (found.answer, found.probability) == ("Africa", None)
    found = shared.shared_place(hits(PARIS, LYON), ["Paris", "Lyon"], "country", CORPUS)
    assert found.answer == "France"


def test_places_differ_where_both_are_of_the_sort():
    assert shared.shared_place(hits(NIGERIA, PERU), ["Nigeria", "Peru"], "continent", CORPUS) is None
    kenya = article("Kenya", "Country in Africa", "Kenya is a country.")
    assert shared.differ_in_place([kenya, PERU], "continent", CORPUS)
    assert shared.differ_in_place([kenya, PARIS], "continent", CORPUS) is None  # France is no continent
    both = article("Kenya", "Country in Africa", "Kenya is a country. It trades with South America.")
    assert shared.differ_in_place([both, PERU], "continent", CORPUS) is None


def test_the_year_of_both():
    bands = [
        article("Franz Ferdinand (band)", "", "Franz Ferdinand are a rock band, formed in 2002. They won in 2004."),
        article("Sunrise Avenue", "", "Sunrise Avenue is a rock band originally formed in 2002 in Helsinki."),
    ]
    assert shared.shared_year(hits(*bands), ["Franz Ferdinand", "Sunrise Avenue"], "formed").answer == "2002"
    assert shared.shared_year(hits(*bands), ["Franz Ferdinand", "Sunrise Avenue"], "born") is None
    names = ["Franz Ferdinand", "Sunrise Avenue"]
    assert shared.differ_in_year(hits(*bands), names, "formed") is None
    assert shared.differ_in_year(hits(*bands), names, "died") is None
    other = article("Abba", "", "Abba is a group formed in 1972.")
    assert shared.differ_in_year(hits(bands[0], other), ["Franz Ferdinand", "Abba"], "formed")


def test_lifetimes_give_the_years_of_birth_and_death():
    people = [
        article("Ann Li", "Poet (1564–1616)", "Ann Li was a poet."),
        article("Bo Ek", "", "Bo Ek (29 September 1547 – 22 April 1616) was a poet."),
    ]
    found = shared.shared_year(hits(*people), ["Ann Li", "Bo Ek"], "die")
    assert (found.answer, found.probability) == ("1616", None)
    assert shared.shared_year(hits(*people), ["Ann Li", "Bo Ek"], "born") is None
    assert shared.differ_in_year(hits(*people), ["Ann Li", "Bo Ek"], "born")
    king = article("Cas Om", "King of Spain from 1700 to 1746", "Cas Om was a king.")
    assert shared.differ_in_year(hits(people[0], king), ["Ann Li", "Cas Om"], "born")[1] is None


def test_all_words_of_a_kind_stand_in_the_definition():
    plant = article("Heliotropium", "", "Heliotropium is a genus of flowering plants in the borage family.")
    assert shared.says_kind(plant, "genera of flowering plants")
    assert shared.says_kind(plant, "flowering trees") is None
    assert shared.says_kind(plant, "family") is None
