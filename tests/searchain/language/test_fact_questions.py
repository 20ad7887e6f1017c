"""Which plain fact a question asks for, and about what."""

import pytest

from searchain.language.fact_questions import Fact, asked_fact


@pytest.mark.parametrize(
    ("question", "fact", "thing", "what"),
    [
        ("Who wrote the novel ‘Dracula’?", Fact.MAKER, "Dracula", "write"),
        ("who's the author of the odyssey", Fact.MAKER, "odyssey", "write"),
        ("'Emma' was written by whom?", Fact.MAKER, "Emma", "write"),
        ("who directed the 1975 film jaws", Fact.MAKER, "jaws", "direct"),
        ("Which 18th Century composer wrote ‘The Four Seasons’?", Fact.MAKER, "Four Seasons", "write"),
        ("Who wrote the 19th century novel ‘Anna Karenina’?", Fact.MAKER, "Anna Karenina", "write"),
        ("Who wrote the political treatise ‘The Prince’, published in 1532?", Fact.MAKER, "The Prince", "write"),
        ("who wrote the jungle book", Fact.MAKER, "jungle book", "write"),
        ('"Who wrote the opera "Dido and Aeneas"?"', Fact.MAKER, "Dido and Aeneas", "write"),
        ("Who is the author of the 'Harry Potter' books?", Fact.MAKER, "Harry Potter", "write"),
        ("In what modern-day country would you find Petra?", Fact.LIES_IN, "Petra", "country"),
        ("The Sinai Peninsula is part of which country?", Fact.LIES_IN, "Sinai Peninsula", "country"),
        (
            "During which year did the Channel Tunnel, between England and France, open?",
            Fact.MADE,
            "Channel Tunnel",
            "open",
        ),
        ("What nationality is Carlos Slim, the richest of all?", Fact.NATIONALITY, "Carlos Slim", ""),
        ("when did the berlin wall come down", Fact.ENDED, "berlin wall", ""),
        ("when was Emma published?", Fact.APPEARED, "Emma", ""),
        ("what year was mozart born", Fact.BORN, "mozart", ""),
        ("When did Mozart die?", Fact.DIED, "Mozart", ""),
        ("when did the french revolution start", Fact.BEGAN, "french revolution", ""),
        ("when did the berlin wall fall", Fact.ENDED, "berlin wall", ""),
        ("In which city in England is the Tower?", Fact.LIES_IN, "Tower", "city"),
        ("when did ww1 start and end", Fact.LASTED, "ww1", ""),
        ("What years was the American Civil War?", Fact.LASTED, "American Civil War", ""),
        ("when did the french revolution take place", Fact.LASTED, "french revolution", ""),
        ("where is peru located on a map", Fact.PLACE, "peru", ""),
        ("capital of peru", Fact.ROLE, "peru", "capital"),
        ("what is the name of the currency used in china", Fact.ROLE, "china", "currency"),
        ("how tall is mont blanc?", Fact.MEASURE, "mont blanc", "height"),
        ("what is the population of peru", Fact.MEASURE, "peru", "population"),
        ("what's the chemical symbol for iron", Fact.MEASURE, "iron", "symbol"),
    ],
)
def test_a_plain_question_names_fact_and_thing(question, fact, thing, what):
    asked = asked_fact(question)
    assert (asked.fact, asked.thing, asked.what) == (fact, thing, what)


@pytest.mark.parametrize(
    "question",
    [
        "why did the berlin wall fall",
        "who wrote to the pope about it, and when?",
        "did mozart die young",
        "what is peru",
    ],
)
def test_any_other_question_names_none(question):
    assert asked_fact(question) is None
