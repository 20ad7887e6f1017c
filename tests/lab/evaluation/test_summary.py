"""From lines to a summary and its table: means, shares and costs by values computed by hand, intervals that repeat."""

import json

import pytest

from lab.evaluation.examples import Example
from lab.evaluation.summary import interval, summarise, summary_table
from tests.support.fakes import CITY, EXAMPLE, ISLAND, QUESTION, RUN_HEADER, NoReader, chain_text, outfile_line

YESNO = Example("island", "Is Kyoto on Honshu?", ("yes",), "yesno")


def test_a_line_is_the_turn_with_its_example_and_scores():
    made = outfile_line()
    assert list(made)[:4] == ["id", "type", "license", "answers"]
    scores = "cover_em cover_em_reply f1 rouge_l recall_1 recall_5 citation_precision citation_recall".split()
    # the reply: "Honshu. Nintendo Co., Ltd. is … Kyoto. Kyoto is … Honshu."; its ROUGE-L is 2 · 1 / (words + 1)
    expected = [1.0, 1.0, 1.0, pytest.approx(2 / 30, abs=0.02), 1.0, 1.0, None, None]
    assert [made[name] for name in scores] == expected
    assert (made["question"], made["final_answer"], made["status"]) == (QUESTION, "Honshu", "answered")
    assert [(search["query"], search["hits"][0]) for search in made["searches"]] == [
        (CITY, {"id": "nintendo", "title": "Nintendo", "has_answer": False}),
        (ISLAND, {"id": "kyoto", "title": "Kyoto", "has_answer": True}),
    ]
    assert made["steps"][0] == {"query": CITY, "answer": "Kyoto", "title": "Nintendo"}
    assert made["license"] == "CC0"
    assert json.loads(json.dumps(made)) == made


def test_a_summary_of_four_answers():
    corrected = outfile_line(EXAMPLE, chain_text((CITY, "Osaka")), chain_text((CITY, "Kyoto"), (ISLAND, "Honshu")))
    unread = {**outfile_line(EXAMPLE, reader=NoReader()), "cover_em": 0.0, "recall_5": 0.5}
    labelled = outfile_line(YESNO, chain_text((ISLAND, None)), chain_text((ISLAND, "Honshu"))) | {"cover_em": 0.0}
    lines = [outfile_line(), corrected, unread, labelled]
    for n, one in enumerate(lines, 1):
        one["usage"] = {"seconds": float(n), "llm_calls": n, "prompt_tokens": 100, "completion_tokens": 10 * n}
    made = summarise(lines)
    assert made["questions"] == 4
    assert made["scores"]["cover_em"] | {"low": None, "high": None} == {"mean": 50.0, "low": None, "high": None, "n": 4}
    assert made["scores"]["recall_5"]["mean"] == pytest.approx(100 * 2.5 / 3, abs=0.01)
    assert (made["scores"]["recall_5"]["n"], made["scores"]["citation_recall"]) == (3, None)
    kinds = {kind: (of["questions"], of["scores"]["cover_em"]["mean"]) for kind, of in made["types"].items()}
    assert kinds == {"bridge": (3, 66.67), "yesno": (1, 0.0)}
    # on the paths: 2 agreed; 1 corrected and 1 agreed; 2 unconfirmed with the model's answers; 1 completed
    assert made["verdicts"] == dict(agreed=42.86, corrected=14.29, completed=14.29, disputed=0.0, unconfirmed=28.57)
    assert made["knowledge"] == {"llm": 71.43, "corrected": 14.29, "completed": 14.29, "none": 0.0}
    # three sentences with a mark, three times, and one
    costs = {"llm_calls": 2.5, "prompt_tokens": 100.0, "completion_tokens": 25.0}
    assert made["per_question"] == {"skc": 2.5, "nodes": 1.75, "rounds": 1.5} | costs
    assert made["seconds"] == {"p50": 2.5, "p95": 3.85, "mean": 2.5}


def test_a_weak_reading_is_no_knowledge_of_the_model():
    made = outfile_line()
    no_answer = dict(on_path=True, verdict="unconfirmed", model_answer=None)
    made["tree"]["nodes"] = [no_answer | {"answer": answer} for answer in ("a", None)]
    assert summarise([made])["knowledge"] == {"llm": 0.0, "corrected": 0.0, "completed": 50.0, "none": 50.0}


def test_intervals_repeat_with_the_seed_and_hold_the_mean():
    values = [1.0] * 30 + [0.0] * 70
    low, high = interval(values, 0)
    assert (low, high) == interval(values, 0)
    assert interval([n * n for n in range(50)], 0) != interval([n * n for n in range(50)], 1)
    # the normal approximation: 0.3 ± 1.96 · √(0.3 · 0.7 / 100) = 0.21 … 0.39
    assert low == pytest.approx(0.21, abs=0.02)
    assert high == pytest.approx(0.39, abs=0.02)
    assert interval([1.0, 1.0, 1.0], 0) == (1.0, 1.0)


def test_the_table_says_all_of_it_in_safe_lines():
    lines = [outfile_line(), {**outfile_line(YESNO), "type": "yes\x1b[31m\nno"}]
    told = list(summary_table({"run": RUN_HEADER, **summarise(lines)}))
    assert told[0] == "searchain on toy/dev 0123456789ab · index toy · scripted"
    assert told[1].split() == ["cover_em", "cover_em_reply", "f1", "rouge_l", "recall_1", "recall_5"]
    assert [row.split()[:2] for row in told[2:5]] == [["all", "(2)"], ["bridge", "(1)"], ["yes", "no"]]
    assert told[3].split()[2:5] == ["100.0", "[100.0,", "100.0]"]
    assert told[4].endswith("–")
    names = ", ".join(row.partition(":")[0] for row in told[5:])
    assert names == "statuses, outcomes, verdicts, knowledge, per question, seconds"
    assert not any(set(row) & set("\x1b\n") for row in told)


def test_outcomes_are_counted_and_what_is_not_rated_apart():
    line = outfile_line()
    before = {name: value for name, value in line.items() if name not in ("outcome", "probability")}
    lines = [
        {**line, "status": "answered", "outcome": "supported"},
        {**line, "status": "answered", "outcome": "supported"},
        {**line, "status": "partial", "outcome": "unsure"},
        {**before, "status": "answered"},
        {**line, "status": "failed", "outcome": None},
    ]
    made = summarise(lines)
    assert made["outcomes"] == {"not rated": 1, "supported": 2, "unsure": 1}
    assert "outcomes: not rated 1 · supported 2 · unsure 1" in summary_table({"run": RUN_HEADER, **made})
    del made["outcomes"]  # as a summary says that was written before
    assert "outcomes: none" in summary_table({"run": RUN_HEADER, **made})
