"""The tick of a collection: what people's judgements on its replies make of it."""

import pytest

from searchain.types import JOINT
from storage.collections import access, ticks
from storage.collections.access import Role
from storage.collections.ticks import NEVER, Tick, supported
from storage.history import feedback
from tests.support.judged_runs import judged, rated
from tests.support.story_runs import store_run

MOSTLY_RIGHT = [(0.6 + number / 100, "up" if number % 10 else "down") for number in range(30)]
"""Thirty judged replies between 0.6 and 0.89: of each ten one is wrong, the least likely one."""


def judgements(*counted):
    return [(probability, is_right) for probability, is_right, times in counted for _ in range(times)]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param(judgements((0.9, True, 29)), Tick(29, None), id="too few"),
        pytest.param(judgements((0.9, True, 27), (0.9, False, 3)), Tick(30, 0.9, 30, 27), id="nine in ten"),
        pytest.param(judgements((0.9, True, 26), (0.9, False, 4)), Tick(30, NEVER), id="too many are wrong"),
        pytest.param(
            judgements((0.9, True, 10), (0.8, True, 10), (0.7, False, 10)), Tick(30, 0.8, 20, 20), id="the likely ones"
        ),
        pytest.param(judgements((0.9, True, 20), (0.4, True, 20)), Tick(40, 0.9, 20, 20), id="never below a half"),
        pytest.param(judgements((0.9, True, 9), (0.2, False, 30)), Tick(39, None), id="too few likely ones"),
    ],
)
def test_the_threshold_is_the_least_one_that_the_judgements_support(said, expected):
    assert supported(said) == expected


def test_the_interval_of_the_ticked_is_wilsons():
    low, high = Tick(30, 0.7, 30, 27).interval
    assert (round(low, 3), round(high, 3)) == (0.744, 0.965)
    assert Tick(30, None).interval == (0.0, 1.0)


def test_thirty_judgements_give_a_collection_its_own_threshold(store):
    mine = access.create(store, "local", "mine")
    turns = judged(store, mine.index, MOSTLY_RIGHT)
    assert ticks.tick(store, mine.id) == Tick(30, 0.6, 30, 27)
    assert ticks.threshold(store, mine.index) is None  # nobody set it yet
    ticks.renew_after(store, turns[-1])
    assert ticks.threshold(store, mine.index) == 0.6
    assert ticks.threshold(store, JOINT.join((mine.index, "default"))) is None
    assert ticks.threshold(store, "default") is None


def test_only_rated_replies_over_the_collection_alone_count_by_its_owner_and_editors(store):
    mine, other = access.create(store, "ann", "mine"), access.create(store, "ann", "other")
    access.share(store, mine, "bob", Role.EDITOR)
    access.share(store, mine, "eve", Role.READER)
    over = [(owner, mine.index) for owner in ("ann", "bob", "eve")]
    for owner, index in (*over, ("ann", other.index), ("ann", JOINT.join((mine.index, other.index)))):
        judged(store, index, [(0.9, "up")], owner)
    reviewed = store_run(store, rated(mine.index, 0.9, is_reviewed=True), "ann")
    feedback.give(store, reviewed.turn, "ann", "up")
    assert ticks.tick(store, mine.id).judged == 2


def test_the_newest_judgement_on_a_reply_counts(store):
    mine = access.create(store, "local", "mine")
    turns = judged(store, mine.index, [(0.9, "down")] * 31)
    for turn in turns[:30]:
        feedback.give(store, turn, "local", "up")
    feedback.give(store, turns[30], "local", None)
    assert ticks.tick(store, mine.id) == Tick(30, 0.9, 30, 30)


def test_likely_and_unlikely_replies_are_judged_in_turn(store):
    mine = access.create(store, "local", "mine")
    likely, unlikely, another = judged(store, mine.index, [(0.9, None), (0.3, None), (0.8, None)])
    judged(store, mine.index, [(0.9, None)], "eve")
    drawn = []
    for _ in range(3):
        drawn.append(ticks.to_judge(store, "local", mine))
        feedback.give(store, drawn[-1], "local", "up")
    assert drawn[1] == unlikely
    assert {drawn[0], drawn[2]} == {likely, another}
    assert ticks.to_judge(store, "local", mine) is None
