"""The largest, the highest, the most populous: answered by the title of the article that says it of its subject."""

import pytest

from searchain.reading.stated.ranked import PROBABILITY, ranked, stated_rank
from searchain.types import Hit, Passage, Reading

NONE = Reading("", None, -2.0)


def article(title: str, lead: str, description: str = "") -> Passage:
    return Passage(title, title, f"Short description: {description}.\n{lead}" if description else lead)


JUPITER = article("Jupiter", "Jupiter is the fifth planet from the Sun, and the largest in the Solar System.")
PLUTO = article("Pluto", "Pluto is a dwarf planet.", "Largest dwarf planet in the Solar System")
KILIMANJARO = article(
    "Mount Kilimanjaro",
    "Mount Kilimanjaro is a dormant volcano in Tanzania.",
    "Mountain in Tanzania, highest in Africa",
)
ELBRUS = article("Mount Elbrus", "Mount Elbrus is a volcano.", "Highest mountain of Russia and Europe")
LUZON = article("Luzon", "Luzon is the largest and most populous island in the Philippines.")
PERU = article("Peru", "Peru has many people, and its capital and largest city is Lima.", "Country in South America")
INDIA = article("India", "It is the largest by population.", "Country in South Asia")
SUMATRA = article("Sumatra", "It is the largest island that is fully within Indonesia.", "Island of Indonesia")
TASMANIA = article("Tasmania", "It is Australia's smallest and least populous state.", "State of Australia")
SEA = article("Philippine Sea", "The Philippine Sea is a sea beside the Philippine Archipelago and the largest sea.")
VENUS = article(
    "Venus",
    "Venus has thick air. There it reaches 737 K, making it the hottest planet in the solar system.",
    "Second planet from the Sun",
)
NILE = article(
    "Nile",
    "The Nile is a river. At 7,088 kilometers (4,404 mi) long, it is the longest river in the world.",
    "Major river in northeast Africa",
)
SATURN = article("Saturn", "Saturn is the sixth planet from the Sun, and the second-largest in the Solar System.")


def answer_to(question: str, *passages: Passage) -> str | None:
    hits = [Hit(passage, 1.0, rank) for rank, passage in enumerate(passages, start=1)]
    found = ranked(question, hits, [NONE] * len(hits))
    if found is None:
        return None
    hit, reading = found
    assert hit.passage.text[reading.span.start : reading.span.end] == reading.answer
    assert reading.probability == PROBABILITY
    return reading.answer


@pytest.mark.parametrize(
    ("question", "passages", "answer"),
    [
        ("what is the biggest planet in the solar system", [PLUTO, JUPITER], "Jupiter"),
        ("largest dwarf planet in the solar system", [JUPITER, PLUTO], "Pluto"),
        ("What is the highest mountain in Africa?", [KILIMANJARO], "Mount Kilimanjaro"),
        ("what is the tallest mountain in europe", [KILIMANJARO, ELBRUS], "Mount Elbrus"),
        ("which is the most populous island in the philippines", [LUZON], "Luzon"),
        ("second largest planet in the solar system", [JUPITER, SATURN], "Saturn"),
        ("what is the hottest planet", [JUPITER, VENUS], "Venus"),
        ("what is the longest river in the world", [NILE], "Nile"),
        ("what is the longest river in africa", [NILE], "Nile"),
    ],
)
def test_the_title_of_the_article_that_says_it_is_the_answer(question, passages, answer):
    assert answer_to(question, *passages) == answer


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("what is the largest planet in the solar system", PLUTO),
        ("what is the largest city in south america", PERU),
        ("what is the largest country in the world", INDIA),
        ("what is the largest island in the world", SUMATRA),
        ("what is the smallest us state", TASMANIA),
        ("what is the largest archipelago in the world", SEA),
        ("what is the largest planet in the solar system", SATURN),
        ("what is the hottest star", VENUS),
        ("what is the longest river in asia", NILE),
    ],
)
def test_of_something_narrower_or_of_something_else_it_is_not(question, passage):
    assert answer_to(question, passage) is None


@pytest.mark.parametrize(
    "question",
    [
        "how high is the highest mountain in africa",
        "in which country is the highest mountain in africa",
        "when was the highest mountain in africa climbed",
        "who is the president of the largest country",
        "what is jupiter",
    ],
)
def test_a_question_for_anything_else_is_left_to_the_reader(question):
    assert answer_to(question, KILIMANJARO, JUPITER) is None


def test_the_sentence_that_says_it_is_known():
    span = stated_rank("highest mountain in africa", KILIMANJARO)
    assert KILIMANJARO.text[span.start : span.end].endswith("Mountain in Tanzania, highest in Africa.")
    assert stated_rank("highest mountain in asia", KILIMANJARO) is None
