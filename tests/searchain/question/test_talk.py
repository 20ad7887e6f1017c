"""What is no question to a library, by the real head."""

import pytest

from searchain.question.talk import REPLIES, Talk, talk_of
from searchain.question.wording import bare_question
from tests.support.question_head import head


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("hey, how are you doing?", "greeting"),
        ("thank you very much", "thanks"),
        ("are you a robot?", "about"),
        ("tell me a funny joke", "creative"),
        ("what's the weather like today", "live"),
        ("i feel so lonely tonight", "personal"),
        ("asdf asdf asdf", "gibberish"),
        ("how do I export this conversation?", "program:export"),
        ("is there a dark mode", "program:dark"),
        ("who wrote the poem The Raven", None),
        ("how does photosynthesis work", None),
        ("hi, could you please tell me who wrote Hamlet?", None),
        ("how do plants share nutrients", None),
    ],
)
def test_talk_is_told_with_its_kind_and_questions_to_the_library_are_none(said, kind):
    assert talk_of(said, head()) == (kind and Talk(kind, REPLIES[kind]))


@pytest.mark.parametrize(
    "question",
    [
        "When is the indoor pool open on Tuesday?",
        "How heavy is the boat trailer T-9?",
        "what did the auditors find",
        "who is responsible for the key to the cellar",
        "how do i reset the pump",
        "am I allowed to smoke on the balcony",
        "what should I do if the alarm goes off",
    ],
)
def test_questions_to_own_documents_are_searched(question):
    assert talk_of(question, head(), has_documents=True) is None


@pytest.mark.parametrize(
    ("question", "bare"),
    [
        ("hello! what is the capital of australia", "what is the capital of australia"),
        ("thanks! and who was Mary Shelley's husband?", "and who was Mary Shelley's husband?"),
        ("hey there can you tell me when rome was founded", "when rome was founded"),
        ("i want to know who discovered penicillin", "who discovered penicillin"),
        ("hello kitty creator", "hello kitty creator"),
        ("Please Please Me was recorded when?", "Please Please Me was recorded when?"),
    ],
)
def test_a_greeting_is_left_out_unless_it_belongs_to_the_question(question, bare):
    assert bare_question(question) == bare
