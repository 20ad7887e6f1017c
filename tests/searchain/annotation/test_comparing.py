"""Systems compared and rounds planned, against independent libraries."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from searchain.annotation.comparing import Pilot, compare, holm, pilot, plan, power_of, sign_flip
from searchain.annotation.measures import breakdown
from tests.support.judged_replies import ENGINE, SEARCHAIN, simulate_judging


def same_questions(replies=30, seed=1):
    """Both systems answer the same questions."""
    return [
        replace(one, item=replace(one.item, question=f"Question {one.item.question.rpartition('(')[2]}"))
        for one in simulate_judging(replies=replies, seed=seed).judgements
    ]


@pytest.mark.parametrize("questions", [5, 10, 16])
def test_every_swap_is_tried_as_the_library_tries_it(questions):
    random = np.random.default_rng(questions)
    differences = random.normal(0.4, 1, questions)
    parts = np.column_stack([differences, np.ones(questions), np.zeros(questions), np.ones(questions)])
    expected = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    assert sign_flip(parts) == pytest.approx(expected, abs=1e-9)


def test_holm_is_the_librarys():
    values = list(np.random.default_rng(0).uniform(0, 0.2, 12))
    assert holm(values) == pytest.approx(list(multipletests(values, method="holm")[1]), abs=1e-9)


def test_a_comparison_is_over_the_questions_of_both():
    judgements = same_questions()
    found = {one.measure: one for one in compare(judgements, [SEARCHAIN, ENGINE], ["skc_strict", "amp"])}
    alone = breakdown(judgements)
    one = found["skc_strict"]
    assert one.questions == one.wins + one.ties + one.losses == 30
    assert (one.first, one.second) == pytest.approx(
        (alone[SEARCHAIN].skc_strict.value, alone[ENGINE].skc_strict.value), abs=1e-9
    )
    assert one.difference.value == pytest.approx(one.first - one.second, abs=1e-9)
    assert one.difference.low < one.difference.value < one.difference.high
    assert one.p == one.holm < 0.05
    assert found["amp"].questions <= 30
    [nothing] = compare(judgements, [SEARCHAIN, "nobody"], ["amp"])
    assert (nothing.questions, nothing.p, nothing.difference.value) == (0, None, None)


@pytest.mark.parametrize(("effect", "replies"), [(0.5, 20), (0.2, 200), (0.8, 5), (0.0, 30), (1.5, 3)])
def test_power_is_the_librarys(effect, replies):
    expected = TTestPower().power(effect, replies, 0.05, alternative="two-sided")
    assert power_of(effect, replies) == pytest.approx(expected, abs=1e-9)


def test_a_plan_needs_fewer_replies_with_more_annotators():
    found = plan(Pilot(30, 0.02, 0.06, True), 0.1, 0.8)
    assert [one.annotators for one in found] == [1, 2, 3, 4, 5]
    assert [one.replies for one in found] == sorted((one.replies for one in found), reverse=True)
    for one in found:
        effect = 0.1 / np.sqrt(0.02 + 0.06 / one.annotators)
        assert one.power >= 0.8 > power_of(effect, one.replies - 1)
    assert plan(Pilot(30, 1.0, 1.0, True), 0.001)[0].replies is None


def test_a_pilot_takes_annotators_apart_from_questions():
    judgements = same_questions(replies=60)
    found = pilot(judgements, [SEARCHAIN, ENGINE], "skc_strict")
    assert (found.questions, found.is_paired) == (60, True)
    assert found.within > 0
    assert found.between > 0
    for one in plan(found, 0.5):
        assert one.low < one.replies < one.high
    assert plan(pilot(judgements, [SEARCHAIN], "skc_strict"), 0.5)[0].replies > 2
