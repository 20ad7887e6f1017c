"""Follow-ups made standalone by the trained model."""

import json
from pathlib import Path

import pytest

from searchain.errors import SetupError
from searchain.question.follow_ups import FollowUps, led_by
from searchain.types import Exchange
from tests.support.question_head import head

OWN = Path(__file__).parents[2] / "data" / "follow_ups.jsonl"


def said(*turns):
    return [Exchange(asked, f"{answer} [1].", answer) for asked, answer in turns]


MALI = said(("What is the capital of Mali?", "Bamako"))
EMMA = said(("Who wrote Emma?", "Jane Austen"))
TITANIC = said(("when did the titanic sink", "15 April 1912"))
CANAL = said(("What is the Suez Canal?", "Waterway in Egypt"), ("Which seas does the Suez Canal connect?", "Red Sea"))
LEASE = said(("how much is the rent of the flat in Elm Street", "900 euros"))


@pytest.mark.parametrize(
    ("history", "question", "whole"),
    [
        (MALI, "And Chad?", "What is the capital of Chad?"),
        (MALI, "what's its population", "what's Bamako's population"),
        (EMMA, "When was she born?", "When was Jane Austen born?"),
        (EMMA, "When did she write it?", "When did Jane Austen write Emma?"),
        (TITANIC, "where", "where did the titanic sink"),
        (TITANIC, "and the lusitania", "when did the lusitania sink"),
        (TITANIC, "who built it", "who built the titanic"),
        (CANAL, "How long is it?", "How long is the Suez Canal?"),
        (LEASE, "and the deposit", "how much is the deposit of the flat in Elm Street"),
        (MALI, "tell me more", "tell me more about Bamako"),
        ([], "When was it founded?", None),
        (MALI, "What is osmosis?", None),
        (MALI, "thanks", None),
        (MALI, "How old was Mozart when he died?", None),
        (MALI, "What time is it in Tokyo?", None),
        (MALI, "what do they speak in brazil", None),
        (LEASE, "How do I share this?", None),
    ],
)
def test_a_follow_up_becomes_a_question_of_its_own_and_anything_else_stays(history, question, whole):
    assert head().standalone(question, history) == (whole or question)


def test_follow_ups_over_own_documents():
    """At least 14 of 20 keep what the look-up needs."""
    rows = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]
    written = [head().standalone(row["question"], said((row["asked"], row["answer"]))) for row in rows]
    useful = [
        made
        for row, made in zip(rows, written, strict=True)
        if made != row["question"] and all(name in made for name in row["needs"])
    ]
    assert len(rows) == 20
    assert len(useful) >= 14


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was it founded?", True),
        ("And in 1990?", True),
        ("Sweden?", True),
        ("When was Nintendo founded?", False),
        ("How old was Mozart when he died?", False),
    ],
)
def test_what_leans_on_the_conversation(question, expected):
    assert head().leans(question, MALI) is expected
    assert not head().leans(question, [])


def test_questions_that_refer_to_one_another_lead_together():
    history = [*EMMA, *said(("When was she born?", "1775"), ("What is osmosis?", ""), ("Why is it slow?", ""))]
    assert led_by(history, lambda question, before: " it " in question) == "What is osmosis? Why is it slow?"


def test_words_beyond_the_models_input_are_left_out():
    long = "and what about the many rooms of the old house " * 100
    assert head().standalone(long, MALI)
    assert head().leans(long, said(*[(long, long)] * 5)) in (True, False)


def test_a_model_without_weights_is_named(tmp_path):
    with pytest.raises(SetupError, match=r"adapter\.safetensors"):
        FollowUps(tmp_path).standalone("how old is it", MALI)
