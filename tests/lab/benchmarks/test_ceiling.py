"""What is done to a model's word, over toy parts."""

from lab.benchmarks.ceiling import ask, table, tasks
from lab.evaluation.examples import Example, GoldStep
from tests.support.fakes import EXAMPLE, toy_searchain

OTHER = Example("sega", "Where is Sega?", ("Tokyo",), "single", steps=(GoldStep("Where is Sega?", "Tokyo", "Sega"),))


def asked(skill, *, insists, seed=7):
    task = next(iter(tasks([EXAMPLE, OTHER], skill, seed)))
    searchain = toy_searchain()
    return {"data": "toy", "profile": "default", "model": skill, **ask(searchain, task, insists=insists)}


def test_a_right_model_keeps_its_answers_where_the_reader_is_right():
    for insists in (True, False):
        found = asked("right", insists=insists)
        assert [(step["first"], step["end"], step["is right"]) for step in found["steps"]] == [
            ("Kyoto", "Kyoto", True),
            ("Honshu", "Honshu", True),
        ]
        assert (found["had"], found["has"], found["final"]) == (True, True, "Honshu")


def test_a_model_that_never_knows_is_told_by_the_passages():
    found = asked("never", insists=False)
    assert [step["end"] for step in found["steps"]] == ["Kyoto", "Honshu"]
    assert (found["had"], found["has"]) == (False, True)


def test_the_table_counts_what_became_of_the_answers():
    found = asked("right", insists=False)
    overruled = {**found, "steps": [{**step, "is right": False} for step in found["steps"]], "has": False}
    (row,) = list(table([found, overruled]))[2:]
    assert row == (
        "| toy | default | right | 2 | 50.0 % (2 of 4) | – | 50.0 % (1 of 2) | 50.0 % (1 of 2) | 0.0 % (0 of 4) |"
    )
