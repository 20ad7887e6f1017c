"""The heads that recognise questions whose answer has to be computed, and those for what holds now."""

import pytest

from searchain.question.sums import Sum, SumHead
from searchain.question.worded import NOW, WordedHead
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


@pytest.mark.parametrize(
    ("question", "is_for_now"),
    [
        ("Who is the CEO of Apple?", True),
        ("How many people live in Lagos?", True),
        ("What does the membership cost?", True),
        ("Who wrote Hamlet?", False),
        ("When was the bridge built?", False),
        ("What is the capital of Australia?", False),
        ("Who was the first president of Ghana?", False),
        ("How do rainbows form?", False),
    ],
)
def test_a_question_for_what_holds_now_is_recognised(question, is_for_now):
    assert (WordedHead(QueryEncoder(), NOW).kind_of(question) == "now") is is_for_now
