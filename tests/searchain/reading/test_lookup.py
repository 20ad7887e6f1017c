"""What is read in the passages of a query."""

import pytest

from searchain.reading.lookup import without_predicate
from searchain.types import Reading, Span


@pytest.mark.parametrize(
    ("query", "answer", "name"),
    [
        ("capital of brazil", "Brasília is the capital of Brazil", "Brasília"),
        ("what is the largest city in Peru", "It is the largest city in Peru", None),
        ("what is the capital of France", "The city is the capital of France", None),
        ("?", "Lima is a city", None),
    ],
)
def test_of_a_sentence_that_repeats_the_question_the_name_is_left(query, answer, name):
    assert without_predicate(query, Reading(answer, Span(0, len(answer)), 1.0)).answer == (name or answer)
