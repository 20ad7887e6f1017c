"""The paper's tables from out files: what is computed, and that nothing missing counts as 0."""

import pytest

from lab.tables import paper as tables
from lab.tables.as_text import as_json, markdown
from lab.tables.paper import plan
from lab.tables.parts import Ran
from searchain.errors import UsageError
from tests.support.fakes import RUN_HEADER


def line(id, right, **values):
    score, usage = float(right), {"llm_calls": 2, "seconds": 3.0, "prompt_words": 100, "completion_words": 20}
    scores = {"cover_em": score, "cover_em_paper": score, "rouge_l": score, "reply_words": 10, "rounds": 2}
    run = {"sentences": [], "searches": [], "tree": {"nodes": []}, "usage": usage, "run": RUN_HEADER}
    return {"id": id, "type": "", "system": "searchain"} | scores | run | values


def node(verdict, answer="x", model_answer="x"):
    return {"verdict": verdict, "answer": answer, "model_answer": model_answer, "on_path": True}


def test_table_1_holds_the_papers_figure_and_ours_and_a_dash_for_the_rest():
    runs = {
        Ran("searchain", "hotpotqa"): [line("1", True), line("2", True)],
        Ran("cot", "hotpotqa"): [line("1", True), line("2", False)],
        Ran("searchain", "eli5"): [line("1", False, rouge_l=0.25)],
    }
    main, _, words, gained, few = plan("1").make(runs, 0)
    assert (list(few.rows), few.rows["cot"][0].ours) == (["searchain", "cot"], None)
    assert main.columns == ("hotpotqa", "eli5")
    assert (main.rows["cot"][0].paper, main.rows["cot"][0].ours.value, main.rows["cot"][1].ours) == (35.04, 50.0, None)
    assert main.rows["searchain"][1].ours.value == 25.0  # ROUGE-L
    assert words.rows["cot"][0].ours.value == 10
    assert (gained.rows["cot"][0].ours.value, "searchain" in gained.rows) == (-50.0, False)
    text = markdown([main], [RUN_HEADER])
    assert "| cot | 35.04 \\| 50.0 [0.0, 100.0] (2) | 21.79 \\| – |" in text
    assert as_json([main], [])["tables"][0]["rows"]["cot"]["eli5"] == {"paper": 21.79, "ours": None}


def test_table_3_tells_how_often_retrieval_misleads():
    helped = line("2", True, tree={"nodes": [node("corrected")]})
    runs = {
        Ran("searchain", "hotpotqa"): [line("1", False), helped],
        Ran("searchain-no-ir", "hotpotqa"): [line("1", True), line("2", False)],
        Ran("direct", "hotpotqa"): [line("1", False), line("2", True)],
    }
    first, short = plan("3a").make(runs, 0)
    assert [row[0].ours.value for row in first.rows.values()] == [50.0, 0.0, 100.0]
    assert [row[0].ours.value for row in short.rows.values()] == [50.0, 0.0, 100.0]
    second, _ = plan("3b").make(runs, 0)
    assert (second.rows["searchain"][0].ours.value, second.rows["searchain"][0].ours.n) == (100.0, 1)
    assert second.rows["dsp"][0].ours is None
    assert second.note.startswith("Right without retrieval: by self-ask-no-ir for self-ask, plan-and-solve for ")
    by_direct = tables.misled("direct")
    assert Ran("direct", "hotpotqa") in by_direct.runs(["searchain"], ["hotpotqa"])
    other, _ = by_direct.make(runs, 0)
    assert other.rows["searchain"][0].ours.value == 0.0


def test_tables_7_and_8_and_those_of_the_first_version():
    (alpha,) = plan("7").make({Ran("searchain", "eli5"): [line("1", True, rouge_l=0.2)]}, 0)
    assert [cell.ours and cell.ours.value for cell in alpha.rows["rouge_l"]] == [None, 20.0, None, None, None]
    (examples,) = plan("8").make({}, 0)
    assert [cell.ours.value for cell in examples.rows["cot"]][:4] == [4, 4, 4, 6]
    runs = {
        Ran("direct", "musique", form="steps"): [
            line("2hop__1#1", True),
            line("2hop__1#2", True),
            line("2hop__2#1", False),
        ],
        Ran("direct", "musique"): [line("2hop__1", True, type="2hop"), line("2hop__2", False, type="2hop")],
    }
    (known,) = plan("v1-7").make(runs, 0)
    assert (known.rows["accuracy on S_all"][0].paper, known.rows["accuracy on S_all"][0].ours.value) == (39.4, 100.0)
    hit = [{"hits": [{"has_answer": True}]}]
    (where,) = plan("v1-8").make(
        {
            Ran("direct", "hotpotqa"): [line("1", True), line("2", False)],
            Ran("direct-retrieval", "hotpotqa"): [line("1", False, searches=hit), line("2", True)],
        },
        0,
    )
    assert [[cell.ours.value for cell in row[-2:]] for row in where.rows.values()] == [[100, 0], [100, 0], [0, 100]]
    assert {cell.ours for row in where.rows.values() for cell in row[:-2]} == {None}
    assert all(cell.paper is not None for cell in where.rows["LLM accuracy"][:2])


def test_every_table_can_be_made_of_nothing_and_shows_the_papers_figures():
    for number in tables.numbers("all"):
        assert markdown(plan(number).make({}, 0), []).startswith("## ")
    assert list(tables.numbers("3")) == ["3a", "3b"]
    with pytest.raises(UsageError, match="no table '9'"):
        list(tables.numbers("9"))
