"""The official files of the paper's data sets, each in a small file of its form."""

import json

import pytest

from searchain.errors import UsageError
from searchain.evaluation import datasets
from searchain.evaluation.examples import as_steps
from searchain.types import TaskKind

HOTPOT = {
    "_id": "h1",
    "question": "On which island is Nintendo's city?",
    "answer": "Honshu",
    "type": "bridge",
    "level": "hard",
    "supporting_facts": [["Nintendo", 0], ["Kyoto", 0], ["Kyoto", 1]],
    "context": [["Nintendo", ["Nintendo sits in Kyoto. ", "It makes games."]], ["Kyoto", ["Kyoto is on Honshu."]]],
}
WIKI2 = {**HOTPOT, "_id": "w1", "evidences": [["Nintendo", "city", "Kyoto"]], "answer_id": "Q13989"}
MUSIQUE = {
    "id": "2hop__1_2",
    "question": "On which island is Nintendo's city?",
    "answer": "Honshu",
    "answer_aliases": ["Honshū"],
    "answerable": True,
    "question_decomposition": [
        {"id": 1, "question": "Nintendo >> city", "answer": "Kyoto", "paragraph_support_idx": 1},
        {"id": 2, "question": "On which island is #1?", "answer": "Honshu", "paragraph_support_idx": 0},
    ],
    "paragraphs": [
        {"idx": 0, "title": "Kyoto", "paragraph_text": "Kyoto is on Honshu.", "is_supporting": True},
        {"idx": 1, "title": "Nintendo", "paragraph_text": "Nintendo sits in Kyoto.", "is_supporting": True},
        {"idx": 2, "title": "Sega", "paragraph_text": "Sega sits in Tokyo.", "is_supporting": False},
    ],
}
STRATEGY = {"qid": "s1", "question": "Is Kyoto on Honshu?", "answer": True, "decomposition": ["Where is Kyoto?"]}
BIG_BENCH = {"examples": [{"input": "Is Kyoto on Kyushu?", "target_scores": {"Yes": 0, "No": 1}}]}


def kilt(asked, *answers, meta=None):
    output = [{"answer": one} for one in answers] + [{"provenance": [{"wikipedia_id": "1", "title": "Kyoto"}]}]
    return {"id": "k1", "input": asked, "output": output, **({"meta": meta} if meta else {})}


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
        (
            "zsre.jsonl",
            [kilt("Kyoto [SEP] country", "Japan", meta={"template_questions": ["Which country is Kyoto in?"]})],
            "zsre",
            "Which country is Kyoto in?",
            ("Japan",),
            TaskKind.SLOTS,
        ),
        (
            "trex.jsonl",
            [kilt("Kyoto [SEP] country", "Japan", "")],
            "trex",
            "What is the country of Kyoto?",
            ("Japan",),
            TaskKind.SLOTS,
        ),
        (
            "fever.jsonl",
            [kilt("Kyoto is a city.", "SUPPORTS")],
            "fever",
            "Kyoto is a city.",
            ("SUPPORTS",),
            TaskKind.FACTCHECK,
        ),
        (
            "eli5.jsonl",
            [kilt("Why is the sky blue?", "It is so. " * 20, "It is not so.")],
            "eli5",
            "Why is the sky blue?",
            (("It is so. " * 20).strip(), "It is not so."),
            TaskKind.LONGFORM,
        ),
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


def test_unanswerable_questions_are_left_out(tmp_path):
    found = read(tmp_path, "m.jsonl", [MUSIQUE, {**MUSIQUE, "id": "2hop__3", "answerable": False}])
    assert [example.id for example in found.examples] == ["2hop__1_2"]


def test_ours_is_read_as_before(tmp_path):
    found = read(tmp_path, "ours.jsonl", [{"id": "1", "question": "Where is Kyoto?", "answers": ["Japan"]}])
    assert (found.form, found.examples[0].answers) == ("", ("Japan",))


@pytest.mark.parametrize(
    ("content", "form", "says"),
    [
        ([{**HOTPOT, "answer": None}, {"_id": "2"}], "hotpotqa", "record 2 of 'x.json' is none of hotpotqa"),
        ([HOTPOT], "nq", "no data set 'nq'; there are: hotpotqa, 2wiki"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, content, form, says):
    with pytest.raises(UsageError, match=says):
        read(tmp_path, "x.json", content, form)


def test_paragraphs_become_a_closed_corpus_once_each(tmp_path):
    path = tmp_path / "h.json"
    path.write_text(json.dumps([HOTPOT, HOTPOT]))
    assert [(one.title, one.text) for one in datasets.passages(path)] == [
        ("Nintendo", "Nintendo sits in Kyoto. It makes games."),
        ("Kyoto", "Kyoto is on Honshu."),
    ]
    path.write_text(json.dumps([STRATEGY]))
    with pytest.raises(UsageError, match="brings no paragraphs"):
        list(datasets.passages(path))
