"""Who invented, discovered or founded something: answered by the person whose own article says so."""

from types import SimpleNamespace

import pytest

from searchain.reading.stated.makers import PROBABILITY, maker, with_maker
from searchain.types import Hit, Passage, Reading

NONE = Reading("", None, -2.0)


def article(title: str, description: str, lead: str) -> Passage:
    return Passage(title, title, f"Short description: {description}.\n{lead}")


CAVENDISH = article(
    "Henry Cavendish",
    "English scientist (1731–1810)",
    "Henry Cavendish was a scientist. He is noted for his discovery of hydrogen, a light gas.",
)
UREY = article(
    "Harold Urey", "American chemist (1893–1981)", "Harold Urey won a prize for his discovery of heavy hydrogen."
)
HAHN = article("Otto Hahn", "German chemist (1879–1968)", "Otto Hahn discovered isotopes of radium.")
CURIE = article(
    "Marie Curie", "Physicist (1867–1934)", "Marie Curie won it for the discovery of the elements radium and polonium."
)
BARDEEN = article(
    "John Bardeen",
    "Physicist (1908–1991)",
    "John Bardeen won a prize with two others for their invention of the transistor.",
)
BELL = article("Alexander Graham Bell", "Inventor of the telephone (1847–1922)", "Alexander Graham Bell was a teacher.")
TIM = article(
    "Tim Berners-Lee",
    "Computer scientist (born 1955)",
    "Sir Timothy Berners-Lee, also known as TimBL, is a scientist best known as the inventor of the World Wide Web.",
)
GATES = article(
    "Bill Gates",
    "Businessman (born 1955)",
    "Bill Gates is rich. A pioneer, he co-founded the software company Microsoft in 1975.",
)
ALLEN = article("Paul Allen", "Businessman (1953–2018)", "Paul Allen co-founded Microsoft with a friend.")
RIVAL = article("Ann Lee", "Chemist (1800–1870)", "Ann Lee discovered hydrogen.")
BROTHER = article("Bob Ray", "Engineer (1850–1900)", "His brother, who invented the telephone, was rich.")
GAS = article("Hydrogen", "Chemical element with atomic number 1 (H)", "Hydrogen was discovered.")
PRINCE = article(
    "Henry",
    "Prince (1394–1460)",
    "Henry was the third child of King John I of Portugal, who founded the House of Aviz.",
)
MAUSS = article(
    "Marcel Mauss",
    "Sociologist (1872–1950)",
    "Marcel Mauss had an influence upon Claude Strauss, the founder of structural anthropology.",
)
CLAIMS = article(
    "Ann Ray", "Fraud (born 1950)", "Ann Ray falsely claimed to have invented radio. She invented radio shows."
)
CHEMIST = article("Bo Lee", "Chemist (1850–1900)", "Bo Lee founded the chemistry department of Harvard University.")
KHAN = article("Temujin", "Ruler (1162–1227)", "Temujin was the founder and first khan of the Mongol Empire.")


def answer_to(question: str, *passages: Passage) -> str | None:
    hits = [Hit(passage, 1.0, rank) for rank, passage in enumerate(passages, start=1)]
    found = maker(question, hits, [NONE] * len(hits))
    if found is None:
        return None
    hit, reading = found
    assert hit.passage.text[reading.span.start : reading.span.end] == reading.answer
    assert reading.probability == PROBABILITY
    return reading.answer


@pytest.mark.parametrize(
    ("question", "passages", "answer"),
    [
        ("who discovered hydrogen", [GAS, UREY, CAVENDISH], "Henry Cavendish"),
        ("Who discovered radium?", [HAHN, CURIE], "Marie Curie"),
        ("who discovered polonium", [CURIE], "Marie Curie"),
        ("who invented the telephone", [BROTHER, BELL], "Alexander Graham Bell"),
        ("who was the inventor of the world wide web", [TIM], "Sir Timothy Berners-Lee"),
        ("who founded microsoft", [GATES, ALLEN], "Bill Gates"),
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
