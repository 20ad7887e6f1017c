"""A checked text: which sentences are looked up, their states and sources, and what a stop keeps."""

import pytest

from searchain.cancel import CancelToken
from searchain.check.claims import MOST, text_of
from searchain.errors import UsageError
from searchain.events import SentenceBound, fold, from_payload, to_payload
from searchain.types import Outcome, Status, Support
from tests.support.checks import checker
from tests.support.json_lines import DATA

TEXT = (DATA / "kinds/checked.md").read_text(encoding="utf-8")


def test_each_sentence_has_its_state_and_its_source():
    turn = fold(from_payload(to_payload(event)) for event in checker().stream(TEXT))
    assert [(one.said, one.support.value) for one in turn.sentences] == [
        ("Hello!", "own"),
        ("The rent is 900 euros.", "supported"),
        ("It is 950 euros.", "contradicted"),
        ("Is that fair?", "own"),
        ("The gate is closed at noon.", "unsupported"),  # it cites the lease, and the rules say it
        ("Pets are allowed.", "supported"),  # what it cites is not at hand
        ("A lift is planned.", "absent"),
    ]
    assert turn.answer.startswith("# Your flat\n\nHello! The rent is 900 euros [1]. It is 950 euros [2]. Is")
    wrong = turn.sentences[2]
    assert turn.answer[wrong.uncarried[0].start : wrong.uncarried[0].end] == "950"
    assert turn.source(2).quote == "900 euros"
    for one in turn.sentences:
        assert turn.answer[one.start : one.end] == one.text
        assert all(turn.answer[mark.start : mark.end] == f"[{mark.number}]" for mark in one.marks)
    assert (turn.status, turn.outcome, turn.system) == (Status.PARTIAL, Outcome.UNSURE, "check")
    assert turn.message == "2 of 5 claims are supported; 1 contradicted; 1 not in what it cites; 1 not in the documents"


def test_a_sentence_with_a_pronoun_is_looked_up_with_the_one_before():
    turn = fold(checker().stream("The gate is old. It is closed at noon."))
    assert (turn.hits["s2"][0].passage.title, turn.sentences[1].support) == ("rules.txt", Support.SUPPORTED)


@pytest.mark.parametrize(
    ("text", "outcome", "message"),
    [
        ("Pets are allowed.", Outcome.QUOTED, "1 of 1 claims are supported"),
        ("Hello! How are you?", Outcome.NO_SEARCH, "no sentence claims something"),
    ],
)
def test_how_a_check_ends(text, outcome, message):
    turn = fold(checker().stream(text))
    assert (turn.status, turn.outcome, turn.message) == (Status.ANSWERED, outcome, message)


def test_a_stop_keeps_the_sentences_that_were_judged():
    cancel, events = CancelToken(), []
    for event in checker().stream(TEXT, cancel=cancel):
        events.append(event)
        if sum(isinstance(one, SentenceBound) for one in events) == 3:
            cancel.set()
    turn = fold(events)
    assert (turn.status, len(turn.sentences)) == (Status.STOPPED, 3)
    assert turn.message.startswith("1 of 2 claims are supported")


@pytest.mark.parametrize(("text", "said"), [(" \n", "the text is empty"), ("a b. " * MOST, "check it in parts")])
def test_a_text_that_cannot_be_checked(text, said):
    with pytest.raises(UsageError, match=said):
        text_of(text)
