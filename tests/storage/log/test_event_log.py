"""The event log and what is rebuilt from it."""

import pytest

from searchain.errors import StorageError
from searchain.events import ChainDelta, RoundStarted, fold
from searchain.types import Passage
from storage.log import derived_tables, event_log, runs
from storage.log.runs import Process
from tests.support.stories import nintendo
from tests.support.story_runs import store_run


def test_the_log_tells_what_was_told_and_folds_to_the_same_turn(store):
    turn = store_run(store).turn
    log = event_log.events(store, turn)
    assert tuple(stored.event for stored in log) == nintendo()
    assert [stored.seq for stored in log] == list(range(len(nintendo())))
    assert [stored.time for stored in log] == sorted(stored.time for stored in log)
    assert event_log.turn(store, turn) == fold(nintendo())
    assert event_log.events(store, turn, after=len(log) - 3) == log[-2:]


def test_equal_passages_are_stored_once_whatever_their_ids(store):
    store_run(store)
    store_run(store)
    assert store.row("SELECT count(*) FROM passages") == (2,)
    assert derived_tables.passage_hash(Passage("1", "a", "b")) == derived_tables.passage_hash(Passage("2", "a", "b"))
    others = Passage("1", "a", "b"), Passage("1", "ab", ""), Passage("1", "a", "b", "")
    different = {derived_tables.passage_hash(one) for one in others}
    assert len(different) == 3


def test_half_a_surrogate_pair_is_replaced_and_shown_as_stored(store, process):
    started = runs.start(store, process, "q", "local")
    event_log.append(store, started.turn, process.id, 0, RoundStarted(round=1))
    shown = event_log.append(store, started.turn, process.id, 1, ChainDelta(round=1, text="a\ud83db 京都 \x00"))
    assert shown.event == ChainDelta(round=1, text="a\ufffdb 京都 \x00")
    assert event_log.events(store, started.turn)[1] == shown


def test_only_the_claiming_process_appends(store, process):
    started = runs.start(store, process, "q", "local")
    with pytest.raises(StorageError, match="ended by another process"):
        event_log.append(store, started.turn, Process().id, 0, RoundStarted(round=1))
    assert event_log.events(store, started.turn) == []
