"""A deleted conversation is hidden at once, comes back within its time, and is erased afterwards."""

import pytest

from searchain.errors import NotFound, UsageError
from storage.collections import lacking
from storage.database import Database
from storage.history import finished_turns, listing, overview
from storage.history.selection import Selection
from storage.log import conversations, event_log, runs, verify
from storage.log.runs import Process
from storage.people import shares
from storage.removal.deletions import Deletions
from tests.storage.removal.test_delete import on_disk, secret
from tests.support.story_runs import store_run
from tests.support.waiting import until


@pytest.fixture
def deletions(store):
    made = Deletions(store)
    yield made
    made.close()


def test_a_deleted_conversation_is_in_no_list_search_export_or_link_and_comes_back(store, deletions):
    started, other = store_run(store, secret()), store_run(store)
    token, _share = shares.make(store, started.conversation, owner="local")
    deletions.delete(started.conversation)
    assert [entry.id for entry in overview.latest(store, "local", 9)] == [other.conversation]
    assert overview.search(store, "local", "zebediah", 9) == listing.find(store, "zebediah", 9) == []
    assert [record.turn for record in finished_turns.records(store)] == [other.turn]
    assert (shares.find(store, token), shares.shares_of(store, None)) == (None, [])
    assert other.conversation not in {one.conversation for one in lacking.unanswered(store, "default")}
    with pytest.raises(NotFound):
        event_log.check(store, started.turn, "local")
    with pytest.raises(NotFound):  # nothing is added to what will be erased
        runs.start(store, Process(), "And then?", "local", started.conversation)
    gone = deletions.last()
    assert (gone.id, gone.title) == (started.conversation, "Where does Zebediah live?")
    assert 8 < gone.seconds <= 10
    assert deletions.last(owner="bob") is None
    with pytest.raises(NotFound):
        deletions.restore(started.conversation, owner="bob")
    deletions.restore(started.conversation)
    assert deletions.last() is None
    assert finished_turns.count(store) == (2, 0)
    assert shares.find(store, token) is not None
    deletions.close()  # erases only what is still deleted
    assert finished_turns.count(store) == (2, 0)
    assert list(verify.verify(store)) == []


def test_it_is_erased_when_its_time_is_over_and_cannot_come_back(store):
    deletions = Deletions(store, seconds=0.3)
    started = store_run(store, secret())
    deletions.delete(started.conversation)
    assert b"ebediah" in on_disk(store)
    until(lambda: finished_turns.count(store, Selection(with_hidden=True)) == (0, 0))
    with pytest.raises(NotFound, match="gone for good"):
        deletions.restore(started.conversation)
    deletions.close()
    assert b"ebediah" not in on_disk(store)


def test_closing_erases_at_once_and_leaves_other_processes_their_time(store):
    deletions, other = Deletions(store), Deletions(store)
    mine, theirs = store_run(store, secret()), store_run(store)
    deletions.delete(mine.conversation)
    other.delete(theirs.conversation)
    deletions.close()
    assert b"ebediah" not in on_disk(store)
    other.restore(theirs.conversation)
    other.close()
    assert [record.turn for record in finished_turns.records(store)] == [theirs.turn]


def test_what_a_killed_process_left_is_erased_by_the_next(store):
    started = store_run(store, secret())
    store.write("UPDATE conversations SET deleted = '2026-01-01T00:00:00.000+00:00'")
    again = Database(store.path)
    deletions = Deletions(again)
    until(lambda: not listing.latest(again, 1, Selection(with_hidden=True)))
    deletions.close()
    again.close()
    store.empty_log()
    assert b"ebediah" not in on_disk(store)
    with pytest.raises(NotFound):
        event_log.check(store, started.turn, None)


def test_what_runs_is_not_deleted(store, deletions):
    going = runs.start(store, Process(), "still?", "local")
    with pytest.raises(UsageError, match="still being answered"):
        deletions.delete(going.conversation)
    assert deletions.last() is None


@pytest.mark.parametrize("ending", ["closing", "left", "next page"])
def test_a_temporary_conversation_is_erased(store, ending):
    deletions = Deletions(store)
    started = runs.start(store, Process(), "Where does Zebediah live?", "local", is_temporary=True)
    kept = store_run(store)
    assert [entry.id for entry in overview.latest(store, "local", 9)] == [kept.conversation]
    assert conversations.get(store, started.conversation, "local").temporary  # its page still reads it
    store.write("DELETE FROM runs")
    if ending == "closing":
        deletions.forget_later(started.conversation)
    else:
        deletions.forget(started.conversation if ending == "left" else None)
        until(lambda: finished_turns.count(store, Selection(with_hidden=True)) == (1, 0))
    deletions.close()
    assert b"ebediah" not in on_disk(store)
    assert finished_turns.count(store, Selection(with_hidden=True)) == (1, 0)
