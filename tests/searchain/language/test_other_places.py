"""Places that a passage speaks of instead of the one that is asked about."""

import pytest

from searchain.language.other_places import is_elsewhere, is_of_the_whole

MADRID = "Madrid is the capital and most populous city of Spain. It is the second-largest city in the European Union."
KILIMANJARO = "Mount Kilimanjaro is in Tanzania. It is the highest mountain in Africa."
RUSSIA = "Russia is a country in Europe and Asia. It is the largest country in the world."
BARCELONA = "Barcelona is a city in Spain, the largest city of the autonomous community of Catalonia."
SUPERIOR = "Lake Superior is a lake in central North America. It is the largest lake there."
OTTAWA = "Ottawa is the capital city of Canada. It lies in Ontario, not in Manitoba."
WINNIPEG = "Winnipeg is the capital and largest city of the province of Manitoba in Canada."


@pytest.mark.parametrize(
    ("query", "title", "words", "expected"),
    [
        ("largest city in Spain", "Madrid", MADRID, False),
        ("highest mountain in Tanzania", "Mount Kilimanjaro", KILIMANJARO, False),
        ("largest country in Europe", "Russia", RUSSIA, False),
        ("what the largest city in spain?", "Barcelona", BARCELONA, True),
        ("largest city in catalonia", "Barcelona", BARCELONA, False),
        ("what is the second-to-largest city in Spain", "Barcelona", BARCELONA, False),
        ("What is the capital of the province of Manitoba, Canada?", "Ottawa", OTTAWA, True),
        ("What is the capital of the province of Manitoba, Canada?", "Winnipeg", WINNIPEG, False),
        ("capital of canada", "Ottawa", OTTAWA, False),
        ("largest lake in Central America", "Lake Superior", SUPERIOR, True),
        ("largest lake in North America", "Lake Superior", SUPERIOR, False),
    ],
)
def test_what_is_said_of_another_place(query, title, words, expected):
    assert is_elsewhere(query, title, words, title) is expected


@pytest.mark.parametrize(
    ("query", "sentence", "expected"),
    [
        ("What was the capital of West Germany?", "The capital is Berlin.", True),
        ("What was the capital of West Germany?", "The capital of West Germany was Bonn.", False),
        ("What is the capital of Germany?", "The capital is Berlin.", False),
        ("What separates East and West Germany?", "The capital is Berlin.", False),
        ("the capital of west germany", "The capital is Berlin.", False),  # a direction without a capital may be one
    ],
)
def test_a_part_is_asked_about_and_the_article_is_about_the_whole(query, sentence, expected):
    assert is_of_the_whole(query, "Germany", sentence) is expected
