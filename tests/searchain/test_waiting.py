"""A fair queue: the order of coming, nobody is kept out by one who asks a lot, and a stop ends each wait."""

import threading
import time
from concurrent.futures import Future
from types import SimpleNamespace

import pytest

from lab.scripted.model import ScriptedModel
from searchain.cancel import CancelToken
from searchain.chain.context import RunContext
from searchain.chain.dialogue import Dialogue
from searchain.chain.round import Round
from searchain.chain.tree import Tree
from searchain.chain.waiting import RUSH_GAP, RUSH_SECONDS, FairQueue, prepared
from searchain.errors import Cancelled
from searchain.events import Waiting
from searchain.settings import Settings
from searchain.types import Abilities, Step, TaskKind
from tests.support.fakes import CITY, QUESTION


def test_owners_are_served_in_turn_and_each_ones_runs_in_order():
    queue = FairQueue(2)
    places = [queue.place(owner) for owner in ("ann", "ann", "ann", "ann", "bob", "cat")]
    assert [queue.ahead(place) for place in places] == [0, 0, 2, 3, 0, 1]
    order = [0, 1]
    for number in range(len(places)):
        places[order[number]].close()
        order += [one for one, place in enumerate(places) if place.is_served.is_set() and one not in order]
    assert order == [0, 1, 4, 2, 5, 3]
    places[0].close()  # a second time
    assert [queue.place("ann").is_served.is_set() for _ in range(3)] == [True, True, False]


def test_who_waits_is_told_how_many_are_ahead_until_it_is_served():
    queue = FairQueue(1)
    first, second, third = (queue.place("ann") for _ in range(3))
    waiting = third.waiting(CancelToken())
    assert next(waiting) == Waiting(ahead=1)
    first.close()
    assert next(waiting) == Waiting(ahead=0)
    threading.Timer(0.05, second.close).start()
    assert list(waiting) == []
    assert third.is_served.is_set()


@pytest.fixture
def clock(monkeypatch):
    """A time that passes when somebody sleeps."""
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    clock.sleep = lambda seconds: setattr(clock, "now", clock.now + seconds)
    monkeypatch.setattr("searchain.chain.waiting.time", clock)
    return clock


def test_the_runs_of_a_rush_begin_when_everyone_was_heard_or_after_a_few_seconds(clock):
    queue = FairQueue(2)
    places = [queue.place(owner) for owner in ("ann", "bob", "cat")]
    assert queue.is_rushed()
    assert list(places[0].waiting(CancelToken())) == []
    assert RUSH_GAP <= clock.now < 2 * RUSH_GAP
    assert not queue.is_rushed()
    queue, rushed = FairQueue(2), []
    for tenth in range(100):
        clock.now = tenth / 10
        queue.place("ann")
        rushed.append(queue.is_rushed())
    assert rushed == [1 <= tenth < RUSH_SECONDS * 10 for tenth in range(100)]


def test_who_stops_waiting_is_skipped():
    queue, cancel = FairQueue(1), CancelToken()
    first, second, third = (queue.place("ann") for _ in range(3))
    waiting = second.waiting(cancel)
    next(waiting)
    cancel.set()
    with pytest.raises(Cancelled):
        next(waiting)
    second.close()
    first.close()
    assert third.is_served.is_set()


def test_who_stops_while_models_load_waits_no_longer():
    cancel, go_on = CancelToken(), threading.Event()
    preparing = prepared(go_on.wait, cancel, is_loading=True)
    assert next(preparing) == Waiting(ahead=0, is_loading=True)
    threading.Timer(0.05, cancel.set).start()
    with pytest.raises(Cancelled):
        next(preparing)
    (thread,) = (one for one in threading.enumerate() if one.name == "prepare")
    assert thread.daemon  # the process may end before it
    go_on.set()
    thread.join()


def test_a_stop_ends_the_wait_for_the_evidence_of_a_step_that_no_model_wrote():
    made, cancel = Settings().with_thresholds(0.0, 0.0), CancelToken()
    asked = {"question": QUESTION, "task": TaskKind.MULTIHOP, "tree": Tree(), "settings": made, "cancel": cancel}
    asking = {"dialogue": Dialogue(ScriptedModel(), made, cancel), "strategy": made.strategy_for(Abilities.CAPABLE)}
    run = RunContext(lookups=SimpleNamespace(start=lambda query: Future()), **asked, **asking)
    threading.Timer(0.05, cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        list(Round(run, 1, None, is_last=True).run_step(Step(CITY, None)))
    assert time.monotonic() - began < 10
