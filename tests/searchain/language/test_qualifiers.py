"""Ranks and parts of places that decide whether a sentence answers a question."""

import pytest

from searchain.language.qualifiers import (
    SEVERAL,
    counts_some,
    has_other_rank,
    is_of_a_part,
    is_of_another,
    is_ranked_lower,
    ranks,
    states_no_rank,
)
from searchain.types import Passage, Span


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


@pytest.mark.parametrize(
    ("question", "title", "sentence", "figure", "is_other"),
    [
        ("how high is k2", "K2", "It is second, after Mount Everest at 8,849 metres.", "8,849", True),
        ("how high is everest", "K2", "It is second, after Mount Everest at 8,849 metres.", "8,849", False),
        ("how tall is the shard", "The Shard", "The Shard is a skyscraper in London, at 309.6 metres.", "309.6", False),
        ("how long is the nile", "Nile", "It flows into the Mediterranean Sea (6,650 km).", "6,650", False),
    ],
)
def test_a_figure_that_belongs_to_what_the_sentence_compares_with(question, title, sentence, figure, is_other):
    start = sentence.index(figure)
    assert is_of_another(question, Passage("1", title, sentence), Span(start, start + len(figure))) is is_other


@pytest.mark.parametrize(
    ("question", "sentence", "figure", "is_some"),
    [
        ("how many moons does jupiter have", "Jupiter has four Galilean moons.", "four", True),
        ("how many galilean moons does jupiter have", "Jupiter has four Galilean moons.", "four", False),
        ("how many moons does mars have", "Mars has two moons.", "two", False),
        ("how many moons orbit jupiter", "Jupiter has four Galilean moons.", "four", True),
        ("how many dwarf planets are there", "It is unlike the eight classical planets.", "eight", True),
        ("how many dwarf planets are there", "There are five dwarf planets.", "five", False),
        ("how many states are in the us", "The 50 states, and the states of the past, are in it.", "50", False),
        ("how many moons are there", "It is one of the four large Galilean moons.", "four large Galilean", True),
        ("how many moons are there", "There are two hundred moons.", "two hundred", False),
        ("how tall is it", "It has two main towers.", "two", False),
    ],
)
def test_a_count_of_some_of_the_things(question, sentence, figure, is_some):
    start = sentence.index(figure)
    assert counts_some(question, Passage("1", "", sentence), Span(start, start + len(figure))) is is_some


@pytest.mark.parametrize(
    ("query", "lead", "expected"),
    [
        ("what is the largest bank in the world", "It is a family of five organizations.", True),
        ("what's the biggest bank", "It is the largest bank by assets.", False),
        ("which is the tallest mountain", "It is the highest mountain on Earth.", False),
        ("what is the oldest bank", "It is the largest bank.", True),
        ("what is Norway's biggest bank by assets", "It is a family of five organizations.", True),
        ("who was the best known painter", "He was a painter.", False),  # nothing that can be measured
        ("which bank was founded in the west", "It is a bank.", False),
        ("Who was the first Tsar of all Russia?", "Peter was Tsar of all Russia, then the first Emperor.", True),
        ("Who was the first Tsar of all Russia?", "Ivan was the first Russian Tsar.", False),
        ("Who was the first American in space?", "He was the first American to travel into space.", False),
        ("Who was the first American in space?", "He was the first pilot to cross the sea.", True),
        ("who was the first woman to win a Nobel Prize", "He was the first king to rule.", True),
        ("who was the first US president", "He was the first president of the United States.", False),
        ("who was the first British prime minister", "He was the first prime minister.", False),
        ("who was the first man on the moon", "He was the first person to walk on the Moon.", False),
        ("who was the first female president", "She was the first woman who was president.", False),
        ("who was first", "He came second.", False),
    ],
)
def test_a_passage_that_calls_nothing_the_largest(query, lead, expected):
    assert states_no_rank(query, Passage("b", "Bank", lead)) is expected


@pytest.mark.parametrize(
    ("query", "lead", "expected"),
    [
        ("What is Canada's largest province by area?", "It is the second-largest province by area.", True),
        (
            "What is Canada's largest province?",
            "It is the largest province and the second-largest province by age.",
            False,
        ),
        ("What is Australia's largest island?", "It is the 26th-largest island in the world.", False),
        ("What is the largest island in the world?", "It is the 26th-largest island in the world.", True),
        ("What is the largest province in Canada?", "It is the second-largest province in Canada after Quebec.", True),
        ("Who was the 24th president?", "He was the 22nd and 24th president.", False),
        ("What is the smallest mammal?", "It is among the smallest mammals.", False),
        ("What is Canada's largest city?", "It is the second-largest province.", False),
    ],
)
def test_an_article_that_gives_its_subject_a_lower_rank(query, lead, expected):
    assert is_ranked_lower(query, Passage("o", "Ontario", lead), "Ontario") is expected


def test_the_rank_of_another_article_says_nothing():
    lead = "It is the second-largest province."
    assert not is_ranked_lower("What is the largest province?", Passage("o", "Ontario", lead), "Quebec")
