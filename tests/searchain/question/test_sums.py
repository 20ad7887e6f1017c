"""The head that recognises questions whose answer has to be computed."""

import pytest

from searchain.question.sums import Sum, SumHead
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
        ("How much heavier is the red boat than the blue one?", Sum.DIFFERENCE),
        ("How many times as long is the first tunnel as the second?", Sum.RATIO),
        ("What percentage of the budget is spent on rent?", Sum.SHARE),
        ("How many days lie between the order and the delivery?", Sum.DAYS),
        ("How much is the deposit?", None),
    ],
)
def test_what_is_to_be_computed_is_recognised(head, question, kind):
    assert head.of(question) is kind
