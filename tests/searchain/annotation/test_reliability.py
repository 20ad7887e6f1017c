"""The program's states and f against people: units by hand, reference libraries, and honesty when there is too little."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, precision_recall_curve, roc_auc_score

from searchain.annotation.estimates import share
from searchain.annotation.protocol import Backing, Origin
from searchain.annotation.reliability import (
    FEWEST,
    Threshold,
    Unit,
    best_threshold,
    curve,
    precise_threshold,
    reliability,
    units,
)
from searchain.types import Support
from tests.searchain.annotation.test_measures import item, judged, labels
from tests.support.judged_replies import simulate_judging

COMPLETE, PARTIAL, NONE = Backing.COMPLETE, Backing.PARTIAL, Backing.NONE


@pytest.fixture(scope="module")
def made():
    return simulate_judging(replies=60, seed=7)


def test_a_unit_has_the_state_of_its_sentence_and_the_least_f_of_its_marks():
    """The first item bears [1][2] with f = 1, 2; the second [3] with f = 3; the others bear none."""
    assert units([judged("ada", labels(COMPLETE, NONE))]) == (
        [Unit("i1", Support.VERIFIED, 1.0, COMPLETE, False), Unit("i1", Support.WEAK, 3.0, NONE, False)],
        0,
    )


def test_gold_decides_then_most_annotators_and_ties_are_left_out():
    said = [
        judged("ada", labels(COMPLETE, PARTIAL)),
        judged("ben", labels(PARTIAL, PARTIAL)),
        judged("eve", labels(NONE, NONE)),
    ]
    assert units(said) == ([Unit("i1", Support.WEAK, 3.0, PARTIAL, False)], 1)
    assert units(said, {"i1": labels(COMPLETE, NONE)}) == (
        [Unit("i1", Support.VERIFIED, 1.0, COMPLETE, True), Unit("i1", Support.WEAK, 3.0, NONE, True)],
        0,
    )


def test_other_systems_have_no_states_to_rely_on():
    foreign = replace(item(), origin=Origin.FOREIGN)
    found = reliability([judged("ada", labels(COMPLETE, COMPLETE), foreign)])
    assert (found.units, found.states, found.curve, found.best, found.precise) == (0, {}, (), None, None)
    assert found.kappa.reason
    assert found.auc.reason
    assert found.reason.startswith("too few judged knowledge items")


def test_a_seeded_set_against_the_libraries(made):
    found, (those, undecided) = reliability(made.judgements, made.gold), units(made.judgements, made.gold)
    right = np.array([one.said is COMPLETE for one in those])
    f = np.array([one.confidence for one in those])
    stands = np.array([one.state in (Support.QUOTED, Support.SUPPORTED) for one in those])
    assert (found.units, found.undecided) == (len(those), undecided)
    assert found.units > FEWEST
    assert found.reason == ""
    assert found.kappa.value == pytest.approx(cohen_kappa_score(stands, right), abs=1e-9)
    assert found.auc.value == pytest.approx(roc_auc_score(right, f), abs=1e-9)
    assert found.auc.low < found.auc.value < found.auc.high
    for state in Support:
        of = [one for one in those if one.state is state]
        by = [[one.said is COMPLETE for one in of if one.item == id] for id in {one.item for one in of}]
        expected = share(np.array([sum(said) for said in by]), np.array([len(said) for said in by]))
        one = found.states.get(state.value)
        assert (one is None) == (not of)
        assert not of or (one.value, one.low, one.high) == pytest.approx((expected.value, expected.low, expected.high))
    precisions, recalls, _ = precision_recall_curve(right, f)
    best = max(2 * p * r / (p + r) for p, r in zip(precisions, recalls, strict=True) if p + r)
    assert found.best.f1 == pytest.approx(best, abs=1e-9)
    assert found.precise.precision >= 0.9
    assert found.precise.recall == pytest.approx(recalls[precisions >= 0.9].max(), abs=1e-9)
    for threshold in (found.best, found.precise):
        assert (int((f > threshold.value).sum()), int((right & (f > threshold.value)).sum())) == (
            threshold.selected,
            threshold.right,
        )


def test_few_units_give_shares_but_no_threshold():
    few = simulate_judging(replies=8, seed=2)
    found = reliability(few.judgements)
    assert 0 < found.units < FEWEST
    assert (found.best, found.precise) == (None, None)
    assert found.reason == (
        f"too few judged knowledge items for a threshold: {found.units}, of which "
        f"{sum(round(one.value * one.n) for one in found.states.values())} are supported completely; it "
        "takes 50, with 10 of each kind"
    )


def test_thresholds_on_a_line():
    f, right = np.array([0.0, 1.0, 2.0, 3.0, 3.0, 4.0]), np.array([False, True, False, True, True, True])
    assert best_threshold(f, right) == Threshold(0.5, 5, 4, 4)
    assert best_threshold(f, right).f1 == pytest.approx(8 / 9)
    assert precise_threshold(f, right) == Threshold(2.5, 3, 3, 4)
    assert (precise_threshold(f, right).precision, precise_threshold(f, right).recall) == (1.0, 0.75)
    assert precise_threshold(f, ~right) is None
    assert best_threshold(f, np.ones(6, bool)) == Threshold(-0.5, 6, 6, 6)


def test_the_curve_has_bins_of_equal_size():
    f = np.linspace(3, -3, 47)
    found = curve(f, f > 0, np.arange(47))
    assert [(one.share.n, one.share.value) for one in found] == [
        (16, 0.0),
        (16, pytest.approx(8 / 16, abs=0.07)),
        (15, 1.0),
    ]
    assert found[0].low == -3
    assert found[-1].high == 3
    assert found[1].mean == pytest.approx(0, abs=0.2)
    assert curve(f[:14], f[:14] > 0, np.arange(14)) == ()
    pairs = curve(np.repeat(f, 2), np.repeat(f > 0, 2), np.repeat(np.arange(47), 2))
    assert [(one.share.n, one.share.value) for one in pairs][0] == (16, 0.0)
    assert pairs[0].share.high == share(np.zeros(8), np.ones(8)).high  # as much as eight
