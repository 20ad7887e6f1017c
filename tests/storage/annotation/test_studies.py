"""A study as a file: set, frozen, changed with a reason; its rules; and a round packed so that it runs again."""

import gzip
import json
import zipfile
from dataclasses import replace

import pytest

from searchain.annotation.blocks import marks_before_stops
from searchain.annotation.guided_practice import examples, graded
from searchain.annotation.guided_practice import item as known_item
from searchain.annotation.labels import check, item_from_json, to_json
from searchain.annotation.machines import from_check
from searchain.annotation.protocol import Backing, Labels
from searchain.annotation.study import from_toml
from searchain.errors import UsageError
from storage.annotation import machines
from storage.annotation.history import labels
from storage.annotation.report import report
from storage.database import Database
from tests.searchain.annotation.test_comparing import same_questions
from tests.searchain.annotation.test_measures import item
from tests.support.judged_replies import fill_desk, judge, right_labels, simulate_judging, uniform_labels
from tests.support.shell import annotate as run


@pytest.fixture
def path(tmp_path):
    """Two systems on the same twelve questions, judged by three."""
    store = Database(tmp_path / "a.db")
    fill_desk(store, replace(simulate_judging(replies=12, seed=7), judgements=same_questions(replies=12, seed=7)))
    machines.judge_all(store, "a check", from_check(lambda claim, evidence: "supported"))
    store.close()
    return tmp_path / "a.db"


def test_a_frozen_study_changes_only_with_a_reason_and_the_report_says_so(path, tmp_path):
    file = tmp_path / "study.toml"
    file.write_text('title = "T"\nhypotheses = ["AMP differs"]\n[[annotators]]\nname = "ada"\ndegree = "MSc"\n')
    assert run("study", file, "--freeze", db=path).exit_code == 0
    before = from_toml(file.read_text()).hash
    assert f"hash: {before}" in run("study", db=path).output
    file.write_text('title = "T"\nhypotheses = ["AMP differs"]\n[exclusions]\nannotators = ["eve"]\n')
    refused = run("study", file, db=path)
    assert (refused.exit_code, "--because" in refused.stderr, refused.stderr.count("\n")) == (2, True, 1)
    assert run("study", file, "--because", "she left", db=path).exit_code == 0
    values = json.loads(run("report", "--json", db=path).output)
    assert values["study"]["frozen"] is not None
    assert values["study"]["changes"][0].endswith("exclusions, annotators: she left")
    assert values["study"]["excluded"] == ["annotator eve: named by the study; 24 judgements"]
    assert values["labels"] == 48
    assert "she left" in run("report", db=path).output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("quotta = 2", "unknown entry 'quotta'"),
        ("quota = 0", "from 1 to 1,000"),
        ('quota = "x"', "quota"),
        ("pass_mark = 2.0", "a share from 0 to 1"),
        ("x =", "no TOML"),
    ],
)
def test_a_wrong_study_is_named(text, message):
    with pytest.raises(UsageError, match=message):
        from_toml(text)


def test_replies_have_as_many_places_as_the_study_says(tmp_path):
    (tmp_path / "study.toml").write_text("quota = 3\n")
    for system in ("one", "another"):
        line = {"question": "Where?", "system": system, "answer": "In Kyoto [1].", "citations": []}
        (tmp_path / f"{system}.jsonl").write_text(json.dumps(line))
    db = tmp_path / "c.db"
    assert run("study", tmp_path / "study.toml", db=db).exit_code == 0
    assert run("import", tmp_path / "one.jsonl", db=db).exit_code == 0
    assert run("import", tmp_path / "another.jsonl", "--quota", "1", db=db).exit_code == 0
    assert run("status", db=db).output.startswith("2 replies on the desk, 0 complete; 0 of 4 judgements")


def test_a_packed_round_gives_the_same_report_again(path, tmp_path):
    assert run("export", "--protocol", "-o", tmp_path / "round.zip", db=path).exit_code == 0
    with zipfile.ZipFile(tmp_path / "round.zip") as pack:
        texts = {name: pack.read(name).decode() for name in pack.namelist()}
    assert {"labels.jsonl", "study.json", "guidelines.md", "report.json", "methods.md", "datasheet.md"} <= set(texts)
    assert not any(f'"{name}"' in text for name in ("ada", "ben", "eve") for text in texts.values())
    assert run("import", tmp_path / "round.zip", db=tmp_path / "b.db").exit_code == 0
    again = json.loads(run("report", "--json", db=tmp_path / "b.db").output)
    first = json.loads(texts["report.json"])
    assert {**again, "created": ""} == {**first, "created": ""}
    assert [(one["judge"], one["support"]["raw"]["n"] > 0) for one in again["machines"]] == [("a check", True)]
    assert run("import", tmp_path / "round.zip", db=tmp_path / "b.db").stderr.startswith("0 imported")


def test_systems_are_compared_and_planned_in_the_shell(path):
    done = run("compare", "searchain", "a search engine", "--measure", "skc_strict", db=path)
    assert (done.exit_code, "Systems compared on the same questions" in done.output) == (0, True)
    assert run("compare", "searchain", "nobody", db=path).exit_code == 2
    plan = run("plan", "searchain", "a search engine", "--measure", "skc_strict", "--difference", "0.3", db=path)
    assert (plan.exit_code, plan.output.count("replies of each system")) == (0, 5)


def test_labels_that_contradict_themselves_are_refused_now_and_read_when_old(path):
    store = Database(path)
    [one, *_] = [one for one in labels(store) if any(item.support == "complete" for item in one.labels.knowledge_items)]
    store.close()
    marks = tuple(replace(mark, place="superfluous", belongs_to=None) for mark in one.labels.marks)
    wrong = Labels(one.labels.knowledge_items, marks)
    with pytest.raises(UsageError, match="its documents support it"):
        check(wrong, one.item)
    check(wrong, one.item, "1.0")


def test_every_example_is_right_as_its_gold_says():
    assert 5 <= len(examples()) <= 8
    for example in examples():
        check(right_labels(example), example)
        points = graded(example, right_labels(example))
        assert len(points) > 0
        assert all(point.is_right for point in points)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"answer": "It is so [1]."}, "no 'answer' with its 'gold'"),
        ({"answer": "It is so [1].", "gold": {"k1": "right"}}, "'right' is no label of 'k1'"),
        ({"answer": "It is so [1].", "gold": {"k2": "none"}}, "names 'k2', which the answer does not have"),
    ],
)
def test_a_wrong_known_reply_is_named(values, said):
    with pytest.raises(ValueError, match=said):
        known_item(values)


@pytest.mark.parametrize(("support", "is_right"), [(Backing.CONTRADICTS, True), (Backing.COMPLETE, False)])
def test_a_check_that_an_earlier_version_stored_is_graded(support, is_right):
    """It has the one label of the knowledge item with marks."""
    stored = item_from_json({**to_json(item()), "machine": {"known": "none"}})
    [point] = graded(stored, uniform_labels(stored, support))
    assert (point.is_right, point.right) == (is_right, "no support")


CHECK = {
    "answer": "Kyoto is new [1].",
    "citations": [{"number": 1, "title": "Kyoto", "text": "Kyoto is old."}],
    "gold": {"k1": "not_supported", "m1": "superfluous"},
}


def test_hidden_checks_leave_nobody_out_by_chance(tmp_path):
    """Of four checks nobody knows; of six, all wrong, chance would make so few in 0.1 of 100 cases."""
    (tmp_path / "study.toml").write_text("quota = 3\n[exclusions]\nannotators_below_checks = 0.7\n")
    with gzip.open(tmp_path / "checks.jsonl.gz", "wt") as file:
        file.writelines(f"{json.dumps({**CHECK, 'question': f'Number {number}?'})}\n" for number in range(6))
    db = tmp_path / "a.db"
    assert run("study", tmp_path / "study.toml", db=db).exit_code == 0
    assert run("import", "--practice", tmp_path, db=db).stderr == "6 imported\n"
    store = Database(db)
    for name, support, checks in (
        ("careful", Backing.CONTRADICTS, 6),
        ("plain", Backing.NONE, 6),
        ("few", Backing.COMPLETE, 4),
        ("wrong", Backing.COMPLETE, 6),
    ):
        store.write("UPDATE annotation_items SET quota = 9")
        for _ in range(checks):
            judge(store, name, support)
    found = report(store)
    store.close()
    work = [(one.annotator, one.practice_right, one.practice) for one in found.work]
    assert work == [("careful", 12, 12), ("few", 0, 8), ("plain", 12, 12)]
    assert found.study.excluded == (
        "annotator wrong: 0 of 12 points right in 6 hidden checks, fewer than 70%; whoever gets 70% right has so few in "
        "fewer than 0.1 of 100 cases; 6 judgements",
    )
    assert found.study.kept == (
        "annotator few: 0 of 8 points right in 4 hidden checks, fewer than 70%; whoever gets 70% right has so few in "
        "0.8 of 100 cases",
    )


def test_new_entries_leave_the_hash_of_earlier_studies():
    plain = from_toml('title = "T"')
    assert plain.hash == "a47be5e4f36fd15be5dd0adecd3bd71374f0add3ffdaee647110cfb1d00a3679"
    assert from_toml('title = "T"\nprimary = "amp"').hash != plain.hash


def test_marks_are_put_before_the_stop():
    text = "Kyoto is old. [1][2] Nara is older.[3]"
    moved = marks_before_stops(
        replace(
            item(),
            answer=text,
            marks=tuple(
                replace(mark, start=text.index(f"[{mark.number}]"), end=text.index(f"[{mark.number}]") + 3)
                for mark in item().marks
            ),
            sentences=(replace(item().sentences[0], start=0, end=20), replace(item().sentences[0], start=21, end=38)),
        )
    )
    assert moved.answer == "Kyoto is old [1][2]. Nara is older [3]."
    assert [moved.answer[s.start : s.end] for s in moved.sentences] == ["Kyoto is old [1][2].", "Nara is older [3]."]


def test_marks_between_two_stops_do_not_let_sentences_overlap():
    text = "Kyoto is old. [1]. [2]"
    sentences = tuple(replace(item().sentences[0], start=start, end=end) for start, end in ((0, 17), (17, 22)))
    marks = tuple(replace(mark, start=at, end=at + 3) for mark, at in zip(item().marks, (14, 19), strict=False))
    given = replace(item(), answer=text, marks=marks, sentences=sentences)
    assert marks_before_stops(given) == given
