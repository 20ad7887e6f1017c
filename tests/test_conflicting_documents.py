"""Two versions of a document over the real Readers: what they say differently is named twice, what they share once."""

from __future__ import annotations

import json
from functools import partial

import pytest

from lab.benchmarks.conflicts import PAIRS
from lab.benchmarks.own_answers import ask, own_assistant, submitted
from searchain.events import fold
from searchain.types import Outcome
from storage.collections import access

CHOSEN = ("lease", "prices", "two_pumps")
RENT = "What is the monthly rent for 14 Mill Lane?"


@pytest.fixture(scope="module")
def pairs():
    return {pair["id"]: pair for pair in map(json.loads, PAIRS.read_text().splitlines())}


@pytest.fixture(scope="module")
def asked(pairs):
    with own_assistant() as assistant:
        collection = access.create(assistant._store, "local", "versions")
        files = {name: text.encode() for one in CHOSEN for name, text in pairs[one]["files"].items()}
        submitted(assistant, collection.id, files)
        yield partial(ask, assistant, index=collection.index)


def test_a_contract_and_its_amendment_are_both_named_the_newer_first(asked):
    reply = asked(RENT)
    assert reply["answer"].startswith(
        "Your documents differ: 1,620 euros (lease_mill_lane_amendment) [1], 1,450 euros (lease_mill_lane) [2]."
    )
    assert reply["conflict"] == [
        {"answer": "1,620 euros", "sources": [1], "date": "2023-05-19"},
        {"answer": "1,450 euros", "sources": [2], "date": "2021-02-03"},
    ]
    assert [reply[name] for name in ("status", "outcome", "probability", "as_of")] == ["partial", "unsure", None, None]
    assert [s["place"]["name"] for s in reply["sources"]] == ["lease_mill_lane_amendment.txt", "lease_mill_lane.txt"]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What does delivery within the county cost?", {"9 euros", "12 euros"}),
        ("How high is the deposit?", set()),
        ("How much does the pump R-20 weigh?", set()),
        ("How long is the warranty of the pump R-20?", set()),
    ],
)
def test_only_what_differs_between_versions_of_one_thing_is_a_conflict(asked, question, values):
    assert {one["answer"] for one in asked(question)["conflict"]} == values


CLUBS = {
    "minutes_allotment.txt": "Minutes of the allotment club, 4 March 2025\n\nThe next meeting is on 6 May. Rosa Lind is the chair.",
    "minutes_chess.txt": "Minutes of the chess club, 11 March 2025\n\nThe next meeting is on 14 April. Bela Nagy is the chair.",
}


@pytest.fixture(scope="module")
def clubs():
    with own_assistant() as assistant:
        collection = access.create(assistant._store, "local", "clubs")
        submitted(assistant, collection.id, {name: text.encode() for name, text in CLUBS.items()})
        yield assistant, collection.index


def test_a_question_that_fits_two_documents_alike_is_asked_back(clubs):
    assistant, index = clubs
    reply = ask(assistant, "When is the next meeting?", index)
    assert (reply["status"], reply["outcome"], reply["final_answer"]) == ("partial", "asks", "")
    assert reply["asks"] in (
        "Which do you mean, “minutes_allotment” or “minutes_chess”?",
        "Which do you mean, “minutes_chess” or “minutes_allotment”?",
    )
    assert reply["answer"].startswith(reply["asks"])
    assert "6 May (minutes_allotment) [" in reply["answer"]
    assert "14 April (minutes_chess) [" in reply["answer"]


def test_a_question_that_names_one_of_them_is_answered(clubs):
    assistant, index = clubs
    reply = ask(assistant, "When is the next meeting of the chess club?", index)
    assert (reply["asks"], reply["final_answer"], reply["as_of"]) == (None, "14 April", "2025-03-11")
    for name, date in (("minutes_allotment", "6 May"), ("minutes_chess", "14 April")):
        assert ask(assistant, f"When is the next meeting ({name})?", index)["final_answer"] == date
    first = assistant.start("Who is the chair?", index=index)
    assert fold(stored.event for stored in assistant.follow(first.turn)).outcome is Outcome.ASKS
    second = assistant.start("the allotment club", conversation=first.conversation, index=index)
    turn = fold(stored.event for stored in assistant.follow(second.turn))
    assert (turn.standalone_question, turn.final_answer) == ("Who is the chair (the allotment club)?", "Rosa Lind")
