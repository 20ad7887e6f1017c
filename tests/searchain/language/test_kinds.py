"""Which wordings ask for a definition or a comparison of two things, and which do not."""

import pytest

from searchain.language.questions import asked_kind


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("who is Ada Lovelace", "Ada Lovelace"),
        ("what's a monsoon", "monsoon"),
        ("tell me about Marie Curie.", "Marie Curie"),
        ("define photosynthesis", "photosynthesis"),
        ("what is the meaning of osmosis", "osmosis"),
        ("What is Mercury (planet)?", "Mercury (planet)"),
    ],
)
def test_definitions(question, thing):
    asked = asked_kind(question)
    assert asked is not None
    assert asked.thing == thing


@pytest.mark.parametrize(
    ("question", "pairs"),
    [
        ("compare cats and dogs", [("cats", "dogs")]),
        ("What is the difference between DNA and RNA?", [("DNA", "RNA")]),
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
        "who wrote Moby Dick",
        "tell me about him",
        "",
    ],
)
def test_other_questions(question):
    assert asked_kind(question) is None
