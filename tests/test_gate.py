"""From judged replies to a named set and a gate, in the shell over the embedded parts."""

import json
from contextlib import closing

import pytest
from click.testing import CliRunner

from assistant import open_assistant
from searchain.errors import UsageError
from searchain.events import Turn, fold
from searchain.types import Outcome
from storage.annotation.judged_cases import Case
from storage.history import feedback
from storage.people import users
from tests.storage.conftest import store  # noqa: F401
from tests.test_checked_texts import LEASE, run
from ui.cli.gate import MEASURES, bounds_of, evaluate, is_right, measures

RIGHT = Case("1", "How much is the deposit?", answers=("3,450 euros",))
WRONG = Case("2", "How much is the rent?", wrong=("3,450 euros",))
NOTHING = Case("3", "Is there a lift?")


@pytest.mark.parametrize(
    ("case", "answer", "outcome", "right"),
    [
        (RIGHT, "3,450 euros", Outcome.SUPPORTED, True),
        (RIGHT, "about 3,450 euros", Outcome.UNSURE, True),
        (RIGHT, "13,450 euros", Outcome.SUPPORTED, False),
        (RIGHT, "", Outcome.NOT_FOUND, False),
        (WRONG, "3,450 euros", Outcome.SUPPORTED, False),
        (WRONG, "1,150 euros", Outcome.SUPPORTED, True),
        (WRONG, "", Outcome.NOT_FOUND, True),
        (NOTHING, "", Outcome.NOT_FOUND, True),
        (NOTHING, "two", Outcome.SUPPORTED, False),
    ],
)
def test_what_is_right(case, answer, outcome, right):
    assert is_right(case, Turn(final_answer=answer, outcome=outcome)) is right


def test_the_measures_are_shares_of_all_questions():
    asked = [
        (RIGHT, Turn(final_answer="3,450 euros", outcome=Outcome.SUPPORTED)),
        (RIGHT, Turn(final_answer="5 euros", outcome=Outcome.SUPPORTED)),
        (NOTHING, Turn(outcome=Outcome.NOT_FOUND)),
        (NOTHING, Turn(final_answer="two", outcome=Outcome.UNSURE)),
    ]
    assert measures(asked) == {"right": 0.5, "ticked": 0.5, "ticked_wrong": 0.25, "not_found": 0.25}
    assert set(measures([])) == set(MEASURES)


@pytest.mark.parametrize("gate", [*"right>0.8 good>=0.8 right>=much >=1 right>=nan right<=inf right>=80 ,".split(), ""])
def test_a_gate_that_cannot_be_read_is_named(gate):
    with pytest.raises(UsageError, match="cannot be read; write such as right>=0.8"):
        bounds_of(gate)


@pytest.mark.parametrize("wrong", [{"answers": "Rome"}, {"wrong": "Rome"}, {"collections": "flat"}, {"answers": [1]}])
def test_a_line_whose_lists_are_none_is_named(tmp_path, wrong):
    (tmp_path / "x.jsonl").write_text(json.dumps({"id": "1", "question": "Where?", **wrong}))
    status, _, err = run("eval", "--set", tmp_path / "x.jsonl", db=tmp_path / "x.db")
    assert (status, "line 1" in err) == (2, True), err


def test_from_a_thumbs_down_to_a_gate(store, tmp_path, index_home):
    db, lease = store.path, tmp_path / "lease.txt"
    lease.write_text(LEASE)
    assert run("documents", "add", lease, "--collection", "flat", db=db)[0] == 0
    turns = {}
    for question in ("How much is the deposit?", "What is the phone number of the janitor?", "How high is the rent?"):
        status, out, err = run("ask", question, "--collection", "flat", "--json", db=db)
        assert status == 0, err
        turns[question] = json.loads(out)
    assert "3,450" in turns["How much is the deposit?"]["final_answer"]
    for turn, value in zip(turns.values(), ("up", "up", "down"), strict=True):
        feedback.give(store, turn["turn"], "local", value)
    status, out, err = run("eval", "--set", "lease", "--judged", "--collection", "flat", db=db)
    assert (status, out.partition(";")[0]) == (0, "3 judged replies added"), err
    assert run("eval", "--set", "lease", "--judged", db=db)[1].startswith("0 judged replies added")
    assert run("documents", "add", lease, "--collection", "anns", db=db)[0] == 0
    users.add(store, users.new("ann", "chat", "correct horse"))
    store.write("UPDATE collections SET owner = 'ann' WHERE name = 'anns'")
    with closing(open_assistant(db=db)) as assistant:
        where = assistant.searched(["anns"], owner="ann")
        asked = assistant.start("How much is the deposit?", owner="ann", index=where)
        reply = fold(one.event for one in assistant.follow(asked.turn, owner="ann"))
        assert reply.final_answer
    feedback.give(store, asked.turn, "ann", "up")
    assert run("eval", "--set", "lease", "--judged", db=db)[1].startswith("0 judged replies added")  # hers are not ours
    assert run("eval", "--set", "anns", "--judged", "--user", "ANN", db=db)[1].startswith("1 judged replies added")
    status, out, err = run("eval", "--set", "anns", "--gate", "right>=1", "--user", "ANN", db=db)
    assert (status, json.loads(out or "{}").get("right")) == (0, 1), err
    assert run("eval", "--set", "anns", "--user", "eve", db=db)[0] == 2
    lines = (index_home / "sets" / "lease.jsonl").read_text().splitlines()
    found = {one["question"]: one for one in map(json.loads, lines)}
    assert found["How much is the deposit?"]["answers"] == [turns["How much is the deposit?"]["final_answer"]]
    assert found["How much is the deposit?"]["collections"] == ["flat"]
    assert found["How high is the rent?"]["wrong"]
    status, out, err = run("eval", "--set", "lease", "--gate", "right>=0.8, ticked_wrong<=0.34", db=db)
    assert (status, err.splitlines()[-1]) == (1, "error: the set 'lease' falls short: right is 0.667, not >= 0.8")
    assert json.loads(out)["right"] == pytest.approx(2 / 3)  # the reply that was judged bad comes again
    assert "wrong: How high is the rent?" in err
    # without the laboratory the command is the same one
    gate = ("--gate", "right>=0.6, ticked_wrong<=0.34")
    done = CliRunner().invoke(evaluate, ["--set", "lease", *gate, "--db", str(db)], obj=open_assistant)
    assert (done.exit_code, json.loads(done.stdout)["questions"]) == (0, 3)
    for words, said in (
        (("--set", "nothing"), "the set 'nothing' has no questions"),
        (("--set", "lease", "--gate", "x>=1"), "the gate 'x>=1' cannot be read"),
        (("--set", "../x"), "cannot be the name of a set"),
    ):
        status, _, err = run("eval", *words, db=db)
        assert status == 2, err
        assert said in err
