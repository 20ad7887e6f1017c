"""Many questions at once: all are answered, failures are told, and what is stopped is not handed out."""

import threading

import pytest

from lab.evaluation.examples import Example
from lab.evaluation.harness import ask_all
from searchain.errors import RateLimited
from searchain.types import Status
from tests.support.fakes import QUESTION, RIGHT_CHAIN, toy_searchain

EXAMPLES = [Example(str(number), QUESTION, ("Honshu",)) for number in range(5)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_question_is_answered_once(jobs):
    asked = toy_searchain(lambda messages: RIGHT_CHAIN[0])
    answered = list(ask_all(EXAMPLES, lambda example: asked, jobs))
    assert sorted(example.id for example, _ in answered) == ["0", "1", "2", "3", "4"]
    assert {(turn.status, turn.final_answer) for _, turn in answered} == {(Status.ANSWERED, "Honshu")}


def test_jobs_run_at_the_same_time():
    both = threading.Barrier(2, timeout=10)

    def reply(messages):
        both.wait()
        return RIGHT_CHAIN[0]

    asked = toy_searchain(reply)
    assert {turn.final_answer for _, turn in ask_all(EXAMPLES[:2], lambda example: asked, 2)} == {"Honshu"}


def test_a_failure_is_a_turn_and_the_others_go_on():
    class Broken:
        def stream(self, question, *, cancel=None):
            raise ZeroDivisionError("oops")
            yield

    systems = {"0": toy_searchain(RateLimited("the service is busy")), "1": Broken(), "2": toy_searchain(*RIGHT_CHAIN)}
    answered = {example.id: turn for example, turn in ask_all(EXAMPLES[:3], lambda example: systems[example.id], 1)}
    assert {id: (turn.status, turn.message) for id, turn in answered.items()} == {
        "0": (Status.FAILED, "the service is busy"),
        "1": (Status.FAILED, "unexpected ZeroDivisionError: oops"),
        "2": (Status.ANSWERED, ""),
    }
    assert answered["1"].question == QUESTION


def test_closing_stops_what_is_under_way():
    waiting, go_on = threading.Event(), threading.Event()

    def reply(messages):
        if asked.model.calls[1:]:
            waiting.set()
            go_on.wait(10)
        return RIGHT_CHAIN[0]

    asked = toy_searchain(reply)
    answers = ask_all(EXAMPLES, lambda example: asked, 1)
    next(answers)
    assert waiting.wait(10)
    closing = threading.Thread(target=answers.close)
    closing.start()
    go_on.set()
    closing.join(10)
    assert not closing.is_alive()
    assert len(asked.model.calls) == 2
