"""What kind of answer a query wants, and whether a span can be one."""

import pytest

from searchain.language.answer_kinds import AnswerKind, fits, kind_asked
from tests.support.json_lines import kept


@pytest.mark.parametrize(("query", "kind"), kept("answer-kinds.json")["kinds"])
def test_the_words_of_a_query_tell_what_it_wants(query: str, kind: str) -> None:
    assert kind_asked(query) is AnswerKind(kind)


@pytest.mark.parametrize(("query", "answer", "expected"), kept("answer-kinds.json")["fitting"])
def test_what_can_hardly_be_the_answer_does_not_fit(query: str, answer: str, expected: bool) -> None:
    assert fits(query, answer) is expected
