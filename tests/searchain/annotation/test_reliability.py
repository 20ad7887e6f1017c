"""The program's states against people: units by hand, and reference libraries."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from searchain.annotation.annotators import Unit, reliability, units
from searchain.annotation.estimates import share
from searchain.annotation.protocol import Backing, Origin
from searchain.types import Support
from tests.searchain.annotation.test_measures import item, judged, labels, made  # noqa: F401

COMPLETE, PARTIAL, NONE = Backing.COMPLETE, Backing.PARTIAL, Backing.NONE


def test_gold_decides_then_most_annotators_and_ties_are_left_out():
    """A unit has the state of its sentence: the first item bears [1][2], the second [3], the others none."""
    said = [
        judged("ada", labels(COMPLETE, PARTIAL)),
        judged("ben", labels(PARTIAL, PARTIAL)),
        judged("eve", labels(NONE, NONE)),
    ]
    assert units(said) == ([Unit("i1", Support.WEAK, PARTIAL, False)], 1)
    decided = [Unit("i1", Support.VERIFIED, COMPLETE, True), Unit("i1", Support.WEAK, NONE, True)]
    assert units(said, {"i1": labels(COMPLETE, NONE)}) == (decided, 0)


def test_other_systems_have_no_states_to_rely_on():
    foreign = replace(item(), origin=Origin.FOREIGN)
    found = reliability([judged("ada", labels(COMPLETE, COMPLETE), foreign)])
    assert (found.units, found.states) == (0, {})
    assert found.kappa.reason


def test_a_seeded_set_against_the_libraries(made):
    found, (those, undecided) = reliability(made.judgements, made.gold), units(made.judgements, made.gold)
    right = np.array([one.said is COMPLETE for one in those])
    stands = np.array([one.state in (Support.QUOTED, Support.SUPPORTED) for one in those])
    assert (found.units, found.undecided) == (len(those), undecided)
    assert found.kappa.value == pytest.approx(cohen_kappa_score(stands, right), abs=1e-9)
    for state in Support:
        of = [one for one in those if one.state is state]
        by = [[one.said is COMPLETE for one in of if one.item == id] for id in {one.item for one in of}]
        expected = share(np.array([sum(said) for said in by]), np.array([len(said) for said in by]))
        one = found.states.get(state.value)
        assert (one is None) == (not of)
        assert not of or (one.value, one.low, one.high) == pytest.approx((expected.value, expected.low, expected.high))
