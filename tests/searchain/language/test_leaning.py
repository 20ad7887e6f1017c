"""Which questions can only be understood after the conversation before them."""

import pytest

from searchain.language.leaning import is_fragment_name, is_whole, leans_on, needs_history, points_at_thing, points_back
from searchain.types import Exchange

ISLAND = [Exchange("what is the biggest island in the world", "Greenland [1].", "Greenland")]


@pytest.mark.parametrize(
    "question",
    [
        "what is osmosis",
        "who was caesar",
        "who discovered gravity",
        "what causes rain",
        "are whales fish",
        "can penguins fly",
        "bats are birds",
        "define osmosis",
        "explain black holes",
        "do elephants bury their dead",
        "how do bees make their honey",
        "how old was mozart when he died",
        "is it true that bats are blind",
        "is it safe to eat raw eggs",
        "how long does it take to fly to mars",
        "why does it rain in summer",
        "are spiders and insects the same",
        "what is gravity",
        "what is death",
        "is water wet",
        "where do they speak dutch",
        "what do they speak in brazil",
        "is it raining",
        "what day is it",
        "who are those who rule in a monarchy",
        "When did Disneyland open its gates?",
    ],
)
def test_a_whole_question_leans_on_nothing(question):
    assert not leans_on(ISLAND, question)


@pytest.mark.parametrize(
    "question",
    [
        "how big is it",
        "why?",
        "where",
        "in asia",
        "and in asia?",
        "the second largest",
        "population",
        "how old",
        "who was king",
        "what about its people",
        "is it true",
        "how long does it take to fly there",
        "do they bury their dead",
        "is it safe to live there",
        "which one is older",
        "what does the other one do",
    ],
)
def test_a_question_that_points_back_or_is_a_fragment_leans(question):
    assert leans_on(ISLAND, question)
    assert not leans_on([], question)


def test_a_thing_is_meant_by_its_kind():
    beatles = [Exchange("Who were the Beatles?", "", "English rock band")]
    assert leans_on(beatles, "Where was the band formed?")
    assert not leans_on(ISLAND, "where was the band of the rolling stones formed")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what is gravity", True),
        ("what is its mass", False),
        ("who was king", False),
        ("how big", False),
        ("who else knows", False),
        ("list planets", True),
        ("cats are mammals", True),
        ("population is growing", False),
        ("largest city", False),
    ],
)
def test_a_few_words_can_be_a_whole_question(question, expected):
    assert is_whole(question) is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [("germany", True), ("black holes", True), ("population", False), ("second largest", False), ("country", False)],
)
def test_a_fragment_may_be_a_name(question, expected):
    assert is_fragment_name(question) is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how big is it?", True),
        ("what is its population", True),
        ("how does it work", True),
        ("what colour is it", True),
        ("is it old", True),
        ("is it true", False),
        ("what time is it", False),
        ("how are you", False),
    ],
)
def test_it_may_be_a_thing(question, expected):
    assert points_at_thing(question) is expected


def test_only_a_pointing_word_can_be_replaced():
    assert points_back("how deep is it?")
    assert points_back("where was the band formed")
    assert not points_back("And Sweden?")
    assert needs_history("And Sweden?")
