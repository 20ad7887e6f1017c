"""Intervals against independent libraries, and how often they hold the truth."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from lab.benchmarks.coverage import FREE, simulate, simulate_machines
from searchain.annotation.comparing import difference
from searchain.annotation.estimates import FEWEST_REPLIES, average, rate, share, student

EXACT = 1e-9


def test_the_interval_of_a_mean_is_the_librarys():
    values = np.random.default_rng(0).poisson(2.5, 40).astype(float)
    found = average(values)
    low, high = stats.t.interval(0.95, 39, loc=values.mean(), scale=stats.sem(values))
    assert (found.value, found.low, found.high) == pytest.approx((values.mean(), low, high), abs=EXACT)


def test_a_rate_is_worth_what_its_variance_says():
    rates = np.random.default_rng(1).choice([0.5, 0.75, 1.0], 25)
    found = rate(rates, np.full(25, 4.0))
    p, level = rates.mean(), 2 * stats.norm.sf(student(0.975, 24))
    worth = min(p * (1 - p) / (rates.var(ddof=1) / 25), 100)
    low, high = proportion_confint(p * worth, worth, alpha=level, method="wilson")
    assert (found.value, found.low, found.high) == pytest.approx((p, low, high), abs=EXACT)


def test_all_right_is_no_certainty_and_few_replies_have_no_interval():
    found = share(np.full(12, 2.0), np.full(12, 2.0))
    assert found.value == found.high == 1.0
    assert 0.6 < found.low < 0.8
    for few in (share(np.ones(9), np.ones(9)), rate(np.ones(9), np.ones(9)), average(np.arange(9.0))):
        assert (few.low, few.high) == (None, None)
    assert FEWEST_REPLIES == 10
    assert average(np.ones(20)).low is None


def test_a_difference_counts_one_question_won_and_one_lost():
    """All is right for both: the interval is Student's over the questions and the two that are added."""
    found = difference(np.ones((12, 4)), is_share=True)
    values = np.array([0.0] * 12 + [1.0, -1.0])
    low, high = stats.t.interval(0.95, 13, loc=0, scale=stats.sem(values))
    assert (found.value, found.low, found.high) == pytest.approx((0.0, low, high), abs=EXACT)
    assert difference(np.ones((12, 4)), is_share=False).low is None
    counts = np.column_stack([np.arange(12.0), np.ones(12), np.ones(12), np.ones(12)])
    low, high = stats.t.interval(0.95, 11, loc=4.5, scale=stats.sem(np.arange(12.0)))
    found = difference(counts, is_share=False)
    assert (found.value, found.low, found.high) == pytest.approx((4.5, low, high), abs=EXACT)


def test_intervals_hold_the_truth():
    """A short run; `python -m lab.benchmarks.coverage` makes the long one, whose table is in docs/annotation.md."""
    cells = [*simulate(200, seed=3), *simulate_machines(200, seed=3)]
    assert min(cell.covered for cell in cells if cell.figure != FREE) > 0.87
    good = [cell for cell in cells if "good judge" in cell.figure and (cell.truth, cell.replies) == (0.8, 100)]
    assert all(cell.covered > 0.9 and cell.beside < 0.48 for cell in good)
