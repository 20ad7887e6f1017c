"""Disagreement about what the knowledge items are: word by word, and as numbers, against a library."""

import krippendorff
import numpy as np
import pytest

from searchain.annotation.agreement import agreement, disputes
from searchain.annotation.annotators import by_annotator
from searchain.annotation.measures import counts
from searchain.annotation.protocol import Backing, KnowledgeItem, Labels, MarkJudgement, Place, default_labels
from searchain.annotation.unitizing import division, same_items, skc, tags
from tests.searchain.annotation.test_measures import item, judged, labels
from tests.support.judged_replies import simulate_judging

MARKS = tuple(MarkJudgement(index, Place.RIGHT) for index in range(3))
WHOLE = Labels((KnowledgeItem("k1", 0, 55, Backing.COMPLETE),), MARKS)


def test_words_begin_an_item_go_on_with_it_or_are_in_none():
    # "Nintendo sits in Kyoto [1][2]. Kyoto lies on Honshu [3]. Honshu is large. Ask me more."
    assert tags(item(), default_labels(item())) == [1, 2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 1, 2, 2]
    assert tags(item(), WHOLE) == [1, 2, 2, 2, 2, 2, 2, 2] + [0] * 6
    assert tags(item(), Labels()) == [0] * 14


def test_different_items_are_a_dispute():
    both = labels(Backing.COMPLETE, Backing.COMPLETE)
    same = [judged("ada", both), judged("ben", both)]
    assert disputes([same_items(same)]) == ()
    [found] = disputes([same_items([same[0], judged("ben", WHOLE), judged("cleo", WHOLE)])])
    assert (found.item, found.disagreeing, found.pairs) == ("i1", 2, 3)


@pytest.mark.parametrize("judges", [2, 3])
def test_alpha_of_skc_and_of_the_division_is_the_librarys(judges):
    made = simulate_judging(replies=30, seed=5, judges=judges)
    random = np.random.default_rng(5)
    changed = [
        judged(one.annotator, Labels(one.labels.knowledge_items[random.integers(0, 2) :], one.labels.marks), one.item)
        for one in made.judgements
    ]
    names = sorted({one.annotator for one in changed})
    by_reply: dict[str, dict[str, object]] = {}
    for one in changed:
        by_reply.setdefault(one.item.id, {})[one.annotator] = one
    figures = [
        [counts(said[name].item, said[name].labels).skc_marked if name in said else np.nan for name in names]
        for said in by_reply.values()
    ]
    found = agreement(skc(changed), "interval")
    expected = krippendorff.alpha(np.array(figures, dtype=float).T, level_of_measurement="interval")
    assert (found.alpha.value, found.fleiss.value, found.cohen) == (pytest.approx(expected, abs=1e-9), None, ())
    words = [
        [said[name][at] if name in said else np.nan for name in names]
        for reply in by_reply.values()
        for said in [{name: tags(one.item, one.labels) for name, one in reply.items()}]
        for at in range(len(next(iter(said.values()))))
    ]
    expected = krippendorff.alpha(np.array(words, dtype=float).T, level_of_measurement="nominal")
    assert agreement(division(changed)).alpha.value == pytest.approx(expected, abs=1e-9)


def test_each_annotator_has_figures_and_two_halves():
    made = simulate_judging(replies=20, seed=2)
    found = {one.annotator: one for one in by_annotator(made.judgements)}
    assert list(found) == ["ada", "ben", "eve"]
    assert all(one.first.replies == one.second.replies == 20 and one.contradictory == 0 for one in found.values())
    assert found["ada"].first.agreeing > found["eve"].first.agreeing
    own = [one for one in made.answers if one.annotator == "eve" and one.question == "place"]
    assert found["eve"].measures.amp.value == pytest.approx(np.mean([one.given == "right" for one in own]), abs=1e-9)
