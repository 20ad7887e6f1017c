"""Whether the tick can be believed: figures by values computed by hand, and by scikit-learn's."""

import math

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import roc_auc_score

from lab.evaluation.metrics import area
from lab.evaluation.trust import calibration_error, is_right, is_ticked, risks, trust, trust_table

NO = -math.inf


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch):
    monkeypatch.setattr("lab.evaluation.trust.RESAMPLES", 300)


def reply(right, f, *, answerable=True, status="answered", **more):
    nodes = [{"on_path": True, "confidence": f}, {"on_path": False, "confidence": 99.0}]
    about = {"cover_em": float(right), "answerable": answerable, "left_out": False, "status": status}
    return about | {"answers": ["Canberra"], "sources": [], "tree": {"nodes": nodes}} | more


# 4 answerable (3 ticked, 2 of them right), 4 unanswerable (2 ticked, 1 of them right by luck)
EIGHT = [
    reply(True, 6.0),
    reply(True, 5.0),
    reply(False, 4.0),
    reply(False, None, status="not_found"),
    reply(True, 3.0, answerable=False),
    reply(False, 2.0, answerable=False),
    reply(False, 1.0, answerable=False, status="partial"),
    reply(False, 7.0, answerable=False, status="not_found"),
]


def means(lines):
    return {name: figure and figure["mean"] for name, figure in trust(lines)["trust"]["figures"].items()}


def test_a_tick_is_an_outcome_or_else_a_status():
    assert [is_ticked(reply(True, 1.0, status=status)) for status in ("answered", "partial")] == [True, False]
    outcomes = ("supported", "unsure", "not_found", "no_search", None)
    assert [is_ticked(reply(True, 1.0, outcome=outcome)) for outcome in outcomes] == [True, *[False] * 4]


def test_a_cited_passage_that_states_the_answer_is_right_only_where_titles_were_left_out():
    cited = {"sources": [{"text": "Its capital is Canberra."}]}
    assert not is_right(reply(False, 1.0, **cited))
    assert is_right(reply(False, 1.0, **cited, left_out=True))
    assert not is_right(reply(False, 1.0, **cited, left_out=True, answers=["Sydney"]))
    assert not is_right(reply(False, 1.0, sources=[{"text": "There is no river."}], left_out=True, answers=["no"]))


def test_the_figures_of_eight_replies():
    # curve: right, right, wrong, right, wrong, wrong, wrong, wrong; the last two in no order, both wrong
    risk = [0, 0, 1 / 3, 1 / 4, 2 / 5, 3 / 6, 4 / 7, 5 / 8]
    assert means(EIGHT) == {
        "right_answerable": 50.0,
        "ticked_answerable": 75.0,
        "ticked": 62.5,
        "precision": 60.0,
        "precision_60": pytest.approx(100 * (0.6 * 2 / 4 + 0.4 * 1 / 4) / (0.6 * 3 / 4 + 0.4 * 2 / 4), abs=0.01),
        "precision_20": pytest.approx(100 * (0.2 * 2 / 4 + 0.8 * 1 / 4) / (0.2 * 3 / 4 + 0.8 * 2 / 4), abs=0.01),
        "precision_5": pytest.approx(100 * (0.05 * 2 / 4 + 0.95 * 1 / 4) / (0.05 * 3 / 4 + 0.95 * 2 / 4), abs=0.01),
        "wrongly_ticked": 25.0,
        "silent_answerable": 25.0,
        "silent_unanswerable": 25.0,
        "aurc": pytest.approx(sum(risk) / 8, abs=1e-4),
        "auc": pytest.approx(14 / 15, abs=1e-4),
        "ece": None,
    }
    made = trust(EIGHT)["trust"]
    assert (made["questions"], made["answerable"], made["sure_by"]) == (8, 4, "confidence")
    assert made["reasons"] == {"ece": "no reply has a probability"}
    counts = {name: figure["n"] for name, figure in made["figures"].items() if figure}
    fours = "right_answerable ticked_answerable wrongly_ticked silent_answerable silent_unanswerable".split()
    fives = "precision precision_60 precision_20 precision_5".split()
    assert counts == dict.fromkeys(counts, 8) | dict.fromkeys(fours, 4) | dict.fromkeys(fives, 5)
    assert [point["risk"] for point in made["curve"] if point["coverage"] in (0.25, 0.5, 1.0)] == [0.0, 0.25, 0.625]
    bins = [(one["n"], one["sure"], one["right"]) for one in made["bins"]]
    assert bins == [(1, 1.0, 0.0), (1, 2.0, 0.0), (1, 3.0, 1.0), (1, 4.0, 0.0), (1, 5.0, 1.0), (1, 6.0, 1.0)]


def test_intervals_hold_the_figure_and_repeat_with_the_seed():
    lines = [line | {"id": n} for n in range(25) for line in EIGHT]
    made = trust(lines, 1)
    assert made == trust(lines, 1) != trust(lines, 2)
    for figure in filter(None, made["trust"]["figures"].values()):
        assert figure["low"] < figure["mean"] < figure["high"]
    # the normal approximation: 0.5 ± 1.96 · √(0.5 · 0.5 / 100)
    right = made["trust"]["figures"]["right_answerable"]
    assert (right["low"], right["high"]) == (pytest.approx(40.2, abs=3), pytest.approx(59.8, abs=3))


def test_what_cannot_be_had_has_a_reason():
    made = trust([reply(True, 1.0, status="partial"), reply(True, 2.0, status="partial")])["trust"]
    assert made["reasons"] == {
        "precision": "no reply is ticked",
        "precision_60": "too few kinds of questions",
        "precision_20": "too few kinds of questions",
        "precision_5": "too few kinds of questions",
        "wrongly_ticked": "every question is answerable",
        "silent_unanswerable": "every question is answerable",
        "auc": "the replies are all right or all wrong",
        "ece": "no reply has a probability",
    }
    told = list(trust_table(made))
    sure = "how sure a reply is: the Reader's f of its last step"
    assert told[0] == f"the tick, over 2 questions, 2 of them answerable; {sure}"
    assert told[1].split(maxsplit=4)[4] == "100.0 [100.0, 100.0]"
    assert told[-1].endswith("– (no reply has a probability)")
    assert trust([{"cover_em": 1.0}]) == {}


def test_probabilities_are_measured_where_lines_have_them():
    lines = [reply(n < 8, -5.0, probability=0.9, outcome="supported") for n in range(10)]
    lines += [reply(n < 1, 5.0, probability=0.2, outcome="unsure", status="partial") for n in range(10)]
    lines.append(reply(False, 9.0, probability=None, outcome="no_search"))
    made = trust(lines)["trust"]
    assert made["sure_by"] == "probability"
    assert (made["figures"]["ece"]["mean"], made["figures"]["ece"]["n"]) == (pytest.approx(0.1), 20)
    by_chance = made["ece_by_chance"]
    assert by_chance["low"] < by_chance["mean"] < by_chance["high"]
    assert list(trust_table(made))[-1].split("right")[-1].strip().startswith(f"{by_chance['mean']:.3f} [")
    assert made["figures"]["precision"]["mean"] == 80.0
    assert [(one["n"], one["sure"], one["right"]) for one in made["bins"]] == [(2, 0.2, 0.1)] * 5 + [(2, 0.9, 0.8)] * 5


def test_equally_sure_replies_share_their_risk():
    same = np.zeros(4)
    assert risks(np.array([True, False, False, False]), same).tolist() == [0.75] * 4
    assert risks(np.array([False, False, False, True]), same).tolist() == [0.75] * 4
    assert risks(np.array([True, False, True]), np.array([3.0, NO, 3.0])).tolist() == pytest.approx([0, 0, 1 / 3])


def test_areas_and_bins_as_scikit_learn_has_them():
    random = np.random.default_rng(0)
    probability = random.random(500)
    right = random.random(500) < probability**2
    assert area(probability, right) == pytest.approx(roc_auc_score(right, probability))
    coarse = probability.round(1)  # with ties
    assert area(coarse, right) == pytest.approx(roc_auc_score(right, coarse))
    true, said = calibration_curve(right, probability, n_bins=10, strategy="quantile")
    assert calibration_error(right, probability) == pytest.approx(np.abs(true - said).mean())
    assert calibration_error(right, right.astype(float)) == 0.0
    assert math.isnan(calibration_error(right[:1], np.array([NO])))
