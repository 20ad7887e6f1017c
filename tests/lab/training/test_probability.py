"""Fitting how likely answers are right."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from lab.evaluation.examples import Example
from lab.training import probability, probability_chains
from lab.training.probability import Choice, Rows, cross_fitted, fit, rate, rows_of, table
from searchain.errors import ReaderError, UsageError
from searchain.verification.features import NAMES
from searchain.verification.probability import CHAIN_FEATURES, read_probability
from tests.support.fakes import CITY, KnowingReader, WordRetriever
from tests.support.json_lines import write_lines

RNG = np.random.default_rng(0)


def some_rows(questions=60, each=5, first=0):
    """Readings of which those with a great f are mostly right."""
    count = questions * each
    values = RNG.normal(size=(count, len(NAMES)))
    right = values[:, NAMES.index("f")] + RNG.normal(size=count) * 0.3 > 0.8
    yes, no = np.ones(count, dtype=bool), np.zeros(count, dtype=bool)
    question = np.repeat(np.arange(first, first + questions), each)
    return Rows(values, right, question, yes, yes, no, no, np.zeros(count))


def free(probability, right):
    """A choice of answerable questions of one step."""
    count = len(right)
    return Choice(np.array(probability), np.array(right), np.ones(count, dtype=bool), np.zeros(count))


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(probability, "TREES", 15)


def test_plain_numbers_say_what_the_library_says():
    from sklearn.ensemble import HistGradientBoostingClassifier

    rows = some_rows()
    model = HistGradientBoostingClassifier(max_iter=20, max_depth=3, early_stopping=False).fit(rows.values, rows.right)
    ours = rate(probability.as_trees(model), rows)
    assert ours == pytest.approx(model.predict_proba(rows.values)[:, 1], abs=1e-5)


def test_every_question_is_rated_by_trees_that_have_not_seen_it():
    rows = some_rows()
    (rated,) = cross_fitted(rows, repeats=1)
    seen = rate(fit(rows), rows)
    assert rated[rows.right].mean() > 0.4 > 0.2 > rated[~rows.right].mean()
    assert seen[rows.right].mean() > rated[rows.right].mean()  # what was seen is known too well


def test_a_question_is_looked_up_and_its_readings_are_judged():
    example = Example("q", CITY, ("Kyoto",), supporting_titles=("Nintendo",), answerable=True)
    found = rows_of(example, WordRetriever(), KnowingReader(), None, left_out=False)
    assert (found["answerable"], [one["right"] for one in found["readings"]]) == (True, [True])
    assert len(found["readings"][0]["features"]) == len(NAMES)
    without = rows_of(example, WordRetriever(), KnowingReader(), None, left_out=True)
    assert (without["answerable"], without["readings"]) == (False, [])
    rows = table([{"file": "f", **found}, {"file": "f", **without}], "f")
    assert (rows.right.tolist(), rows.judged.tolist(), rows.left_out.tolist()) == ([True], [True], [False])


OLD = {"file": "f", "readings": [], "left_out": False, "id": "q", "answerable": True}


def test_rows_of_another_version_are_refused_before_anything_is_looked_up(tmp_path):
    with pytest.raises(UsageError, match="another version"):
        table([OLD])
    rows = write_lines(tmp_path / "rows.jsonl", [OLD])
    with pytest.raises(UsageError, match="another version"):
        probability.collect([(tmp_path / "no-such-questions.jsonl", False)], rows, "no-such-index", None)


def line(number, *, right):
    """A line of an out file: two steps, and an end that is right where its steps are likely."""
    steps = [
        {"id": f"n{at}", "parent": f"n{at - 1}" if at > 1 else None, "round": 1, "query": f"Step {at}?", "answer": "Kyoto",
         "verdict": "completed", "probability": 0.9 if right else 0.2, "on_path": True}
        for at in (1, 2)
    ]  # fmt: skip
    about = {"standalone_question": f"Question {number}?", "final_answer": "Kyoto", "candidates": []}
    return about | {"answers": ["Kyoto" if right else "Osaka"], "tree": {"nodes": steps}}


def test_ends_of_chains_are_fitted_from_out_files(tmp_path):
    out = write_lines(tmp_path / "out.jsonl", (line(number, right=number % 2 == 0) for number in range(120)))
    result = CliRunner().invoke(probability_chains.main, ["--chains", str(out), "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "120 chains, 0.500 right, AUC 1.000" in result.output
    stored = json.loads((tmp_path / "probability.json").read_text())
    assert list(stored["chain"]["weights"]) == list(CHAIN_FEATURES)
    assert len(stored["chain"]["rows"]) == 1
    with pytest.raises(ReaderError, match="holds no probability") as caught:  # readings were never fitted there
        read_probability(tmp_path)
    assert "calibrate" in caught.value.hint


def test_what_is_too_sure_is_moved_to_a_line():
    rng = np.random.default_rng(1)
    true = rng.uniform(0.05, 0.95, 2_000)
    too_sure = 1 / (1 + np.exp(-2 * np.log(true / (1 - true)) - 0.5))
    choice = free(too_sure, rng.uniform(size=2_000) < true)
    line = probability.line_through(choice)
    assert (line.slope, line.offset) == (pytest.approx(0.5, abs=0.08), pytest.approx(-0.25, abs=0.12))
    moved = probability.calibrated(choice)
    assert probability.report(moved, 0.9)["ece"] < 0.05 < probability.report(choice, 0.9)["ece"]
    trees = probability.scaled(fit(some_rows()), 2.0, 1.0)
    assert len(trees.trees) == 15
