"""The scores, by values computed by hand."""

import math
import re

import pytest

from lab.evaluation import metrics
from lab.evaluation.gold_steps import FoundStep, scores
from searchain.types import Hit, Passage


@pytest.mark.parametrize(
    ("metric", "said", "answers", "score"),
    [
        (metrics.cover_em, "Kyoto", ["Kyoto"], 1),
        (metrics.cover_em, "in the city of KYOTO, Japan.", ["Kyoto"], 1),
        (metrics.cover_em, "Japan", ["Kyoto, Japan"], 0),  # a part of the gold answer is not enough
        (metrics.cover_em, "1989", ["89"], 0),
        (metrics.cover_em, "the U.S.", ["US"], 1),
        (metrics.cover_em, "1,000 m", ["1000 m"], 1),
        (metrics.cover_em, "one two three four five six seven eight nine ten eleven Kyoto", ["Kyoto"], 1),
        (metrics.cover_em, "word " * 12 + "Kyoto", ["Kyoto"], 0),  # 13 words
        (metrics.cover_em, "", ["Kyoto"], 0),
        (metrics.cover_em, "yes", ["yes"], 1),
        (metrics.cover_em, "yes, they are", ["yes"], 0),
        (metrics.cover_em, "no", ["yes"], 0),
        (metrics.cover_em, "it SUPPORTS", ["SUPPORTS"], 0),
        (metrics.cover_em, "", [], 1),  # nothing was asked of a library
        (metrics.cover_em, "Kyoto", [], 0),
        (metrics.cover_em_reply, "word " * 50 + "Honshu", ["Honshu"], 1),  # however long
        (metrics.cover_em_reply, "Yes, Kyoto is on Honshu.", ["yes"], 1),
        (metrics.cover_em_reply, "Yesterday", ["yes"], 0),
        (metrics.f1, "King Henry VIII", ["Henry VIII"], 0.8),  # 2 of 3, 2 of 2
        (metrics.f1, "Henry Henry", ["Henry"], 2 / 3),
        (metrics.f1, "Ann", ["Henry"], 0),
        (metrics.f1, "the", ["the"], 0),
        (metrics.f1, "Henry", ["Ann", "Henry VIII"], 2 / 3),  # the best
        (metrics.rouge_l, "the cat sat", ["a dog", "the cat stood"], 2 / 3),  # 2 of 3 and 2 of 3
        (metrics.rouge_l, "", ["the cat"], 0),
    ],
)
def test_a_score_of_an_answer_or_a_reply(metric, said, answers, score):
    assert metric(said, answers) == pytest.approx(score)


def hits(*titles):
    return [Hit(Passage(title, title, "text"), 1.0, rank) for rank, title in enumerate(titles, 1)]


@pytest.mark.parametrize(("k", "share"), [(1, 1 / 3), (2, 2 / 3), (5, 2 / 3)])
def test_recall_counts_titles_over_all_searches(k, share):
    searches = [hits("Kyoto", "Sega"), hits("Osaka", "nintendo  co", "Tokyo")]
    assert metrics.recall(searches, ["Kyoto", "Nintendo Co", "Honshu"], k) == pytest.approx(share)


def test_a_reply_without_its_marks():
    reply = "It is in Kyoto [1][2]. See [3] there [1]."
    marks = [{"start": mark.start(), "end": mark.end()} for mark in re.finditer(r"\[[12]\]", reply)]
    assert metrics.without_marks(reply, [*marks, marks[0]]) == "It is in Kyoto. See [3] there."


def test_scores_are_means_over_steps():
    found = [
        FoundStep(1, True, ((2.0, True), (1.0, False))),
        FoundStep(6, False, ((0.5, True), (1.5, False))),
        FoundStep(math.inf, None, ()),
    ]
    table = scores(found)
    means = {name: value.get("mean") for name, value in table.items()}
    assert means == {"recall@1": 33.3, "recall@5": 33.3, "recall@10": 66.7, "reading": 50.0, "auc": None}
    assert (table["auc"], table["reading"]["n"]) == ({"value": 0.5, "passages": 4}, 2)
