"""Intervals against independent libraries, and how often they hold the truth."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from lab.benchmarks.coverage import simulate
from searchain.annotation.estimates import FEWEST_REPLIES, average, rate, share, student

EXACT = 1e-9


@pytest.mark.parametrize("freedom", [1, 2, 3, 8, 11, 29, 30, 99, 500])
def test_students_quantile_is_the_librarys(freedom):
    assert student(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=EXACT)


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


def test_intervals_hold_the_truth():
    """A short run; `python -m lab.benchmarks.coverage` makes the long one, whose table is in docs/annotation.md."""
    assert min(cell.covered for cell in simulate(300, seed=3)) > 0.88
