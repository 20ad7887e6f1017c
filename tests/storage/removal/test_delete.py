"""What is deleted or redacted is gone from the file; what is left still holds together."""

import random
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from assistant import Assistant
from searchain.errors import NotFound, StorageError, UsageError
from searchain.events import Candidate, CandidatesWeighed, RoundStarted, fold
from searchain.safe_text import without_surrogates
from searchain.settings import Settings
from searchain.types import Outcome
from storage.database import Database
from storage.history import finished_turns
from storage.history.selection import Selection
from storage.log import conversations, event_log, runs, verify
from storage.log.runs import Process
from storage.removal import delete, redact
from storage.removal.delete import Compaction
from storage.transfer import import_turns
from tests.support import shell
from tests.support.generated_runs import TEXTS, generated_run, generated_runs
from tests.support.stories import nintendo, unrated
from tests.support.story_runs import StoryPlayer, store_run
from tests.support.waiting import until
from ui.exports.formats import FORMATS

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def on_disk(store):
    return b"".join(file.read_bytes() for file in store.path.parent.glob(f"{store.path.name}*"))


def secret(question="Where does Zebediah live?"):
    first, *rest = nintendo(question)
    return (replace(first, model="zebediah's own model"), *rest)


def test_a_deleted_turn_leaves_nothing_but_a_tombstone(store):
    first = store_run(store, secret())
    second = store_run(store, conversation=first.conversation)
    assert b"ebediah" in on_disk(store)
    assert delete.delete(store, [first.turn])
    assert b"ebediah" not in on_disk(store)
    assert list(verify.verify(store)) == []
    assert [record.turn for record in finished_turns.records(store)] == [second.turn]
    title = conversations.get(store, first.conversation, "local").title
    assert title == "On which Japanese island is the city where Nintendo has its headquarters?"
    tombstones = store.rows("SELECT what, turn, conversation, position FROM tombstones")
    assert tombstones == [("deleted", first.turn, first.conversation, 0)]
    assert store.row("SELECT count(*) FROM passages") == (2,)
    third = store_run(store, conversation=first.conversation)
    assert [(one.turn, one.position) for one in finished_turns.records(store)] == [(second.turn, 1), (third.turn, 2)]


def test_the_last_turn_takes_the_conversation_and_its_passages_along(store):
    delete.delete(store, [store_run(store).turn])
    with store.reading() as db:
        names = [name for name in db.table_names() if not name.startswith(("_", "sqlite", "turns_fts"))]
        assert {name for name in names if db[name].count} == {"audit", "tombstones"}


def test_a_deleted_turn_does_not_come_back(store):
    store_run(store, secret())
    lines = "".join(FORMATS["jsonl"].write(finished_turns.records(store))).encode().splitlines()
    delete.delete(store, [record.turn for record in finished_turns.records(store)])
    with pytest.raises(StorageError, match="was deleted on .*; import the file into a database of its own"):
        import_turns.import_lines(store, lines)


def test_a_turn_that_is_being_answered_stays(store):
    started = store_run(store, conversation=None)
    going = runs.start(store, Process(), "still?", "local").turn
    for change in (
        lambda: delete.delete(store, [started.turn, going]),
        lambda: redact.redact(store, [started.turn, going], ["Kyoto"]),
    ):
        with pytest.raises(UsageError, match="still being answered"):
            change()
    assert finished_turns.count(store) == (1, 1)
    assert event_log.turn(store, started.turn) == fold(nintendo())


def test_another_reader_delays_the_end_of_the_text(store):
    started = store_run(store, secret())
    other = Database(store.path)
    with other.reading() as db:
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM turns").fetchone()
        assert not delete.delete(store, [started.turn])
        db.execute("COMMIT")
    other.close()
    store.close()
    assert b"ebediah" not in on_disk(store)


def rewritten(store):
    """What appears for each time that the log is emptied; a rewrite of the file would lock out others."""
    times = []

    def note(statement):
        assert statement != "VACUUM"
        if "wal_checkpoint" in statement:
            times.append("emptied")

    store._writer.conn.set_trace_callback(note)
    return times


def test_deletions_from_the_page_rewrite_the_file_once_and_later(store):
    mine = [store_run(store, secret()) for _ in range(3)]
    assistant, times = Assistant(store, StoryPlayer(), Settings()), rewritten(store)
    for started in mine:
        assistant.delete(started.conversation)
    with pytest.raises(NotFound, match="no conversation"):
        assistant.deletions.delete(mine[0].conversation)
    assert (times, finished_turns.count(store)) == ([], (0, 0))
    assert finished_turns.count(store, Selection(with_hidden=True)) == (3, 0)
    assistant.close()
    assert times == ["emptied"]
    assert b"ebediah" not in on_disk(store)


@pytest.mark.parametrize("begin", ["deleting", "starting"])
def test_deleted_text_leaves_the_file_in_the_background(store, begin):
    started = store_run(store, secret())
    if begin == "starting":  # after a process that was killed
        delete.remove(store, [started.turn])
    compaction = Compaction(store, delay=0.05)
    if begin == "deleting":
        delete.remove(store, [started.turn])
        compaction.soon()
    assert until(lambda: delete.is_compact(store))
    assert b"ebediah" not in on_disk(store)
    times = rewritten(store)
    compaction.close()
    assert times == []


def test_text_that_could_not_leave_the_file_leaves_it_at_the_next_try(store):
    started, other = store_run(store, secret()), Database(store.path)
    compaction = Compaction(store, delay=0.05)
    with other.reading() as db:
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM turns").fetchone()
        delete.remove(store, [started.turn])
        times = rewritten(store)
        compaction.soon()
        until(lambda: len(times) >= 2)
        assert not delete.is_compact(store)
        db.execute("COMMIT")
    until(lambda: delete.is_compact(store))
    assert b"ebediah" not in on_disk(store)
    compaction.close()
    other.close()


def test_a_deletion_while_the_file_is_rewritten_is_not_forgotten(store):
    first, second = store_run(store, secret()), store_run(store, secret())
    delete.remove(store, [first.turn])
    other, begun = Database(store.path), []

    def meanwhile(statement):
        if statement.startswith("PRAGMA wal_checkpoint") and not begun:
            begun.append(statement)
            delete.remove(other, [second.turn])

    store._writer.conn.set_trace_callback(meanwhile)
    delete.compact(store)
    assert begun
    assert not delete.is_compact(store)
    assert delete.compact(store)
    assert delete.is_compact(store)
    assert b"ebediah" not in on_disk(store)
    other.close()


def test_a_redacted_text_is_covered_wherever_it_was(store):
    first = store_run(store, nintendo("Is Nintendo in  KYOTO?"))
    other = store_run(store)
    assert redact.redact(store, [first.turn], ["in kyoto", "Honshu"]) == ({first.turn: 16}, True)
    assert list(verify.verify(store)) == []
    assert event_log.turn(store, other.turn) == fold(nintendo())
    turn = event_log.turn(store, first.turn)
    assert turn.question == "Is Nintendo █████████?" == conversations.get(store, first.conversation, "local").title
    said = ["Nintendo has its headquarters ████████ [1].", "Kyoto lies on ██████ [2]."]
    said.append("██████ is the largest island of Japan.")
    assert ([sentence.text for sentence in turn.sentences], turn.answer) == (said, " ".join(said))
    assert [source.passage.text[source.span.start : source.span.end] for source in turn.sources] == ["█████", "██████"]
    assert [node.reader_answer for node in turn.nodes if node.on_path] == ["█████", "██████"]
    assert store.row("SELECT count(*) FROM turns_fts WHERE turns_fts MATCH 'honshu'") == (1,)
    assert store.rows("SELECT what, turn FROM tombstones") == [("redacted", first.turn)]
    assert store.row("SELECT count(*) FROM passages") == (4,)


def test_the_outcome_is_no_text_and_stays_where_answers_are_covered(store):
    *told, end = nintendo()
    answers = Candidate("chain", "n4", "supported", 0.91), Candidate("question", "n3", "the question", None)
    weighed = CandidatesWeighed(candidates=answers, chosen=0)
    turn = store_run(store, (*told, weighed, end)).turn
    redact.redact(store, [turn], ["supported", "question", "chain"])
    state = event_log.turn(store, turn)
    assert (state.outcome, state.probability) == (Outcome.SUPPORTED, 0.91)
    assert [(c.origin, c.answer) for c in state.candidates] == [("chain", "█████████"), ("question", "the ████████")]
    assert list(verify.verify(store)) == []


def test_a_turn_stored_before_outcomes_is_redacted_in_its_own_form(store):
    turn = store_run(store, unrated(nintendo())).turn
    redact.redact(store, [turn], ["Kyoto"])
    [record] = finished_turns.records(store)
    assert not any("probability" in payload for _, payload in record.log)
    assert list(verify.verify(store)) == []


@settings(max_examples=15, deadline=None, phases=[Phase.reuse, Phase.generate], suppress_health_check=SLOW)
@given(
    generated_runs,
    st.sampled_from([text for text in TEXTS if text.split()] + ["o", "1", "x", "n1", "p1", "a rule", "p2 p3"]),
)
def test_whatever_is_redacted_is_gone_and_the_rest_holds(events, text):
    with tempfile.TemporaryDirectory() as folder:
        store = Database(Path(folder) / "chat.db")
        turn = store_run(store, events).turn
        lengths = [len(event.text) for event in event_log.turn(store, turn).feedback]
        redact.redact(store, [turn], [without_surrogates(text)])
        assert list(verify.verify(store)) == []
        found = redact.pattern([without_surrogates(text)])
        after = event_log.turn(store, turn)
        texts = [after.question, after.message, after.final_answer, *after.chains, *(one.query for one in after.nodes)]
        texts += [hit.passage.text for hits in after.hits.values() for hit in hits]
        assert not [text for text in texts if found.search(text)]
        assert [len(event.text) for event in after.feedback] == lengths
        store.close()


def test_what_counts_as_the_same_text():
    found = redact.pattern(["Ann  Smith", "Müller"])
    for name in ("ann smith", "Ann\nSmith", "https://example.org/Ann_Smith", "ann%20smith", "ANN-SMITH"):
        assert found.search(name), name
    assert found.search("Mu\u0308ller")
    assert found.search("MÜLLER")
    assert not found.search("Ann Jones Smith")
    for nothing in ([], [""], ["Ann", " "]):
        with pytest.raises(UsageError, match="is empty"):
            redact.pattern(nothing)


def test_a_log_that_cannot_be_read_is_not_redacted(store):
    turn = store_run(store).turn
    store.write("UPDATE events SET payload = '{}' WHERE seq = 3")
    with pytest.raises(StorageError, match="damaged and cannot be redacted"):
        redact.redact(store, [turn], ["Kyoto"])
    delete.delete(store, [turn])


def run(store, *args):
    return shell.run("logs", *args, db=store.path)


def test_the_commands(store):
    first = store_run(store, secret())
    store_run(store, conversation=first.conversation)
    store_run(store, generated_run(random.Random(1)))
    assert run(store, "redact", first.conversation, "--text", "zebediah", "--yes").stderr == "1 turn redacted\n"
    assert run(store, "redact", "--everywhere", "--text", "zebediah", "--yes").stderr == "0 turns redacted\n"
    assert "Where does ████████ live?" in run(store, "show", first.turn).stdout
    assert run(store, "delete", first.conversation, "--yes").stderr == "2 turns deleted\n"
    assert run(store, "delete", "--until", "2001-01-01", "--yes").stderr == "there is nothing to delete\n"
    assert run(store, "delete", "--since", "2001-01-01", "--yes").stderr == "1 turn deleted\n"
    assert run(store, "verify").stderr == "0 turns verified, 3 deleted or redacted\n"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["delete"], "name turns or conversations by their ids"),
        (["delete", "none", "--yes"], "no turn or conversation 'none'"),
        (["redact", "--text", "x"], "or say --everywhere"),
        (["redact", "--text", "x", "--everywhere", "y"], "or say --everywhere"),
        (["redact", "--text", " ", "--everywhere"], "is empty"),
        (["delete", "--until", "2999-01-01"], "nobody is there to be asked; add --yes"),
    ],
)
def test_mistakes_change_nothing(store, args, words):
    turn = store_run(store).turn
    result = run(store, *args)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert words in result.stderr
    assert event_log.turn(store, turn) == fold(nintendo())


def test_a_run_without_a_question_in_its_log_is_redacted_too(store):
    process = Process()
    started = runs.start(store, process, "Where is Zebediah?", "local")
    event_log.append(store, started.turn, process.id, 0, RoundStarted(round=1))
    store.write("UPDATE runs SET heartbeat = 0, host = 'gone'")
    runs.interrupt_abandoned(store, Process())
    redact.redact(store, [started.turn], ["zebediah"])
    assert event_log.turn(store, started.turn).question == "Where is ████████?"
    assert b"ebediah" not in on_disk(store)


@pytest.mark.parametrize("turns", [["nowhere"], [None, None]])
def test_what_is_not_there_any_more_is_told_and_nothing_is_deleted(store, turns):
    first = store_run(store)
    with pytest.raises(NotFound, match="there is no turn .*; perhaps somebody has just deleted it"):
        delete.delete(store, [turn or first.turn for turn in turns])
    assert finished_turns.count(store) == (1, 0)
    assert delete.is_compact(store)
