"""The encoder tells paraphrases from near misses, on the real model."""

import pytest

from searchain.language.same_query import same_query
from searchain.reading.similarity import QueryEncoder


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
