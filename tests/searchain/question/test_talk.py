"""What is no question to a library, by the real head."""

import json
from pathlib import Path

import pytest

from searchain.language.languages import ENGLISH_ONLY
from searchain.question.follow_ups import bare_question
from searchain.question.head import QUESTION, stored_weights
from searchain.question.talk import AFTER, EXACT, REPLIES, Talk, talk_of
from tests.support.question_head import head

OWN_ASKED = Path("lab/data/own-asked.jsonl")


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
    ],
)
def test_talk_is_told_with_its_kind(said, kind):
    assert talk_of(said, head()) == Talk(kind, REPLIES[kind])


@pytest.mark.parametrize(
    "question",
    [
        "who wrote the poem The Raven",
        "how does photosynthesis work",
        "hi, could you please tell me who wrote Hamlet?",
        "how do plants share nutrients",
    ],
)
def test_a_question_to_the_library_is_none(question):
    assert talk_of(question, head()) is None


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


def test_none_of_the_questions_to_own_documents_is_taken_for_talk():
    asked = [json.loads(line)["question"] for line in OWN_ASKED.read_text(encoding="utf-8").splitlines()]
    assert [one for one in asked if isinstance(talk_of(one, head(), has_documents=True), Talk)] == []


def test_over_own_documents_greetings_and_thanks_are_talk():
    kinds = [talk_of(one, head(), has_documents=True) for one in ("hey, how are you doing?", "thank you very much")]
    assert [one.kind for one in kinds] == ["greeting", "thanks"]


def test_another_language_is_told_without_the_head():
    talk = talk_of("¿Quién escribió Don Quijote?")
    assert (talk.kind, talk.reply[: len(ENGLISH_ONLY)]) == ("language", ENGLISH_ONLY)


def test_more_in_a_conversation_has_a_reply_of_its_own():
    assert talk_of("more").reply == REPLIES["history"]
    assert talk_of("more", has_history=True).reply == REPLIES["history" + AFTER]


def test_every_kind_that_the_head_tells_has_a_short_reply():
    kinds = {kind for kind in stored_weights().talk.labels if not kind.startswith("documents:")} - {QUESTION}
    assert kinds | {"documents", "history" + AFTER} == set(REPLIES)
    assert all(20 <= len(reply) <= 220 for reply in REPLIES.values())
    assert set(EXACT.values()) <= {*kinds, "documents:topics", "documents:number"}


@pytest.mark.parametrize(
    ("question", "bare"),
    [
        ("hello! what is the capital of australia", "what is the capital of australia"),
        ("thanks! and who was Mary Shelley's husband?", "and who was Mary Shelley's husband?"),
        ("hey there can you tell me when rome was founded", "when rome was founded"),
        ("can you tell me where Kyoto is, please?", "where Kyoto is?"),
        ("i want to know who discovered penicillin", "who discovered penicillin"),
        ("Could you explain how vaccines work?", "explain how vaccines work?"),
        ("hello kitty creator", "hello kitty creator"),
        ("ok computer release date", "ok computer release date"),
        ("Please Please Me was recorded when?", "Please Please Me was recorded when?"),
    ],
)
def test_a_greeting_is_left_out_unless_it_belongs_to_the_question(question, bare):
    assert bare_question(question) == bare
