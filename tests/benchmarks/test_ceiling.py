"""What is done to a model's word, over toy parts."""

from benchmarks.ceiling import ask, table, tasks
from searchain.evaluation.examples import Example, GoldStep
from searchain.types import Reading, Span
from tests.support.fakes import CITY, EXAMPLE, toy_searchain

OTHER = Example("sega", "Where is Sega?", ("Tokyo",), "single", steps=(GoldStep("Where is Sega?", "Tokyo", "Sega"),))


class WrongReader:
    """Is sure of a wrong answer to everything."""

    def read(self, query, passages):
        return [Reading(passage.text[:5], Span(0, 5), 5.0) for passage in passages]


def asked(skill, *, insists, reader=None, seed=7):
    task = next(iter(tasks([EXAMPLE, OTHER], skill, seed)))
    searchain = toy_searchain(reader=reader)
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


def test_one_that_gives_in_to_a_wrong_reader_is_overruled_and_the_table_counts_it():
    found = asked("right", insists=False, reader=WrongReader())
    assert [step["is right"] for step in found["steps"] if step["query"] == CITY] == [False]
    (row,) = list(table([found]))[2:]
    assert row.startswith("| toy | default | right | 1 | ")
    assert "100.0 % (1 of 1)" in row
