"""Runs as they happen and as they happened, what they used, and a copy of it all."""

import json
import random
import re
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import assistant
from searchain.events import fold
from searchain.types import Outcome, Status, Usage
from storage.database import Database
from storage.history import finished_turns
from storage.history import usage as statistics
from storage.history.selection import Selection
from storage.history.usage import COUNTS, SECONDS, Knowledge
from storage.log import event_log, runs, verify
from storage.log.runs import Process
from tests.support import shell
from tests.support.generated_runs import generated_run
from tests.support.stories import QUESTION, ending, everest, nintendo, unrated
from tests.support.story_runs import store_run
from ui.cli.logs import watch

USED = ("day", "model", *COUNTS, *SECONDS)


def run(store, *args):
    return shell.run("logs", *args, db=store.path)


def test_a_replay_has_the_events_in_order_with_their_pauses(store):
    turn = store_run(store).turn
    events = event_log.events(store, turn)
    spread = [
        replace(stored, time=events[0].time + timedelta(seconds=seconds))
        for seconds, stored in zip((0, 0.5, 0.5, 0.1, 4_000.1), events, strict=False)
    ]
    for speed, pauses in ((1.0, [0.5, 30.0]), (2.0, [0.25, 15.0]), (0, [])):
        slept = []
        assert list(event_log.paced(spread, speed, slept.append)) == spread
        assert slept == pytest.approx(pauses)


def test_whatever_was_stored_is_harmless_in_the_terminal(store):
    for seed in range(15):
        store_run(store, generated_run(random.Random(seed)))
    shown = [run(store, "stats").stdout, run(store, "list").stdout]
    for record in finished_turns.records(store):
        for command in (("replay", record.turn, "--speed", "0"), ("tail", record.turn), ("show", record.turn)):
            shown.append(run(store, *command).stdout)
    assert all(shown)
    assert not set("".join(shown)) & set("\x00\x1b\x07\r\u202e\u2066\x85")


def test_a_turn_is_watched_to_its_end(store):
    process = Process()
    started = runs.start(store, process, QUESTION, "local")

    def tell():
        for seq, event in enumerate(nintendo()):
            event_log.append(store, started.turn, process.id, seq, event)

    thread = threading.Thread(target=tell)
    thread.start()
    seen = list(watch(store, started.turn))
    thread.join()
    assert [stored.event for _, stored, _ in seen] == list(nintendo())
    assert seen[-1][2] == fold(nintendo())


def test_tail_ends_with_ctrl_c(store):
    turn = store_run(store).turn
    command = [sys.executable, Path(assistant.__file__), "logs", "tail", "-n", "1", "--json", "--db", store.path]
    tailing = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    first = json.loads(tailing.stdout.readline())
    tailing.send_signal(signal.SIGINT)
    assert (first["turn"], first["seq"], first["event"]["type"]) == (turn, 0, "run_started")
    assert (tailing.wait(60), tailing.stderr.read()) == (130, "stopped\n")


def used(events, model, usage):
    first, *rest, last = events
    return (replace(first, model=model), *rest, replace(last, usage=usage))


def test_usage_and_knowledge(store):
    usage = Usage(llm_calls=2, prompt_tokens=300, completion_tokens=40, llm_seconds=1.5, seconds=2.25)
    for _ in range(2):
        store_run(store, used(nintendo(), "b", usage))
    store_run(store, used(nintendo()[:3] + nintendo()[-1:], "a", Usage()))
    runs.start(store, Process(), "still?", "local")
    day = next(finished_turns.records(store)).created[:10]
    assert statistics.usage(store) == [
        dict(zip(USED, (day, "a", 1, 1, 1, 0, 0, 0, 0, 0, 0, 0), strict=True)),
        dict(zip(USED, (day, "b", 2, 2, 4, 4, 600, 80, 3.0, 0, 0, 4.5), strict=True)),
    ]
    assert statistics.knowledge(store) == [Knowledge("b", llm=0, corrected=2, completed=2)]
    assert statistics.knowledge(store, Selection(model="a")) == []
    shown = run(store, "stats").stdout
    assert "0 (0.0%)         2 (50.0%)         2 (50.0%)  b" in shown
    nothing = run(store, "stats", "--status", "failed")
    assert (nothing.exit_code, nothing.stderr.count("\n")) == (2, 1)


def test_the_shares_of_outcomes_leave_what_is_not_rated_apart(store):
    talk = (*nintendo()[:1], ending(Status.ANSWERED, Outcome.NO_SEARCH))
    stopped = (*nintendo()[:3], ending(Status.STOPPED))
    for events in (nintendo(), nintendo(), everest(), talk, unrated(nintendo()), stopped):
        store_run(store, events)
    none = {"model": "a scripted model"} | dict.fromkeys((*map(str, Outcome), "not_rated"), 0)
    found = statistics.outcomes(store)
    assert found == [none | {"supported": 2, "unsure": 1, "no_search": 1, "not_rated": 1}]
    assert statistics.outcomes(store, Selection(outcome=Outcome.UNSURE)) == [none | {"unsure": 1}]
    assert json.loads(run(store, "stats", "--json").stdout)["outcomes"] == found
    assert re.search(
        r"2 \(50\.0%\) +0 \(0\.0%\) +1 \(25\.0%\) +0 \(0\.0%\) +0 \(0\.0%\) +0 \(0\.0%\) +1 \(25\.0%\) +1  a scr",
        run(store, "stats").stdout,
    )


def test_a_backup_is_a_database(store, tmp_path):
    turn = store_run(store).turn
    copy = tmp_path / "copy.db"
    done = run(store, "backup", copy)
    assert (done.exit_code, done.stderr.endswith(f" MB in {copy}\n")) == (0, True)
    backed = Database(copy)
    assert event_log.turn(backed, turn) == fold(nintendo())
    assert list(verify.verify(backed)) == []
    backed.close()
    for target, status, words in (
        (copy, 2, "is there already"),
        ("/proc/copy.db", 1, "cannot write '/proc/copy.db'"),
        (tmp_path / "no" / "copy.db", 1, "cannot write"),
    ):
        refused = run(store, "backup", target)
        assert (refused.exit_code, refused.stderr.count("\n")) == (status, 1)
        assert words in refused.stderr
    assert list(tmp_path.glob(".*")) == []
