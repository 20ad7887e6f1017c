"""Agreement: published worked examples, reference libraries to 1e-9, and every case in which there is no figure."""

import warnings
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student_t
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa
from statsmodels.stats.proportion import proportion_confint

from searchain.annotation import agreement
from searchain.annotation.agreement import ALONE, MISSING, NO_VARIATION, NOBODY
from searchain.annotation.estimates import share

EXACT = 1e-9
_ = MISSING


def rated(*rows, categories=None, gold=None, items=None) -> agreement.Ratings:
    """Rows are annotators, columns units, as the literature prints them; every unit is an item of its own."""
    values = np.array(rows).T
    size = categories or int(values.max(initial=0)) + 1
    return agreement.Ratings(
        "toy",
        tuple("abcdefgh"[:size]),
        tuple(f"r{number}" for number in range(values.shape[1])),
        values,
        tuple(items or (f"u{number}" for number in range(len(values)))),
        np.array(gold if gold is not None else [_] * len(values)),
    )


def libraries_alpha(values: np.ndarray, level: str = "nominal") -> float:
    rows = np.where(_ == values.T, np.nan, values.T)
    return krippendorff.alpha(rows, value_domain=range(4), level_of_measurement=level)


def random_ratings(
    seed: int, units: int = 40, annotators: int = 4, categories: int = 4, holes: float = 0.3
) -> agreement.Ratings:
    """Annotators who mostly say what is so, with units left out at random."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, categories, units)
    size = (units, annotators)
    said = np.where(random.random(size) < 0.6, truth[:, None], random.integers(0, categories, size))
    return rated(*np.where(random.random(size) < holes, _, said).T, categories=categories)


# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", sections A, B and C/D (. is a unit left out)
BINARY = rated([0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0])
NOMINAL = rated(*(["abcde".index(letter) for letter in row] for row in ("aabbdcccedda", "babbbccceddd")))
FOUR = rated(
    [0, 1, 2, 2, 1, 0, 3, 0, 1, _, _, _],
    [0, 1, 2, 2, 1, 1, 3, 0, 1, 4, _, 2],
    [_, 2, 2, 2, 1, 2, 3, 1, 1, 4, 0, _],
    [0, 1, 2, 2, 1, 3, 3, 0, 1, 4, 0, _],
)


@pytest.mark.parametrize(
    ("ratings", "level", "published"),
    [(BINARY, "nominal", 0.095), (NOMINAL, "nominal", 0.692), (FOUR, "nominal", 0.743), (FOUR, "ordinal", 0.815)],
)
def test_krippendorffs_own_examples(ratings, level, published):
    assert round(agreement.alpha(ratings, level).value, 3) == published


@pytest.mark.parametrize("seed", range(20))
def test_coefficients_equal_those_of_the_libraries(seed):
    ratings = random_ratings(seed)
    for level in ("nominal", "ordinal"):
        assert agreement.alpha(ratings, level).value == pytest.approx(libraries_alpha(ratings.values, level), abs=EXACT)
    for one, other, found in (
        (0, 1, agreement.cohen_kappa(ratings, 0, 1)),
        (2, 3, agreement.cohen_kappa(ratings, 2, 3)),
    ):
        both = (ratings.values[:, [one, other]] != _).all(axis=1)
        expected = cohen_kappa_score(ratings.values[both, one], ratings.values[both, other])
        assert (found.value, found.n) == (pytest.approx(expected, abs=EXACT), both.sum())
    counts = ratings.counts()
    found = agreement.agreement(ratings)
    of_as_many = counts[counts.sum(axis=1) == found.raters]
    assert found.fleiss.value == pytest.approx(fleiss_kappa(of_as_many), abs=EXACT)
    assert found.fleiss.n == len(of_as_many)
    pairs = [pair for row in ratings.values for pair in combinations(row, 2) if _ not in pair]
    assert found.raw.value == pytest.approx(np.mean([one == other for one, other in pairs]), abs=EXACT)


def gwets(values: np.ndarray, size: int) -> float:
    """AC1 after Gwet 2008, eq. 4 and 5, unit by unit, of units with two judgements or more."""
    rows = [[said for said in row if said != _] for row in values]
    rows = [row for row in rows if len(row) > 1]
    observed = np.mean([np.mean([a == b for a, b in combinations(row, 2)]) for row in rows])
    shares = [np.mean([row.count(kind) / len(row) for row in rows]) for kind in range(size)]
    chance = sum(share * (1 - share) for share in shares) / (size - 1)
    return (observed - chance) / (1 - chance)


def test_gwets_own_example():
    # Gwet 2002, "Kappa statistic is not satisfactory …": 118, 5, 2 and 0 of 125
    one, other = np.repeat([0, 0, 1, 1], [118, 5, 2, 0]), np.repeat([0, 1, 0, 1], [118, 5, 2, 0])
    found = agreement.agreement(rated(one, other))
    assert (round(found.ac1.value, 2), round(found.cohen[0][2].value, 2)) == (0.94, -0.02)
    assert found.ac1.low < found.ac1.value < found.ac1.high < 1


@pytest.mark.parametrize("seed", range(5))
def test_the_interval_of_a_coefficient_is_that_of_the_jackknife(seed):
    """Each reply is left out in turn, and the library asked again."""
    ratings = random_ratings(seed, units=25)
    values = ratings.values[(ratings.values != _).sum(axis=1) > 1]
    without = [np.delete(values, place, axis=0) for place in range(len(values))]

    def spread(figures):
        return np.sqrt((len(figures) - 1) * np.var(figures))

    half = student_t.ppf(0.975, len(values) - 1) * spread([libraries_alpha(one) for one in without])
    found = agreement.alpha(ratings)
    assert (found.low, found.high) == pytest.approx((found.value - half, min(found.value + half, 1)), abs=EXACT)
    ac1, judged = agreement.agreement(ratings).ac1, (values != _).sum(axis=1)
    pairs = (judged * (judged - 1) / 2).sum()
    assert ac1.value == pytest.approx(gwets(values, 4), abs=EXACT)
    worth = min(ac1.value * (1 - ac1.value) / spread([gwets(one, 4) for one in without]) ** 2, pairs)
    assert (ac1.low, ac1.high) == pytest.approx(wilson(worth * ac1.value, worth, len(values)), abs=EXACT)


def test_full_agreement_of_many_is_no_certainty_and_a_single_reply_has_no_interval():
    found = agreement.agreement(rated([0, 1] * 10, [0, 1] * 10))
    assert (found.raw, found.raw.high) == (found.ac1, pytest.approx(1.0))
    assert 0.7 < found.raw.low < 0.9
    assert (found.alpha.value, found.alpha.low) == (1.0, None)
    found = agreement.alpha(rated([0, 1, 2], [0, 1, 2], items=("u", "u", "u")))
    assert (found.value, found.low, found.high, found.n) == (1.0, None, None, 3)


def test_units_of_one_item_stand_together():
    """Ten copies of each unit tell nothing more than one, when they are of one item."""
    few = random_ratings(8, units=20, holes=0)
    values, items, gold = np.repeat(few.values, 10, axis=0), np.repeat(few.items, 10), np.repeat(few.gold, 10)
    many = agreement.Ratings("toy", few.categories, few.annotators, values, tuple(items), gold)
    one, ten = agreement.raw_agreement(few), agreement.raw_agreement(many)
    assert (one.value, one.low, one.high) == pytest.approx((ten.value, ten.low, ten.high))
    assert (one.n, ten.n) == (20, 200)


@pytest.mark.parametrize(
    ("ratings", "reasons"),
    [
        # raw, Fleiss, α
        (rated([], []), (NOBODY, NOBODY, NOBODY)),
        (rated([0, 1, 0]), (ALONE, ALONE, ALONE)),
        (rated([0, 1, _, _], [_, _, 0, 1]), (ALONE, ALONE, ALONE)),
        (rated([1, 1, 1], [1, 1, 1]), ("", NO_VARIATION, NO_VARIATION)),
        (rated([_, _], [_, _]), (NOBODY, NOBODY, NOBODY)),
    ],
)
def test_where_there_is_no_figure_there_is_a_reason(ratings, reasons):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for level in ("nominal", "ordinal"):
            found = agreement.agreement(ratings, level)
            estimates = (found.raw, found.fleiss, found.alpha)
            assert tuple(one.reason for one in estimates) == reasons
            assert [one.value is None for one in estimates] == [bool(reason) for reason in reasons]
            assert all(one.low is one.high is None for one in estimates if one.reason)


def test_two_annotators_who_share_no_unit_have_no_kappa():
    cohen = agreement.agreement(rated([0, 1, _], [_, 1, 0], [0, _, 1])).cohen
    found = [(a, b, kappa.value, kappa.reason) for a, b, kappa in cohen]
    assert found == [("r0", "r1", None, NO_VARIATION), ("r0", "r2", None, NO_VARIATION), ("r1", "r2", 0.0, "")]
    assert agreement.cohen_kappa(rated([0, _], [_, 1]), 0, 1).reason == "they share no unit"


def test_an_annotator_is_held_against_gold_or_else_against_the_others():
    #            gold: a            others of r0: b b → b; a b → tie; _ b → b
    ratings = rated([0, 0, 0, 1], [1, 1, 0, _], [1, 1, 1, 1], gold=[0, _, _, _])
    first, second, third = agreement.confusions(ratings)
    assert (first.counts, first.units, first.right, first.against_gold) == (((1, 0), (1, 1)), 3, 2, 1)
    # unit 0 by gold; unit 1: others a, b tied; unit 2: others a, b tied
    assert (second.counts, second.against_gold) == (((0, 1), (0, 0)), 1)
    # unit 0 by gold; unit 1: others tied; unit 2: others a, a; unit 3: other b
    assert (third.counts, third.right) == (((0, 2), (0, 1)), 1)


def test_the_worst_items_come_first():
    supports = rated([0, 0, 1, 1], [0, 1, 1, 0], [0, 1, 1, 1], items=("good", "bad", "bad", "worst"))
    places = rated([0, 1, 0], [0, 0, 1], [0, 1, 2], items=("good", "bad", "worst"))
    assert agreement.disputes([supports, places]) == (agreement.Dispute("worst", 5, 6), agreement.Dispute("bad", 4, 9))
    assert agreement.disputes([supports])[0].share == pytest.approx(2 / 3)


def wilson(hits: float, units: float, replies: int) -> tuple[float, float]:
    """The library's interval with Student's quantile for the normal one."""
    return proportion_confint(hits, units, alpha=2 * norm.sf(student_t.ppf(0.975, replies - 1)), method="wilson")


@pytest.mark.parametrize(("hits", "n"), [(0, 20), (7, 11), (20, 20), (300, 1000)])
@pytest.mark.parametrize("each", [1, 2, 10])
def test_the_interval_of_a_share_is_wilsons_and_copies_in_a_reply_tell_nothing_more(hits, n, each):
    found = share(np.repeat([each, 0], [hits, n - hits]), np.full(n, each))
    worth = n - 1 if 0 < hits < n else n  # the variance between replies is a sample's
    assert (found.low, found.high) == pytest.approx(wilson(worth * hits / n, worth, n), abs=EXACT)
    assert (found.value, found.n) == (hits / n, n * each)


def test_units_that_differ_within_their_replies_count_fully_and_a_share_of_nothing_has_a_reason():
    found = share(np.full(30, 2), np.full(30, 4))
    assert (found.low, found.high) == pytest.approx(wilson(60, 120, 30), abs=EXACT)
    assert share(np.array([]), np.array([])).reason
