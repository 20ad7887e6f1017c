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


def test_the_cosine_of_a_query_with_itself_is_one(encoder):
    assert encoder("Who?", "Who?") == pytest.approx(1.0, abs=1e-5)


def test_texts_that_were_embedded_together_are_as_alike_as_alone(encoder):
    texts = ["Who wrote Hamlet?", "A much longer text about the author of Hamlet, and where he was born.", "Kyoto", ""]
    together = QueryEncoder()
    together.prepare(texts)
    for text in texts:
        assert together("Who wrote Hamlet?", text) == pytest.approx(encoder("Who wrote Hamlet?", text), abs=1e-4)
