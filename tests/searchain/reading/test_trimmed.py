"""Of a reading only the answer is left."""

import pytest

from searchain.reading.trimmed import named_last, of_one_end, trimmed, without_predicate
from searchain.types import Reading, Span


def reading(answer: str, start: int = 7) -> Reading:
    return Reading(answer, Span(start, start + len(answer)), 1.0)


@pytest.mark.parametrize(
    ("query", "answer", "name"),
    [
        ("capital of brazil", "Brasília is the capital of Brazil", "Brasília"),
        ("who ruled in the civil war", "Abraham Lincoln was the 16th president", "Abraham Lincoln"),
        ("who was Abraham Lincoln", "Abraham Lincoln was the 16th president", None),
        ("what is the largest city in Peru", "It is the largest city in Peru", None),
        ("what is the capital of France", "The city is the capital of France", None),
        ("?", "Lima is a city", None),
    ],
)
def test_of_a_sentence_that_repeats_the_question_the_name_is_left(query, answer, name):
    assert without_predicate(query, reading(answer)).answer == (name or answer)


@pytest.mark.parametrize(
    ("query", "answer", "end"),
    [
        ("In what year did the show start on television?", "1963–2025", "1963"),
        ("when did it open", "2 May 1903 until 6 June 1905", "2 May 1903"),
        ("when did the war end", "1939 to 1945", "1945"),
        ("when did napoleon become emperor", "1804 until 1814", "1804"),
        ("when did he take office", "1789 to 1797", "1789"),
        ("when did nixon resign", "1969 to 1974", "1974"),
        ("when did italy become a republic", "1861–1946", None),
        ("when was the crown colony of hong kong", "1843–1941", None),
        ("when was he elected", "1789 to 1797", None),  # it may have been the year before
        ("when did the show end", "1989–present", None),
        ("when did the war start and end", "1939 to 1945", None),
        ("when was the war", "1939 to 1945", None),
        ("who started the war", "1939 to 1945", None),
        ("which stadium opened first", "1903-1905", None),
    ],
)
def test_of_a_period_the_end_that_is_asked_for_is_left(query, answer, end):
    found = of_one_end(query, reading(answer))
    assert found.answer == (end or answer)
    assert found.span == Span(7 + answer.index(found.answer), 7 + answer.index(found.answer) + len(found.answer))


@pytest.mark.parametrize(
    ("query", "answer", "name"),
    [
        ("what is the name of the narrator's lost love", "The narrator laments the loss of his love, Lenore", "Lenore"),
        ("who wrote the poem", "The narrator laments the loss of his love, Lenore", None),
        ("what is the name of the city", "the largest city, Lyon", None),  # short as it is
    ],
)
def test_of_a_clause_the_name_of_what_is_asked_for_is_left(query, answer, name):
    found = named_last(query, reading(answer))
    assert found.answer == (name or answer)
    assert found.span == Span(7 + answer.index(found.answer), 7 + len(answer))


def test_an_answer_stays_as_it_is():
    assert trimmed("who wrote Emma", reading("Jane Austen")) == reading("Jane Austen")
