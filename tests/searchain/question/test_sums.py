"""The head that recognises questions whose answer has to be computed."""

import numpy as np
import pytest

from searchain.errors import SetupError
from searchain.question.sums import Sum, SumHead, with_words
from searchain.reading.similarity import QueryEncoder


@pytest.fixture(scope="module")
def head():
    return SumHead(QueryEncoder())


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What did the kitchen cost us altogether?", Sum.TOTAL),
        ("What is the average length of the bridges?", Sum.AVERAGE),
        ("How many of the cabins have a stove?", Sum.COUNT),
        ("Which of our suppliers is the most expensive?", Sum.LARGEST),
        ("Which cabin is the cheapest?", Sum.SMALLEST),
        ("How much heavier is the red boat than the blue one?", Sum.DIFFERENCE),
        ("How many times as long is the first tunnel as the second?", Sum.RATIO),
        ("What percentage of the budget is spent on rent?", Sum.SHARE),
        ("How many days lie between the order and the delivery?", Sum.DAYS),
        ("How much is the deposit?", None),
        ("Who is the treasurer of the society?", None),
        ("In which room is Carla Benedetti?", None),
    ],
)
def test_what_is_to_be_computed_is_recognised(head, question, kind):
    assert head.of(question) is kind


def test_words_follow_the_embedding():
    assert with_words(np.zeros(1), "What is the total?", ["sum", "total"]).tolist() == [0.0, 0.0, 0.5]


def test_damaged_weights_are_named(tmp_path):
    (tmp_path / "sums.json").write_text("{}")
    with pytest.raises(SetupError, match=r"sums\.json"):
        SumHead(QueryEncoder(), tmp_path / "sums.json")
