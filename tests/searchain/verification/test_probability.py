"""How likely answers are right, and the boosted trees that tell it."""

import json
import math
from dataclasses import replace

import pytest

from searchain.errors import ReaderError
from searchain.types import STRICTER, Evidence, Hit, Judgement, Node, Passage, Place, Reading, Span, Step, Verdict
from searchain.verification import probability
from searchain.verification.features import NAMES
from searchain.verification.probability import CHAIN_FEATURES, Calibrated, Logistic, probability_for, read_probability
from searchain.verification.trees import Tree, Trees

KYOTO = Passage("kyoto", "Kyoto", "Kyoto is a city on Honshu.")
BY_F = Trees(0.0, (Tree(((NAMES.index("f"), 0.0, -1, -2),), (-3.0, 3.0)),))
"""Likely where f > 0."""


READING = Reading("Honshu", Span(19, 25), 2.0, probability=0.9)
MINE = "c-01j00000000000000000000000"
ISLAND = Step("On which island is Kyoto?", None)


def node(id, probability, *, answer="Honshu", query="On which island is Kyoto?", **more):
    return Node(id=id, parent=None, round=1, query=query, answer=answer, probability=probability, **more)


def evidence():
    hit = Hit(KYOTO, 1.0, 1)
    return Evidence((hit,), hit, READING, (READING,))


def test_readings_are_rated_and_those_without_an_answer_are_not():
    hits = [Hit(KYOTO, 2.0, 1), Hit(KYOTO, 1.0, 2), Hit(KYOTO, 0.5, 3)]
    readings = [Reading("Honshu", Span(19, 25), 2.0), Reading("", None, 5.0), Reading("Honshu", Span(19, 25), -2.0)]
    likely, none, unlikely = Calibrated(BY_F, 0.8).rated("On which island is Kyoto?", hits, readings)
    assert none == readings[1]
    assert unlikely.probability < 0.1 < 0.9 < likely.probability


@pytest.mark.parametrize(
    ("judgement", "expected"),
    [
        (Judgement(Verdict.COMPLETED, "read", "Honshu"), 0.9),
        (Judgement(Verdict.CORRECTED, "disagree", "Honshu"), 0.9),
        (Judgement(Verdict.UNCONFIRMED, "low-confidence", "Kyushu"), None),
        (Judgement(Verdict.UNCONFIRMED, "no-span", None), None),
        (Judgement(Verdict.COMPLETED, "stance", "yes"), None),
    ],
)
def test_a_step_is_as_likely_right_as_what_was_read(judgement, expected):
    assert Calibrated(BY_F, 0.8).of_step(ISLAND, evidence(), judgement) == expected


def test_labels_were_never_measured():
    rating, step = Calibrated(BY_F, 0.8), Step("Is Kyoto on Honshu?", None)
    assert rating.of_step(step, evidence(), Judgement(Verdict.COMPLETED, "statement-found", "yes")) is None
    assert rating.of_reply("Is Kyoto on Honshu?", [node("n1", 0.9, answer="yes")], "yes") is None


def test_a_reply_of_one_step_is_as_likely_right_as_the_step_and_another_answer_is_not_rated():
    rating = Calibrated(BY_F, 0.8, chain=Logistic(0.0, (0.0,) * len(CHAIN_FEATURES)))
    path = [node("n1", 0.9, answer="Kyoto", query="Where is Nintendo?"), node("n2", 0.9)]
    assert Calibrated(BY_F, 0.8).of_reply("On which island is Kyoto?", [node("n1", 0.7)], "Honshu") == 0.7
    assert rating.of_reply("On which island is Kyoto?", path[1:], "Kyoto") is None
    assert rating.of_reply("On which island is Nintendo?", path, "Kyoto") is None
    assert rating.of_reply("Which is older, Kyoto or Nara?", path, "Kyoto") == 0.5


def test_a_step_in_other_words_is_rated_as_a_chain_that_may_end_on_the_way():
    question = "What is the area of the university at which Dick Biddle served as head coach?"
    path = [node("n1", 0.97, answer="Colgate", query="At which university did Dick Biddle serve as head coach?")]
    assert Calibrated(BY_F, 0.8).of_reply(question, path, "Colgate") is None
    short = Logistic(2.0, tuple(-4.0 * (name == "short") for name in CHAIN_FEATURES))
    rating = Calibrated(BY_F, 0.8, chain=short, steps=lambda asked: 0.9 if asked == question else 0.1)
    assert rating.of_reply(question, path, "Colgate") < 0.2
    assert rating.of_reply("Where was Dick Biddle head coach?", path, "Colgate") > 0.8


def test_a_chain_is_rated_only_where_chains_were_measured_by_what_no_step_asks():
    path = [node("n1", 0.7, answer="Kyoto", query="Where is Nintendo?"), node("n2", 0.9)]
    by_product = Logistic(0.0, tuple(float(name == "product") for name in CHAIN_FEATURES))
    question = "On which island is Nintendo?"
    assert Calibrated(BY_F, 0.8).of_reply(question, path, "Honshu") is None
    assert Calibrated(BY_F, 0.8, chain=by_product).of_reply(question, path, "Honshu") == pytest.approx(0.63)
    assert Calibrated(BY_F, 0.8, chain=by_product).of_reply(question, path, "") is None
    values = probability.chain_features("Who governs the island?", path, "Honshu")
    names = dict(zip(CHAIN_FEATURES, values, strict=True))
    assert names["asked_in_steps"] == 0.5  # the island, and no governor


@pytest.mark.parametrize("content", ["", "{}", '{"reading": {"start": 0, "trees": [{}]}, "threshold": 1}'])
def test_a_damaged_file_is_named(tmp_path, content):
    (tmp_path / "probability.json").write_text(content)
    with pytest.raises(ReaderError, match=r"probability\.json") as caught:
        read_probability(tmp_path)
    assert "calibrate" in caught.value.hint


def stored(folder, threshold):
    folder.mkdir(parents=True)
    (folder / "probability.json").write_text(json.dumps({"reading": BY_F.as_json(), "threshold": threshold}))


def test_what_was_not_measured_has_a_stricter_threshold(tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    monkeypatch.setattr(probability, "WEIGHTS", tmp_path / "weights")
    assert probability_for("default") is None
    stored(tmp_path / "weights", 0.7)
    assert probability_for("default").threshold == 0.7
    assert probability_for("mine").threshold == STRICTER
    assert probability_for("default", is_measured_model=False).threshold == STRICTER
    stored(probability.place_of("mine"), 0.6)
    assert probability_for("mine").threshold == 0.6
    assert probability_for("mine", is_measured_model=False).threshold == STRICTER
    stored(tmp_path / "high", 0.9)
    monkeypatch.setattr(probability, "WEIGHTS", tmp_path / "high")
    assert probability_for("other").threshold == pytest.approx(0.94)


def test_own_documents_are_rated_by_their_own_calibration(tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    monkeypatch.setattr(probability, "WEIGHTS", tmp_path / "weights")
    stored(tmp_path / "weights", 0.9)
    assert probability_for(MINE).threshold == pytest.approx(0.94)  # nothing was measured on own documents
    never = {"reading": Trees(-4.0, ()).as_json(), "threshold": 0.7}
    (tmp_path / "weights" / "own.json").write_text(json.dumps(never))
    alone, beside = probability_for(MINE), probability_for(f"{MINE}+default")
    assert (alone.threshold, beside.threshold) == (0.7, 0.9)
    assert probability_for(MINE, is_measured_model=False).threshold == STRICTER
    assert probability_for("default").own is None
    mine = replace(KYOTO, place=Place("d", "v", 0, len(KYOTO.text)))
    readings = [Reading("Honshu", Span(0, 6), 6.0)] * 2
    rated = beside.rated("On which island is Kyoto?", [Hit(KYOTO, 2.0, 1), Hit(mine, 1.0, 2)], readings)
    assert rated[0].probability > 0.5 > rated[1].probability


@pytest.mark.parametrize(
    ("question", "body", "answer", "other"),
    [
        ("what is the largest lake in africa", "Victoria is the largest lake in Africa.", "lake", "Victoria"),
        ("Where was Ada Lovelace born?", "She was an English writer, born in London.", "English", "London"),
    ],
)
def test_a_noun_of_the_question_and_a_people_for_a_place_are_no_answers(question, body, answer, other):
    passage = Passage("p", "Page", body)
    spans = [Span(body.index(words), body.index(words) + len(words)) for words in (answer, other)]
    first, second = (Reading(body[span.start : span.end], span, 3.0) for span in spans)
    hits = [Hit(passage, 2.0, 1), Hit(passage, 1.0, 2)]
    both, alone = Calibrated(BY_F, 0.8).rated(question, hits, [replace(first, others=(second,)), first])
    assert (both.answer, both.others) == (other, ())
    assert (alone.answer, alone.span, alone.probability) == ("", None, None)


TREE = Tree(splits=((0, 1.5, 1, -1), (1, 0.0, -2, -3)), leaves=(2.0, -1.0, 0.5))


def test_trees_add_up_to_log_odds_and_survive_json():
    trees = Trees(-0.5, (TREE, Tree((), (0.25,))))
    assert trees.probability((2.0, 0.0)) == pytest.approx(1 / (1 + math.exp(-1.75)))
    assert Trees.from_json(json.loads(json.dumps(trees.as_json()))) == trees


@pytest.mark.parametrize("split", [[0, 1.0, 0, -3], [0, 1.0, 5, -1]])
def test_a_tree_that_leads_nowhere_is_refused(split):
    with pytest.raises(ValueError, match="nowhere"):
        Trees.from_json({"start": 0, "trees": [{"splits": [split], "leaves": [1.0, 2.0]}]})
