"""Ranks and parts of places that decide whether a sentence answers a question."""

import pytest

from searchain.language.qualifiers import SEVERAL, has_other_rank, is_of_a_part, ranks


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("the largest planet", [(1, "largest")]),
        ("the second-largest city", [(2, "largest")]),
        ("the 16th President", [(16, "")]),
        ("one of the longest rivers", [(SEVERAL, "longest")]),
        ("the third most populous state", [(3, "most populous")]),
        ("the tallest mountain", [(1, "highest")]),
        ("the Forest of Dean in the west, a rest for an honest priest", []),
    ],
)
def test_ranks(words, expected):
    assert [(rank.number, rank.superlative) for rank in ranks(words)] == expected


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("what is the largest planet", "Neptune is the fourth-largest planet by diameter.", True),
        ("what is the largest planet", "Jupiter is the largest planet, Saturn the second-largest planet.", False),
        ("longest river in africa", "The Zambezi is the fourth-longest river in Africa.", True),
        ("longest river in africa", "It is the longest east-flowing river, and the fourth-longest river.", True),
        ("longest river in africa", "The Nile is one of the longest rivers in Africa.", True),
        ("Who was the second person on the Moon?", "Armstrong was the first person on the Moon.", True),
        ("Who was the first person on the Moon?", "Armstrong was the first person on the Moon.", False),
        ("What is the largest lake?", "It has the second-largest population.", False),
        ("Who painted it?", "It is his second-largest painting.", False),
    ],
)
def test_another_rank(question, sentence, expected):
    assert has_other_rank(question, sentence) is expected


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("capital of australia", "Perth is the capital city of Western Australia.", True),
        ("capital of Western Australia", "Perth is the capital city of Western Australia.", False),
        ("capital of mexico", "Santa Fe is the capital of New Mexico.", True),
        ("capital of australia", "Canberra, in south eastern Australia, is the capital of Australia.", False),
        ("when did the korean war start", "The Korean War began when North Korea invaded.", False),
        ("who founded it", "It was founded in Western Australia.", False),
    ],
)
def test_a_part_of_the_place(question, sentence, expected):
    assert is_of_a_part(question, sentence) is expected
