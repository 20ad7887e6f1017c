"""DuplicateQuery is about meaning: names, relation and kind of answer first, the encoder for the rest."""

import pytest

from searchain.language.same_query import SIMILAR, same_query
from searchain.reading.similarity import QueryEncoder
from tests.support.json_lines import kept

SAME, DIFFERENT = kept("same-queries.json").values()


@pytest.mark.parametrize(("one", "other"), SAME)
def test_paraphrases_are_one_query(one, other):
    assert same_query(one, other)
    assert same_query(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_queries_stay_different_whatever_the_encoder_says(one, other):
    assert not same_query(one, other)
    assert not same_query(one, other, lambda a, b: 1.0)


def test_the_encoder_decides_what_words_leave_open():
    one, other = "Where is Nintendo headquartered?", "In which city does Nintendo have its main office?"
    assert same_query(one, other, lambda a, b: SIMILAR)
    assert not same_query(one, other, lambda a, b: SIMILAR - 0.01)
    assert not same_query(one, other)


@pytest.fixture(scope="module")
def encoder():
    return QueryEncoder()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Who wrote Hamlet?", "Who is the author of Hamlet?", True),
        ("Who founded Nintendo?", "Who was the founder of Nintendo?", True),
        ("Who wrote Hamlet?", "Who directed Hamlet?", False),
        ("When was the Eiffel Tower built?", "When was the Eiffel Tower sold?", False),
        ("What is the capital of Tanzania?", "What is the largest city of Tanzania?", False),
        ("Who founded Nintendo?", "Who founded Sega?", False),
    ],
)
def test_duplicates_by_meaning(encoder, one, other, expected):
    assert same_query(one, other, encoder) is expected
