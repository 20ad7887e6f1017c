"""How many parts a thing has: answered by the number that the thing's own article gives."""

from types import SimpleNamespace

import pytest

from searchain.reading.stated.counted import PROBABILITY, counted, with_counted
from searchain.types import Hit, Passage
from tests.support.stated_articles import answer_of, article

VIOLIN = article("Violin", "The violin is an instrument. Most violins have four strings, and a bow.")
GUITAR = article("Guitar", "The guitar is an instrument that has six or twelve strings.")
CANADA = article("Canada", "Canada is a country. Its ten provinces and three territories reach three oceans.")
CHINA = article("China", "China is a country. It is divided into 33 province-level divisions.")
SARDINIA = article("Sardinia", "Sardinia is an island, and one of the twenty regions of Italy.")
CRICKET = article("Cricket", "Cricket is played between two teams of eleven players. Two players bat.", "Team sport")
PILLARS = article("Five Pillars of Islam", "The Five Pillars of Islam are practices, not four pillars of Islam.")
ATLANTIC = article("Atlantic Ocean", "The Atlantic Ocean is the second largest of the world's five oceans.")
SCRIPTURE = article("Old Testament", "The Old Testament is based upon the 24 books of the Hebrew Bible.")
CENTIPEDE = article("Centipede", "Despite the name, no centipede has exactly 100 legs.")
WAGNER = article("Richard Wagner", "Richard Wagner wrote a four-opera cycle.", "German composer (1813–1883)")
SHAKESPEARE = article("William Shakespeare", "His works consist of some 39 plays.", "English playwright (1564–1616)")
SPIDER = article("Spider", "Unlike insects, which have six legs, a spider has more.", "Order of arachnids")
YEAR = article("Year", "A year is a time. A leap year has 366 days.", "Unit of time")
FINN = article("Huckleberry Finn", "Huckleberry Finn is told in the first person.", "1885 novel")
ARCHIPELAGO = article("Indonesia", "Indonesia is a country. It comprises over 17,000 islands.")
GERMANY = article("Germany", "Germany has four cities with more than a million people.", "Country")
PERTH = article("Perth", "Perth is one of two cities in Scotland, and has a cathedral.", "City")
AMERICA = article("United States", "It is a federation of 50 states. 13 states rebelled.")


def answer_to(question: str, *passages: Passage) -> str | None:
    return answer_of(counted, question, *passages, probability=PROBABILITY)


@pytest.mark.parametrize(
    ("question", "passages", "answer"),
    [
        ("How many strings does a violin have?", [GUITAR, VIOLIN], "four"),
        ("how many strings are on a violin", [VIOLIN], "four"),
        ("how many provinces does canada have", [CANADA], "ten"),
        ("how many territories are there in canada", [CANADA], "three"),
        ("Italy is divided into how many regions?", [SARDINIA], "twenty"),
        ("how many players are on a cricket team", [CRICKET], "eleven"),
        ("how many pillars of islam are there", [PILLARS], "Five"),
        ("how many oceans are there in the world", [ATLANTIC], "five"),
        ("how many islands does indonesia have", [ARCHIPELAGO], "over 17,000"),
    ],
)
def test_the_number_in_the_things_own_article_is_the_answer(question, passages, answer):
    assert answer_to(question, *passages) == answer


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("how many strings does a guitar have", GUITAR),
        ("how many provinces does china have", CHINA),
        ("how many strings does a harp have", VIOLIN),
        ("how many books are in the old testament", SCRIPTURE),
        ("how many legs does a centipede have", CENTIPEDE),
        ("how many operas did wagner write", WAGNER),
        ("how many states are in the united states", AMERICA),
        ("how many people are in canada", CANADA),
        ("how many plays did shakespeare write", SHAKESPEARE),
        ("how many legs does a spider have", SPIDER),
        ("how many days does a year have", YEAR),
        ("how many novels does huckleberry finn have", FINN),
        ("how many provinces did canada lose", CANADA),
        ("what is a violin", VIOLIN),
        ("how many cities are in germany", GERMANY),
        ("how many cities are in scotland", PERTH),
    ],
)
def test_several_numbers_or_those_of_something_else_are_left_to_the_reader(question, passage):
    assert answer_to(question, passage) is None


def test_the_article_of_the_whole_is_searched():
    found = [Hit(passage, 1.0, rank) for rank, passage in enumerate((VIOLIN, CANADA), start=1)]
    retriever = SimpleNamespace(search=lambda query, k: found if "violin" in query else [])
    hits = [Hit(passage, 1.0, rank) for rank, passage in enumerate((GUITAR, CHINA), start=1)]
    searched = with_counted("how many strings does a violin have", hits, retriever)
    assert [hit.passage.title for hit in searched] == ["Violin", "Guitar"]
    assert with_counted("how many strings does a harp have", hits, retriever) == tuple(hits)
    assert with_counted("how many strings does a guitar have", hits, None) == tuple(hits)
    assert with_counted("what is a violin", hits, None) == tuple(hits)
