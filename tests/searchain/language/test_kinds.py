"""Which wordings ask for a definition or a comparison of two things, and which do not."""

import pytest

from searchain.language.questions import MORE, as_comparison, as_definition, asked_kind


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("who is Ada Lovelace", "Ada Lovelace"),
        ("Who was Ada Lovelace?", "Ada Lovelace"),
        ("what's a monsoon", "monsoon"),
        ("What are black holes?", "black holes"),
        ("tell me about Marie Curie.", "Marie Curie"),
        ("Tell me something about Mount Fuji", "Mount Fuji"),
        ("what do you know about the whales", "whales"),
        ("define photosynthesis", "photosynthesis"),
        ("definition of democracy", "democracy"),
        ("what is the meaning of osmosis", "osmosis"),
        ("What is Mercury (planet)?", "Mercury (planet)"),
    ],
)
def test_definitions(question, thing):
    asked = asked_kind(question)
    assert asked is not None
    assert asked.thing == thing


@pytest.mark.parametrize("question", ["Summarise the French Revolution.", "give me a summary of the French Revolution"])
def test_a_summary_is_longer(question):
    assert (asked_kind(question).thing, asked_kind(question).sentences) == ("French Revolution", MORE)


@pytest.mark.parametrize(
    ("question", "pairs"),
    [
        ("compare cats and dogs", [("cats", "dogs")]),
        ("Compare the Nile with the Amazon River.", [("Nile", "Amazon River")]),
        ("What is the difference between DNA and RNA?", [("DNA", "RNA")]),
        ("difference between alligators and crocodiles", [("alligators", "crocodiles")]),
        ("Mount Everest vs K2", [("Mount Everest", "K2")]),
        (
            "compare Trinidad and Tobago and Jamaica",
            [("Trinidad", "Tobago and Jamaica"), ("Trinidad and Tobago", "Jamaica")],
        ),
    ],
)
def test_comparisons_of_two_things(question, pairs):
    asked = asked_kind(question)
    assert asked is not None
    assert set(pairs) <= set(asked.ways)


@pytest.mark.parametrize(
    "question",
    [
        "which is higher, Mount Everest or K2?",
        "Is the Nile longer than the Amazon?",
        "what is the area of France",
        "who wrote Moby Dick",
        "tell me about him",
        "What is it?",
        "Why is the sky blue?",
        "what is the name of the longest river",
        "",
    ],
)
def test_other_questions(question):
    assert asked_kind(question) is None


def test_what_the_user_chose_is_read_as_that():
    assert as_definition("Nile").thing == "Nile"
    assert as_comparison("which is bigger, France or Germany?").ways == (("France", "Germany"),)
    assert as_comparison("Nile") is None
