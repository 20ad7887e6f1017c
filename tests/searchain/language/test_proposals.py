"""The open question behind one that proposes its answer."""

import pytest

from searchain.language.proposals import proposal


@pytest.mark.parametrize(
    ("question", "opened", "value"),
    [
        ("is istanbul the capital of turkey", "what is the capital of turkey", "istanbul"),
        ("Is the Nile the longest river in Africa?", "what is the longest river in Africa", "the Nile"),
        ("was obama the first president of kenya", "who was the first president of kenya", "obama"),
        ("Did Edison invent the telephone?", "who invented the telephone", "Edison"),
        ("was hamlet written by marlowe", "who wrote hamlet", "marlowe"),
        ("was star wars directed by george lucas?", "who directed star wars", "george lucas"),
        ("is venus the hottest planet", "what is the hottest planet", "venus"),
        ("did the titanic sink in 1915", "when did the titanic sink", "1915"),
        ("was marie curie born in 1868", "when was marie curie born", "1868"),
    ],
)
def test_what_is_proposed_becomes_a_question_and_a_value(question, opened, value):
    found = proposal(question)
    assert (found.question, found.value) == (opened, value)


@pytest.mark.parametrize(
    "question",
    [
        "are bats mammals",
        "is the earth flat",
        "is venus bigger than jupiter",
        "was marie curie born in poland",
        "who invented the telephone",
        "did rome or carthage win the first punic war",
        "is the moon the same size as the sun",
        "were the beatles from liverpool",
        "was hamlet not written by shakespeare",
        "was the club founded by a German photographer",
        "did a woman invent the telephone",
        "",
    ],
)
def test_where_nothing_unique_is_proposed_there_is_none(question):
    assert proposal(question) is None
