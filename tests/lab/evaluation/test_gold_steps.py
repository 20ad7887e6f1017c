"""What is measured on gold steps."""

import math

from lab.evaluation.gold_steps import FoundStep, scores


def test_scores_are_means_over_steps():
    found = [
        FoundStep(1, True, ((2.0, True), (1.0, False))),
        FoundStep(6, False, ((0.5, True), (1.5, False))),
        FoundStep(math.inf, None, ()),
    ]
    table = scores(found)
    assert {name: value.get("mean") for name, value in table.items()} == {
        "recall@1": 33.3,
        "recall@5": 33.3,
        "recall@10": 66.7,
        "reading": 50.0,
        "auc": None,
    }
    assert (table["auc"], table["reading"]["n"]) == ({"value": 0.5, "passages": 4}, 2)
