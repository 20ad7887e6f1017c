"""What is no question to a library, by the real head."""

import pytest

from searchain.question.talk import REPLIES, Talk, talk_of
from tests.support.json_lines import kept
from tests.support.question_head import head


@pytest.mark.parametrize(("said", "kind"), kept("talk.json")["talk"])
def test_talk_is_told_with_its_kind_and_questions_to_the_library_are_none(said, kind):
    assert talk_of(said, head()) == (kind and Talk(kind, REPLIES[kind]))


@pytest.mark.parametrize("question", kept("talk.json")["own documents"])
def test_questions_to_own_documents_are_searched(question):
    assert talk_of(question, head(), has_documents=True) is None
