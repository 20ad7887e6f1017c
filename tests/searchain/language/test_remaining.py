"""What is left of a question after its first step."""

import pytest

from searchain.language.same_query import MOST_ANSWER_WORDS, remaining_question


@pytest.mark.parametrize(
    ("question", "query", "answer", "left"),
    [
        (
            "On which Japanese island is the city where Nintendo has its headquarters?",
            "In which city does Nintendo have its headquarters?",
            "Kyoto",
            "On which Japanese island is Kyoto?",
        ),
        (
            "Who is the mother of the Texas business man that co-founded Ignite! Learning, Inc?",
            "Which Texas business man co-founded Ignite! Learning, Inc.?",
            "Neil Bush",
            "Who is the mother of Neil Bush?",
        ),
        (
            "How did the prominent member of the Astor family who was a lieutenant colonel die?",
            "Who was the prominent member of the Astor family who was a lieutenant colonel?",
            "John Jacob Astor IV",
            "How did John Jacob Astor IV die?",
        ),
        (
            'When was the film containing the song "I am here (A Theme)" published?',
            'Which film contains the song "I am here (A Theme)"?',
            "Treasure Planet",
            "When was Treasure Planet published?",
        ),
        (
            "where was the author of emma born",
            "Who is the author of Emma?",
            "Jane Austen",
            "where was Jane Austen born",
        ),
    ],
)
def test_the_answer_takes_the_place_of_the_description(question, query, answer, left):
    assert remaining_question(question, query, answer) == left


@pytest.mark.parametrize(
    ("question", "query", "answer"),
    [
        ("Which band released the album Messe?", "Which band released the album Messe?", "Ulver"),
        # what follows belongs to the description
        ("What is the oldest university that has never stopped?", "What is the oldest university?", "Al-Azhar"),
        ("What is the former name of the stadium of Porto?", "What is the former name of Ericsson?", "Mount Smart"),
        # two descriptions share words with the step
        ("When did the queen meet the author of Emma?", "Who is the author of Emma and the queen?", "Jane Austen"),
        # nothing is asked in the rest
        ("The band that released the album Messe came from Oslo.", "Which band released the album Messe?", "Ulver"),
        # the answer is a clause
        ("Who founded the band that released Messe?", "Which band released Messe?", "Ulver is a band of Oslo"),
        ("Who founded the band that released Messe?", "Which band released Messe?", " ".join("abcdefg")),
        ("Who founded the band that released Messe?", "Which band released Messe?", ""),
        ("Who directed the film that won an Oscar?", "Which film won an Oscar?", "Who Framed Roger Rabbit?"),
        ("Who founded the band that released Messe" + " so" * 250 + "?", "Which band released Messe?", "Ulver"),
    ],
)
def test_it_says_nothing_where_it_is_not_clear(question, query, answer):
    assert remaining_question(question, query, answer) is None


def test_the_limit_of_an_answer_counts_words():
    words = " ".join("abcdef"[:MOST_ANSWER_WORDS])
    assert remaining_question("Who founded the band that released Messe?", "Which band released Messe?", words)
