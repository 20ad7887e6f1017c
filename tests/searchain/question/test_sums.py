"""The heads that recognise questions whose answer has to be computed, and those for what holds now."""

import pytest

from searchain.question.sums import Sum, SumHead
from searchain.question.worded import NOW, WordedHead
from searchain.reading.similarity import QueryEncoder
from tests.support.json_lines import kept


@pytest.fixture(scope="module")
def head():
    return SumHead(QueryEncoder())


@pytest.mark.parametrize(("question", "kind"), kept("asked-sums.json")["kinds"])
def test_what_is_to_be_computed_is_recognised(head, question, kind):
    assert head.of(question) is (kind and Sum(kind))


@pytest.mark.parametrize(("question", "is_for_now"), kept("asked-sums.json")["now"])
def test_a_question_for_what_holds_now_is_recognised(question, is_for_now):
    assert (WordedHead(QueryEncoder(), NOW).kind_of(question) == "now") is is_for_now
