"""The scores, by values computed by hand."""

import re

import pytest

from lab.evaluation import metrics
from searchain.types import Hit, Passage


@pytest.mark.parametrize(
    ("final_answer", "answers", "score"),
    [
        ("Kyoto", ["Kyoto"], 1),
        ("in the city of KYOTO, Japan.", ["Kyoto"], 1),
        ("Japan", ["Kyoto, Japan"], 0),  # a part of the gold answer is not enough
        ("1989", ["89"], 0),
        ("the U.S.", ["US"], 1),
        ("1,000 m", ["1000 m"], 1),
        ("one two three four five six seven eight nine ten eleven Kyoto", ["Kyoto"], 1),
        ("one two three four five six seven eight nine ten eleven twelve Kyoto", ["Kyoto"], 0),  # 13 words
        ("", ["Kyoto"], 0),
        ("yes", ["yes"], 1),
        ("yes, they are", ["yes"], 0),
        ("no", ["yes"], 0),
        ("it SUPPORTS", ["SUPPORTS"], 0),
        ("", [], 1),  # nothing was asked of a library
        ("Kyoto", [], 0),
    ],
)
def test_cover_em(final_answer, answers, score):
    assert metrics.cover_em(final_answer, answers) == score


@pytest.mark.parametrize(
    ("reply", "answers", "score"),
    [
        ("word " * 50 + "Honshu", ["Honshu"], 1),  # however long
        ("Yes, Kyoto is on Honshu.", ["yes"], 1),
        ("Yesterday", ["yes"], 0),
    ],
)
def test_cover_em_of_the_reply(reply, answers, score):
    assert metrics.cover_em_reply(reply, answers) == score


@pytest.mark.parametrize(
    ("final_answer", "answers", "score"),
    [
        ("King Henry VIII", ["Henry VIII"], 0.8),  # 2 of 3, 2 of 2
        ("Henry Henry", ["Henry"], 2 / 3),
        ("Ann", ["Henry"], 0),
        ("the", ["the"], 0),
        ("Henry", ["Ann", "Henry VIII"], 2 / 3),  # the best
    ],
)
def test_f1(final_answer, answers, score):
    assert metrics.f1(final_answer, answers) == pytest.approx(score)


def test_rouge_l_is_the_f_of_the_longest_common_subsequence():
    # "the cat sat" and "the cat stood": 2 of 3 and 2 of 3
    assert metrics.rouge_l("the cat sat", ["a dog", "the cat stood"]) == pytest.approx(2 / 3)
    assert metrics.rouge_l("", ["the cat"]) == 0


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
