"""The official files of the paper's data sets, each in a small file of its form."""

import json
import re

import pytest

from lab.evaluation import datasets
from lab.evaluation.examples import as_steps
from searchain.errors import UsageError
from searchain.types import TaskKind
from tests.support.json_lines import kept

HOTPOT, WIKI2, MUSIQUE, STRATEGY, BIG_BENCH = kept("official-records.json").values()


def kilt(asked, *answers, meta=None):
    output = [{"answer": one} for one in answers] + [{"provenance": [{"wikipedia_id": "1", "title": "Kyoto"}]}]
    return {"id": "k1", "input": asked, "output": output, **({"meta": meta} if meta else {})}


KILT, LONG = kilt("Kyoto [SEP] country", "Japan"), "It is so. " * 20
ZSRE = kilt("Kyoto [SEP] country", "Japan", meta={"template_questions": ["Which country is Kyoto in?"]})
TREX, ELI5 = kilt("Kyoto [SEP] country", "Japan", ""), kilt("Why is the sky blue?", LONG, "It is not so.")


def read(tmp_path, name, content, form=None):
    path = tmp_path / name
    lines = "\n".join(map(json.dumps, content)) if name.endswith("jsonl") else json.dumps(content)
    path.write_text(lines)
    return datasets.read(path, form)


@pytest.mark.parametrize(
    ("name", "content", "form", "asked", "answers", "task"),
    [
        ("hotpot.json", [HOTPOT], "hotpotqa", HOTPOT["question"], ("Honshu",), TaskKind.MULTIHOP),
        ("dev.json", [WIKI2], "2wiki", HOTPOT["question"], ("Honshu",), TaskKind.MULTIHOP),
        ("musique.jsonl", [MUSIQUE], "musique", MUSIQUE["question"], ("Honshu", "Honshū"), TaskKind.MULTIHOP),
        ("strategy.json", [STRATEGY], "strategyqa", "Is Kyoto on Honshu?", ("yes",), TaskKind.YESNO),
        ("task.json", BIG_BENCH, "strategyqa", "Is Kyoto on Kyushu?", ("no",), TaskKind.YESNO),
        ("zsre.jsonl", [ZSRE], "zsre", "Which country is Kyoto in?", ("Japan",), TaskKind.SLOTS),
        ("trex.jsonl", [TREX], "trex", "What is the country of Kyoto?", ("Japan",), TaskKind.SLOTS),
        ("fever.jsonl", [kilt("It is so.", "SUPPORTS")], "fever", "It is so.", ("SUPPORTS",), TaskKind.FACTCHECK),
        ("eli5.jsonl", [ELI5], "eli5", "Why is the sky blue?", (LONG.strip(), "It is not so."), TaskKind.LONGFORM),
    ],
)
def test_every_official_form_is_known_by_its_keys(tmp_path, name, content, form, asked, answers, task):
    found = read(tmp_path, name, content)
    (example,) = found.examples
    assert (found.form, example.question, example.answers, example.task) == (form, asked, answers, task)
    assert read(tmp_path, name, content, form).examples == found.examples


def test_titles_hops_and_steps_are_kept(tmp_path):
    (hotpot,) = read(tmp_path, "h.json", [HOTPOT]).examples
    assert hotpot.supporting_titles == ("Nintendo", "Kyoto")
    (musique,) = read(tmp_path, "m.jsonl", [MUSIQUE]).examples
    assert (musique.type, [step.title for step in musique.steps]) == ("2hop", ["Nintendo", "Kyoto"])
    assert [(one.id, one.question, one.answers) for one in as_steps([musique])] == [
        ("2hop__1_2#1", "Nintendo >> city", ("Kyoto",)),
        ("2hop__1_2#2", "On which island is Kyoto?", ("Honshu",)),
    ]


def test_aliases_beside_2wiki_are_right_too(tmp_path):
    (tmp_path / "id_aliases.json").write_text(json.dumps({"Q_id": "Q13989", "aliases": ["Hondo"], "demonyms": []}))
    (example,) = read(tmp_path, "dev.json", [WIKI2]).examples
    assert example.answers == ("Honshu", "Hondo")


@pytest.mark.parametrize(
    ("content", "form", "says"),
    [
        ([HOTPOT, {"_id": "2"}], "hotpotqa", "record 2 of 'x.json' has not the form of hotpotqa (no question)"),
        ([HOTPOT], "nq", "no data set 'nq'; there are: hotpotqa, 2wiki"),
        ([{**HOTPOT, "answer": "Kyoto\ud800"}], None, r"record 1 of 'x.json' has not the form of hotpotqa (half a"),
        (["Kyoto"], None, "'x.json' is a JSON list of no data set known here; give one of: hotpotqa, "),
        (["Kyoto"], "fever", "record 1 of 'x.json' has not the form of fever (not a JSON object)"),
        ([{**WIKI2, "evidences": ["abc"]}], None, "(evidences must be a list of [subject, relation, object])"),
        ([{**STRATEGY, "answer": "no"}], None, "(answer must be true or false)"),
        ({"examples": [{"input": "2 + 2?", "target_scores": {"4": 1, "5": 0}}]}, None, "those of yes and no)"),
        ([KILT, {**KILT, "output": "Japan"}], None, "record 2 of 'x.json' has not the form of KILT (output must be"),
        ([{**KILT, "output": [{"answer": 5}]}], None, "(answer must be a text)"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, content, form, says):
    with pytest.raises(UsageError, match=re.escape(says)) as raised:
        read(tmp_path, "x.json", content, form)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("form", [None, "hotpotqa", "musique", "fever"])
def test_two_questions_with_one_id_are_refused(tmp_path, form):
    record = {None: HOTPOT, "hotpotqa": HOTPOT, "musique": MUSIQUE, "fever": kilt("It is so.", "REFUTES")}[form]
    with pytest.raises(UsageError, match="record 3 of 'x.json' has the id '.+' of an earlier one; give each its own"):
        read(tmp_path, "x.json", [record, {**record, "id": "0", "_id": "0"}, record], form)


def test_a_question_that_big_bench_has_twice_is_asked_twice(tmp_path):
    found = read(tmp_path, "task.json", {"examples": BIG_BENCH["examples"] * 2})
    first, second = found.examples
    assert (second.id, second.question) == (f"{first.id}-2", first.question)


def test_an_answer_that_musique_has_beside_an_unanswerable_twin_is_kept(tmp_path):
    found = read(tmp_path, "m.jsonl", [{**MUSIQUE, "answerable": False}, MUSIQUE])
    assert [example.answers for example in found.examples] == [("Honshu", "Honshū")]


def test_the_task_of_kilt_is_told_by_the_length_of_answers_wherever_they_stand(tmp_path):
    found = read(tmp_path, "eli5.jsonl", [kilt("Why is it blue?"), kilt("Why is the sky blue?", "It is so. " * 20)])
    assert (found.form, [example.question for example in found.examples]) == ("eli5", ["Why is the sky blue?"])
    with pytest.raises(UsageError, match="holds no question with an answer"):
        read(tmp_path, "test.jsonl", [kilt("Kyoto [SEP] country")])
    long = [{**kilt("Why is the sky blue?", "It is so. " * 20), "id": id} for id in ("k2", "k3")]
    assert read(tmp_path, "eli5.jsonl", [kilt("Why?", "Because."), *long]).form == "eli5"


def test_short_answers_of_kilt_without_a_slot_are_no_slots(tmp_path):
    asked = [kilt("On which island is Kyoto?", "Honshu")]
    with pytest.raises(UsageError, match=r"'nq.jsonl' is of a task of KILT that is not known here: .*; give zsRE"):
        read(tmp_path, "nq.jsonl", asked)
    with pytest.raises(
        UsageError, match=r"record 1 of 'nq.jsonl' has not the form of zsre \(no \[SEP\] in its input\)"
    ):
        read(tmp_path, "nq.jsonl", asked, "zsre")


def test_paragraphs_become_a_closed_corpus_once_each(tmp_path):
    path = tmp_path / "h.json"
    path.write_text(json.dumps([HOTPOT, HOTPOT]))
    found = [(one.title, one.text) for one in datasets.passages(path)]
    assert found == [("Nintendo", "Nintendo sits in Kyoto. It makes games."), ("Kyoto", "Kyoto is on Honshu.")]
    path.write_text(json.dumps([STRATEGY]))
    with pytest.raises(UsageError, match="brings no paragraphs"):
        list(datasets.passages(path))
