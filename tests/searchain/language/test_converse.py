"""A relation and its converse are told apart."""

import pytest

from searchain.language.converse import is_converse, is_the_described
from searchain.types import Passage, Span


def found(query: str, said: str, answer: str) -> bool:
    start = said.index(answer)
    return is_converse(query, Passage("p", "P", said), Span(start, start + len(answer)))


@pytest.mark.parametrize(
    ("query", "said", "answer"),
    [
        ("who was the son of king leonidas?", "Leonidas I was the son of king Anaxandridas II.", "Anaxandridas II"),
        ("what is the capital of australia", "Melbourne is the capital of Victoria, Australia.", "Victoria"),
        ("Who is the author of Emma?", "Jane Austen, the author of Persuasion, wrote on.", "Persuasion"),
    ],
)
def test_whose_relation_somebody_is_does_not_answer(query, said, answer):
    assert found(query, said, answer)


@pytest.mark.parametrize(
    ("query", "said", "answer"),
    [
        ("who was the father of leonidas", "Leonidas I was the son of king Anaxandridas II.", "Anaxandridas II"),
        ("what is the capital of victoria", "The capital of Victoria is Melbourne.", "Melbourne"),
        ("Jane Austen is the author of which novel?", "Jane Austen is the author of Emma.", "Emma"),
        ("What is the capital of Fiji?", "Most live in the capital city of Suva, or in Nadi.", "Suva"),
        ("Suva is the capital of which country?", "Suva is the capital of Fiji.", "Fiji"),
    ],
)
def test_any_other_reading_may(query, said, answer):
    assert not found(query, said, answer)


@pytest.mark.parametrize(
    ("query", "title", "lead"),
    [
        ("Who married Napoleon?", "Josephine", "Josephine was the first wife of Napoleon."),
        ("Who succeeded Queen Victoria?", "Edward VII", "Edward VII was the eldest son of Queen Victoria."),
        ("Who replaced Thatcher?", "John Major", "John Major was chancellor under Thatcher."),
    ],
)
def test_who_is_described_by_another_may_be_the_answer(query, title, lead):
    assert not is_the_described(query, Passage("p", title, lead), title)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Who succeeded the first president of the United States?", True),
        ("who preceded the first president of the united states", True),
        ("Who was the first president of the United States?", False),
        ("Who succeeded the second president of the United States?", False),
    ],
)
def test_who_is_described_did_not_succeed_himself(query, expected):
    lead = "George Washington was a Founding Father and the first president of the United States."
    assert is_the_described(query, Passage("w", "George Washington", lead), "George Washington") is expected


def test_who_is_named_is_not_the_answer():
    lead = Passage("n", "Napoleon", "Napoleon Bonaparte was Emperor of the French.")
    assert is_the_described("who married napoleon", lead, "Napoleon Bonaparte")
