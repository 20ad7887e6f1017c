"""What is measured on gold steps."""

import math

from lab.evaluation.gold_steps import AskedStep, FoundStep, scores, steps_of


def test_steps_are_asked_with_the_answers_before_them():
    record = {
        "steps": [
            {"query": "In which city is Nintendo?", "answer": "Kyoto", "title": "Nintendo"},
            {"query": "On which island is #1?", "answer": "Honshu", "title": "Kyoto"},
            {"query": "How large is #2?", "answer": None, "title": "Honshu"},
            {"query": "Is #3 much?", "answer": "yes", "title": "Area"},  # nobody knows how large
            {"query": "What is an island?", "answer": "land"},  # names no page
            {"query": "Are #1 and #2 the same?", "title": "Kyoto", "search": False},
        ]
    }
    assert list(steps_of(record)) == [
        AskedStep("In which city is Nintendo?", "Kyoto", "Nintendo"),
        AskedStep("On which island is Kyoto?", "Honshu", "Kyoto"),
        AskedStep("How large is Honshu?", None, "Honshu"),
    ]
    assert list(steps_of({})) == []


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
    assert table["auc"] == {"value": 0.5, "passages": 4}
    assert table["reading"]["n"] == 2
