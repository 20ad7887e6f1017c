"""Questions that ask for several things, and questions that only look so."""

import pytest

from tests.support.json_lines import kept
from tests.support.question_head import head


@pytest.mark.parametrize(("question", "parts"), [row for rows in kept("parts.json").values() for row in rows])
def test_a_question_for_several_things_has_parts(question, parts):
    assert list(head().parts(question)) == parts


def test_a_question_longer_than_the_model_reads_has_the_parts_that_were_read():
    long = "Who wrote The Trial and when was it written, " + "and so on " * 400
    assert head().parts(long)[0] == "Who wrote The Trial"
