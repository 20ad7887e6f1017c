"""The largest, the highest, the most populous: answered by the title of the article that says it of its subject."""

from types import SimpleNamespace

import pytest

from searchain.reading.stated.ranked import PROBABILITY, ranked, stated_rank, with_ranked
from searchain.types import Hit, Passage
from tests.support.stated_articles import answer_of, article

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
GREENLAND = article(
    "Greenland", "Greenland is far. It is the world's largest island and lies between two oceans.", "Large island"
)
INDIA = article(
    "India",
    "India has many people. It is the seventh-largest country by area and the largest by population.",
    "Country in Asia",
)
SWEDEN = article("Sweden", "With 10 million people, Sweden is the largest and most populous Nordic country.", "Country")
RAJASTHAN = article(
    "Rajasthan", "Rajasthan is dry. It is the largest Indian state by area and the seventh largest by population."
)
SURINAME = article(
    "Suriname", "Suriname is flat. It is the smallest country in South America by both population and territory."
)
TITICACA = article("Lake Titicaca", "Titicaca is the largest lake in South America, both in volume and surface area.")
MYANMAR = article("Myanmar", "It is the largest country by area in Mainland Southeast Asia.", "Country")
KENYA = article("Kenya", "Kenya's capital and largest city is Nairobi.", "Country in Africa")
MEXICO_CITY = article("Mexico City", "Mexico City is the capital and largest city of Mexico.", "Capital of Mexico")
TANZANIA = article("Tanzania", "It is the most populous African country located entirely south of the equator.")
MOSCOW = article("Moscow", "Moscow is a city, being the most populous city entirely in Europe.", "Capital of Russia")
KANO = article("Kano", "It is the second largest city in Nigeria after Lagos, with four million people.", "City")
DAEGU = article("Daegu", "Daegu is the largest city with a harbour in the Yeongnam region.", "City in Korea")
DOMINICA = article("Dominica", "Dominica is green, and the highest point is Morne Diablotins.", "Island country")
PERSIA = article("Achaemenid Empire", "The Achaemenid Empire was the largest empire of its time.", "Empire")
TOWER = article("Tower", "The Tower was the tallest building in the world until 1970.", "Building")
DOUBTED = article("Foo", "Foo is mistakenly considered the longest river in Africa.", "River in Africa")
HONSHU = article("Honshu", "It is the second-most populous island after the Indonesian island of Java.", "Island")
SATURN = article("Saturn", "Saturn is the sixth planet from the Sun, and the second-largest in the Solar System.")


def answer_to(question: str, *passages: Passage) -> str | None:
    return answer_of(ranked, question, *passages, probability=PROBABILITY)


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
        ("what's the world's largest island", [GREENLAND], "Greenland"),
        ("which country has the largest population", [SWEDEN, INDIA], "India"),
        ("what is the largest country by population", [INDIA], "India"),
        ("what is the largest state in india", [RAJASTHAN], "Rajasthan"),
        ("what is the smallest country in south america", [SURINAME], "Suriname"),
        ("what is the largest lake in south america", [TITICACA], "Titicaca"),
        ("what is the largest city in mexico", [MEXICO_CITY], "Mexico City"),
        ("what is the largest city in nigeria", [KANO], "Lagos"),
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
        ("what is the largest country in the world", MYANMAR),
        ("what is the largest country in the world", SWEDEN),
        ("what is the biggest city in africa", KENYA),
        ("what is the largest city in the world", MEXICO_CITY),
        ("what is the most populous country in africa", TANZANIA),
        ("what is the most populous city in europe", MOSCOW),
        ("what is the most populous island", HONSHU),
        ("what is the largest city in the world", DAEGU),
        ("what is the highest point on earth", DOMINICA),
        ("what was the largest empire ever", PERSIA),
        ("what is the tallest building in the world", TOWER),
        ("what is the longest river in africa", DOUBTED),
        ("what is the second largest city in nigeria after kano", KANO),
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


def test_it_is_searched_deeper_where_the_first_passages_do_not_say_it():
    found = [Hit(passage, 1.0, rank) for rank, passage in enumerate((NILE, LUZON, KENYA, KANO, GREENLAND), start=1)]
    retriever = SimpleNamespace(search=lambda query, k: found[:k])
    hits = with_ranked("what is the biggest island in the world", found[:2], retriever)
    assert [(hit.passage.title, hit.rank) for hit in hits] == [("Greenland", 1), ("Nile", 2)]
    assert with_ranked("what is the biggest lake in the world", found[:2], retriever) == tuple(found[:2])
    assert with_ranked("how large is greenland", found[:2], None) == tuple(found[:2])
    said = with_ranked("what is the longest river in africa", found[:2], None)
    assert said == tuple(found[:2]), "what is said there need not be searched"
    named = with_ranked("what is the largest city in nigeria", found[:2], retriever)
    assert [hit.passage.title for hit in named] == ["Kano", "Nile"]


def test_a_description_that_ends_with_an_abbreviation_is_a_sentence_of_its_own():
    lead = "Foo is a lake on the longest arm of Africa's second-longest river, the Bar."
    lake = Passage("f", "Foo", f"Short description: Lake in Zambia and Congo DR.\n{lead}")
    assert answer_of(ranked, "what is the second longest river in africa", lake, probability=PROBABILITY) is None
