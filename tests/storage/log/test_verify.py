"""``logs verify`` finds what does not hold, and nothing else."""

import json
import random

import pytest

from storage.log import derived_tables, event_log, runs, verify
from storage.log.event_log import digest
from storage.log.runs import Process
from tests.support.generated_runs import generated_run
from tests.support.shell import run
from tests.support.stories import nintendo, unrated
from tests.support.story_runs import store_run

ALTERED, SAID = "was altered after it was written", "by what the events say"
NO_SHARE, NOWHERE = "which is not between 0 and 1", "does not stand in sentence 1 where it says"


@pytest.fixture
def store(store):
    store_run(store)
    return store


def rebuild(store, turn):
    """Fill the typed tables of a turn again from its events."""
    state = event_log.turn(store, turn)
    with store.writing() as db:
        derived_tables.write_turn(db, turn, state)


def faults(store):
    return [fault.what for fault in verify.verify(store)]


def rewrite(store, seq, **changes):
    """Change an event as somebody would who also mends its digest and the tables."""
    with store.writing() as db:
        turn, time, payload = db.execute("SELECT turn, time, payload FROM events WHERE seq = ?", (seq,)).fetchone()
        payload = json.dumps({**json.loads(payload), **changes}, ensure_ascii=False)
        values = payload, digest(turn, seq, time, payload), seq
        db.execute("UPDATE events SET payload = ?, digest = ? WHERE seq = ?", values)
    rebuild(store, turn)


def test_what_the_program_wrote_has_no_fault(store):
    for seed in range(20):
        store_run(store, generated_run(random.Random(seed)))
    started = runs.start(store, Process(), "still?", "local")
    assert faults(store) == []
    for seq, event in enumerate(nintendo()[:-1]):
        event_log.append(store, started.turn, store.row("SELECT process FROM runs")[0], seq, event)
    assert faults(store) == []


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("UPDATE events SET payload = replace(payload, 'Tokyo', 'Osaka') WHERE seq = 5", [f"event 5 {ALTERED}"]),
        ("UPDATE events SET time = '2026-01-01T00:00:00.000+00:00' WHERE seq = 4", [f"event 4 {ALTERED}"]),
        ("UPDATE events SET digest = NULL WHERE seq = 4", ["event 4 was altered after it was written"]),
        ("UPDATE events SET type = 'reply_delta' WHERE seq = 4", ["event 4 is another than its row says"]),
        ("UPDATE events SET payload = '{' WHERE seq = 4", [f"event 4 {ALTERED}", "event 4 cannot be read"]),
        ("DELETE FROM events WHERE seq = 7", ["event 7 is missing"]),
        ("DELETE FROM events WHERE seq = 33", ["it is neither over nor going on"] + [f"is too much, {SAID}"] * 13),
        ("UPDATE turns SET answer = 'Nintendo is in Osaka.'", ["answer in turns is not what the events say"]),
        ("UPDATE nodes SET answer = 'Osaka' WHERE id = 'n3'", ["row n3 of nodes differs, by what the events say"]),
        ("DELETE FROM marks WHERE number = 2", ["row 1, 0 of marks is missing, by what the events say"]),
        ("INSERT INTO marks SELECT id, 0, 7, 1, 0, 1 FROM turns", [f"row 0, 7 of marks is too much, {SAID}"]),
        (
            "UPDATE passages SET text = text || '!' WHERE title = 'Kyoto'",
            ["was altered: its text is not what its name says"],
        ),
        ("UPDATE turns_fts SET answer = 'x'", ["the search index is not what questions and replies say"]),
        (
            "INSERT INTO tombstones (time, what, turn, conversation, position) SELECT created, 'deleted', id, conversation, 0 FROM turns",
            ["it was deleted, and is there"],
        ),
        *(
            (f"UPDATE turns SET {column} = {value}", [f"{column} in turns is not what the events say"])
            for column, values in (("outcome", ("'unsure'", "NULL")), ("probability", ("0.99", "NULL")))
            for value in values
        ),
        *(
            (f"UPDATE {table} SET probability = 0.5 WHERE {where}", [f"row {row} of {table} differs, {SAID}"])
            for table, row, where in (
                ("nodes", "n3", "id = 'n3'"),
                ("sources", "1", "number = 1"),
                ("sentences", "0", "position = 0"),
            )
        ),
    ],
)
def test_what_was_altered_is_found(store, sql, found):
    store.write(sql)
    told = faults(store)
    assert len(told) == len(found), told
    assert all(what.endswith(end) for what, end in zip(told, found, strict=True)), told


def test_turns_of_both_ages_hold_and_are_rebuilt_as_they_were(store):
    old = store_run(store, unrated(nintendo()))
    rebuild(store, old.turn)
    assert faults(store) == []
    assert event_log.turn(store, old.turn).outcome is None
    row = store.row("SELECT status, outcome, probability FROM turns WHERE id = ?", (old.turn,))
    payloads = store.rows("SELECT payload FROM events WHERE turn = ?", (old.turn,))
    assert row == ("answered", None, None)
    assert not any("probability" in payload or "outcome" in payload for (payload,) in payloads)


def sentence(**changes):
    mark = {"number": 2, "start": 65, "end": 68}
    said = {"text": "Kyoto lies on Honshu [2].", "start": 44, "end": 69, "support": "completed", "marks": [mark]}
    return {"sentence": said | changes}


SAID_TO_BE = "its outcome is {}, which does not go with the status {}"


@pytest.mark.parametrize(
    ("seq", "changes", "found"),
    [
        (33, {"outcome": "unsure"}, [SAID_TO_BE.format("unsure", "answered")]),
        (33, {"status": "stopped"}, [SAID_TO_BE.format("supported", "stopped")]),
        (33, {"status": "failed", "outcome": "not_found"}, [SAID_TO_BE.format("not_found", "failed")]),
        (33, {"probability": 0.89}, ["it is supported, and its probability 0.89 does not reach the threshold 0.9"]),
        (33, {"threshold": 90.0, "outcome": None}, ["the threshold is 90.0, which is not between 0 and 1"]),
        (33, {"probability": None}, ["it is supported, and nothing says how likely it is right"]),
        (33, {"outcome": "no_search"}, ["nothing was searched, and there are sources or a short answer"]),
        (33, {"outcome": None, "probability": 1.01}, [f"the probability of the reply is 1.01, {NO_SHARE}"]),
        (33, {"outcome": None}, []),
        (33, {"status": "partial", "outcome": "unsure", "probability": None}, []),
        # n1's; n3 has one of its own
        (12, {"probability": 2.0}, ["the probability of node 'n1' is 2.0, which is not between 0 and 1"]),
        (
            30,
            sentence(marks=[{"number": 7, "start": 65, "end": 68}]),
            [f"citation [7] {NOWHERE}", "citation [7] of sentence 1 is dangling: there is no such source"],
        ),
        (30, sentence(start=45), ["sentence 1 does not stand in the reply where it says"]),
        (30, sentence(marks=[{"number": 2, "start": 64, "end": 67}]), [f"citation [2] {NOWHERE}"]),
        (
            11,
            {"reading": {"answer": "Tokyo", "span": {"start": 84, "end": 89}, "confidence": 6.2}},
            [
                f"the span of node '{node}' does not match its passage: it does not hold the Reader's answer"
                for node in ("n1", "n3")
            ],
        ),
        (
            11,
            {"reading": {"answer": "Tokyo", "span": {"start": 84, "end": 8900}, "confidence": 6.2}},
            [f"the span of node '{node}' is not in its passage" for node in ("n1", "n3")],
        ),
        (14, {"parent": "n9"}, ["node 'n3' hangs on node 'n9', which did not come before it"]),
    ],
)
def test_what_never_held_is_found(store, seq, changes, found):
    rewrite(store, seq, **changes)
    assert faults(store) == found


def test_the_command(store):
    fine = run("logs", "verify", db=store.path)
    assert (fine.exit_code, fine.stdout, fine.stderr) == (0, "", "1 turn verified\n")
    store.write("UPDATE turns SET message = 'x', answer = ''")
    turn = store.row("SELECT id FROM turns")[0]
    told = run("logs", "verify", db=store.path)
    assert told.exit_code == 1
    assert told.stderr.startswith("error: 2 faults in 1 turn;")
    assert told.stdout.splitlines()[0] == f"turn {turn}: answer in turns is not what the events say"
    fault = json.loads(run("logs", "verify", "--json", db=store.path).stdout.splitlines()[1])
    assert fault == {"turn": turn, "what": "message in turns is not what the events say"}
