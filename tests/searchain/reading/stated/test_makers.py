"""Who invented, discovered or founded something: answered by the person whose own article says so."""

from types import SimpleNamespace

import pytest

from searchain.reading.stated.makers import PROBABILITY, maker, with_maker
from searchain.types import Hit, Passage
from tests.support.stated_articles import answer_of, article

CAVENDISH = article(
    "Henry Cavendish",
    "Henry Cavendish was a scientist. He is noted for his discovery of hydrogen, a light gas.",
    "English scientist (1731–1810)",
)
UREY = article(
    "Harold Urey", "Harold Urey won a prize for his discovery of heavy hydrogen.", "American chemist (1893–1981)"
)
HAHN = article("Otto Hahn", "Otto Hahn discovered isotopes of radium.", "German chemist (1879–1968)")
CURIE = article(
    "Marie Curie", "Marie Curie won it for the discovery of the elements radium and polonium.", "Physicist (1867–1934)"
)
BARDEEN = article(
    "John Bardeen",
    "John Bardeen won a prize with two others for their invention of the transistor.",
    "Physicist (1908–1991)",
)
BELL = article("Alexander Graham Bell", "Alexander Graham Bell was a teacher.", "Inventor of the telephone (1847–1922)")
TIM = article(
    "Tim Berners-Lee",
    "Sir Timothy Berners-Lee, also known as TimBL, is a scientist best known as the inventor of the World Wide Web.",
    "Computer scientist (born 1955)",
)
GATES = article(
    "Bill Gates",
    "Bill Gates is rich. A pioneer, he co-founded the software company Microsoft in 1975.",
    "Businessman (born 1955)",
)
ALLEN = article("Paul Allen", "Paul Allen co-founded Microsoft with a friend.", "Businessman (1953–2018)")
RIVAL = article("Ann Lee", "Ann Lee discovered hydrogen.", "Chemist (1800–1870)")
BROTHER = article("Bob Ray", "His brother, who invented the telephone, was rich.", "Engineer (1850–1900)")
GAS = article("Hydrogen", "Hydrogen was discovered.", "Chemical element with atomic number 1 (H)")
PRINCE = article(
    "Henry",
    "Henry was the third child of King John I of Portugal, who founded the House of Aviz.",
    "Prince (1394–1460)",
)
MAUSS = article(
    "Marcel Mauss",
    "Marcel Mauss had an influence upon Claude Strauss, the founder of structural anthropology.",
    "Sociologist (1872–1950)",
)
CLAIMS = article(
    "Ann Ray", "Ann Ray falsely claimed to have invented radio. She invented radio shows.", "Fraud (born 1950)"
)
CHEMIST = article("Bo Lee", "Bo Lee founded the chemistry department of Harvard University.", "Chemist (1850–1900)")
KHAN = article("Temujin", "Temujin was the founder and first khan of the Mongol Empire.", "Ruler (1162–1227)")


def answer_to(question: str, *passages: Passage) -> str | None:
    return answer_of(maker, question, *passages, probability=PROBABILITY)


@pytest.mark.parametrize(
    ("question", "passages", "answer"),
    [
        ("who discovered hydrogen", [GAS, UREY, CAVENDISH], "Henry Cavendish"),
        ("Who discovered radium?", [HAHN, CURIE], "Marie Curie"),
        ("who discovered polonium", [CURIE], "Marie Curie"),
        ("who invented the telephone", [BROTHER, BELL], "Alexander Graham Bell"),
        ("who was the inventor of the world wide web", [TIM], "Sir Timothy Berners-Lee"),
        ("who founded the mongol empire", [KHAN], "Temujin"),
    ],
)
def test_the_person_whose_article_says_it_is_the_answer(question, passages, answer):
    assert answer_to(question, *passages) == answer


@pytest.mark.parametrize(
    ("question", "passages"),
    [
        ("who discovered hydrogen", [UREY]),
        ("who discovered hydrogen", [CAVENDISH, RIVAL]),
        ("who discovered radium", [HAHN]),
        ("who invented the transistor", [BARDEEN]),
        ("who founded microsoft", [GATES]),
        ("who founded microsoft", [GATES, ALLEN]),
        ("who invented the telephone", [BROTHER]),
        ("who discovered hydrogen", [GAS]),
        ("who founded the house of aviz", [PRINCE]),
        ("who founded structural anthropology", [MAUSS]),
        ("who invented radio", [CLAIMS]),
        ("who founded harvard university", [CHEMIST]),
        ("when was hydrogen discovered", [CAVENDISH]),
        ("who wrote hydrogen", [CAVENDISH]),
    ],
)
def test_what_several_did_or_something_narrower_is_left_to_the_reader(question, passages):
    assert answer_to(question, *passages) is None


def test_such_people_are_searched_deeper():
    found = [Hit(passage, 1.0, rank) for rank, passage in enumerate((GAS, UREY, BELL, CAVENDISH, RIVAL), start=1)]
    retriever = SimpleNamespace(search=lambda query, k: found[:k])
    searched = with_maker("who discovered hydrogen", found[:3], retriever)
    assert [hit.passage.title for hit in searched] == ["Henry Cavendish", "Ann Lee", "Hydrogen"]
    assert [hit.rank for hit in searched] == [1, 2, 3]
    assert with_maker("who discovered radium", found[:3], retriever) == tuple(found[:3])
    assert with_maker("who invented the telephone", found[:3], None) == tuple(found[:3])
    assert with_maker("what is hydrogen", found[:3], None) == tuple(found[:3])


def test_an_article_that_is_only_a_description_says_nothing():
    assert answer_to("who discovered hydrogen", article("Ann Lee", "", "Chemist (1800–1870)")) is None
