"""Many questions at once: all are answered, failures are told, and what is stopped is not handed out."""

import threading

from lab.evaluation.examples import Example
from lab.evaluation.harness import ask_all
from tests.support.fakes import QUESTION, RIGHT_CHAIN, toy_searchain

EXAMPLES = [Example(str(number), QUESTION, ("Honshu",)) for number in range(5)]


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
