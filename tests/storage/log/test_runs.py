"""Runs are claimed, kept alive by a heartbeat, and ended by others only when their process is gone."""

import subprocess
import sys
import time

import pytest

from searchain.errors import NotFound, UsageError
from searchain.types import Status
from storage.history import listing, overview
from storage.log import conversations, event_log, runs
from storage.log.runs import STALE_SECONDS, SUSPENDED_SECONDS, Process
from tests.support.stories import nintendo


def test_a_conversation_takes_one_question_at_a_time(store, process):
    first = runs.start(store, process, "Where is\n Nintendo?", "ann")
    with pytest.raises(UsageError, match="still being answered"):
        runs.start(store, process, "And Sega?", "ann", first.conversation)
    for seq, event in enumerate(nintendo("Where is Nintendo?")):
        event_log.append(store, first.turn, process.id, seq, event)
    second = runs.start(store, process, "And Sega?", "ann", first.conversation)
    assert [
        (row.id, row.question, row.status, row.final_answer)
        for row in conversations.turns(store, first.conversation, "ann")
    ] == [(first.turn, "Where is Nintendo?", Status.ANSWERED, "Honshu"), (second.turn, "And Sega?", None, "")]
    assert conversations.get(store, first.conversation, "ann").title == "Where is Nintendo?"


def test_conversations_are_their_owners_and_the_latest_comes_first(store, process):
    started = {}
    for owner, question in (("ann", "one " * 50), ("bob", "two"), ("ann", "three")):
        started[question] = runs.start(store, process, question, owner).conversation
    assert [c.title for c in overview.latest(store, "ann", 9)] == ["three", ("one " * 20)[:79].rstrip() + "…"]
    for look in (conversations.get, conversations.turns, conversations.history):
        with pytest.raises(NotFound):
            look(store, started["two"], "ann")
    with pytest.raises(NotFound):
        runs.start(store, process, "mine now", "ann", started["two"])
    assert [row.question for row in listing.latest(store, 2)] == ["three", "two"]


def test_a_long_question_is_called_by_what_it_asks():
    assert conversations.title(f"{'I read of him. ' * 9}Who sailed first\n around the globe? And when?") == (
        "Who sailed first around the globe?"
    )
    assert conversations.title("word" * 50) == ("word" * 50)[:79] + "…"
    for name in (conversations.title("some words " * 20), ("some words " * 20)[:79].rstrip() + "…"):
        assert conversations.is_title_of(name, "some words " * 20)
    assert not conversations.is_title_of("some…", "some words " * 20)


def test_only_abandoned_runs_are_interrupted(store, process):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    old = time.time() - STALE_SECONDS - 1
    cases = {  # process, heartbeat
        "mine": (process, None),
        "another living one": (Process(), None),
        "dead here": (Process(pid=gone.pid), None),
        "same id elsewhere": (Process(pid=gone.pid, host="elsewhere"), None),
        "silent elsewhere": (Process(host="elsewhere"), old),
        "locked out here": (Process(), old),
        "suspended here": (Process(), time.time() - SUSPENDED_SECONDS - 1),
    }
    turns = {}
    for name, (owner, heartbeat) in cases.items():
        turns[runs.start(store, owner, name, "local").turn] = name
        if heartbeat:
            store.write("UPDATE runs SET heartbeat = ? WHERE process = ?", (heartbeat, owner.id))
    assert {turns[turn] for turn in runs.interrupt_abandoned(store, process)} == {
        "dead here",
        "silent elsewhere",
        "suspended here",
    }
    assert runs.interrupt_abandoned(store, process) == []
    for turn, name in turns.items():
        is_over = event_log.turn(store, turn).status is Status.INTERRUPTED
        assert (name, is_over, runs.is_going(store, turn)) == (name, not runs.is_going(store, turn), not is_over)


def test_a_heartbeat_brings_the_requests_to_stop(store, process):
    mine, other = runs.start(store, process, "a", "local").turn, runs.start(store, Process(), "b", "local").turn
    assert runs.heartbeat(store, process) == set()
    runs.ask_to_stop(store, mine)
    runs.ask_to_stop(store, other)
    assert runs.heartbeat(store, process) == {mine}
