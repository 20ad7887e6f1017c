"""The certificate's bound: exact, kept in nine of ten populations, and honest of what is not judged."""

from dataclasses import replace
from random import Random

import pytest

from searchain.annotation.certificate import Certificate, is_right, most_wrong, needed, ordered
from searchain.annotation.protocol import Backing, Place, default_labels
from tests.support.judged_replies import simulate_judging


@pytest.mark.parametrize(("population", "judged", "wrong", "most"), [(20, 20, 3, 3), (1500, 60, 0, 55), (10, 1, 1, 10)])
def test_the_most_that_may_be_wrong(population, judged, wrong, most):
    assert most_wrong(population, judged, wrong, 0.9) == most


def test_the_bound_holds_in_nine_of_ten_samples_and_is_not_idle():
    random, held, bounds = Random(7), 0, list[int]()
    bad, population, judged = 90, 500, 60
    for _ in range(2_000):
        wrong = sum(one < bad for one in random.sample(range(population), judged))
        bounds.append(most_wrong(population, judged, wrong, 0.9))
        held += bounds[-1] >= bad
    assert 0.9 <= held / 2_000 <= 0.97
    assert sum(bounds) / len(bounds) < 3 * bad


def test_as_many_as_needed_are_enough_and_one_fewer_is_not():
    for wrong in range(4):
        count = needed(1_500, 0.05, wrong, 0.9)
        assert most_wrong(1_500, count, wrong, 0.9) <= 75 < most_wrong(1_500, count - 1, wrong, 0.9)
    assert needed(10, 0.05, 1, 0.9) is None


def test_the_order_is_the_seed_s_and_has_every_citation_once():
    items = [one.item for one in simulate_judging(replies=12, seed=3).judgements]
    items = list({item.id: item for item in items}.values())
    first = ordered(items, 1)
    assert first == ordered(items[::-1], 1) != ordered(items, 2)
    assert sorted(first) == sorted((item.id, mark.index) for item in items for mark in item.marks)


def test_a_citation_is_right_where_it_belongs_and_its_statement_is_supported_completely():
    judged = simulate_judging(replies=12, seed=3).judgements[0]
    item, labels = judged.item, judged.labels
    for mark in item.marks:
        assert is_right(item, mark.index, default_labels(item)) in (None, False)  # nobody judged it; or it is invented
    mark = next(one.index for one in item.marks if one.index not in item.invented)
    well = replace(
        labels,
        knowledge_items=tuple(replace(one, support=Backing.COMPLETE) for one in labels.knowledge_items),
        marks=tuple(replace(one, place=Place.RIGHT) for one in labels.marks),
    )
    assert is_right(item, mark, well) is True
    for support in set(Backing) - {Backing.COMPLETE}:
        less = tuple(replace(one, support=support) for one in well.knowledge_items)
        assert is_right(item, mark, replace(well, knowledge_items=less)) is False
    moved = tuple(replace(one, place=Place.SUPERFLUOUS) for one in well.marks)
    assert is_right(item, mark, replace(well, marks=moved)) is False


def test_the_sentence():
    made = Certificate(answers=500, citations=1_500, sure=0.9, seed=0, judged=60, wrong=0, most=55)
    assert made.sentence == (
        "Of the 1,500 citations in these 500 answers at most 3.7 % are wrong, 90 % sure; "
        "60 were judged by people, 0 of them wrong."
    )
    assert replace(made, wrong=2, invented=1).sentence.endswith(
        "; 59 were judged by people, 1 of them wrong; 1 more cited what is not there."
    )
