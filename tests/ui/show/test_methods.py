from dataclasses import replace

from lab.systems.base import SYSTEMS
from searchain.events import Turn
from ui.show.signs import FIRST, METHODS, cost, heading, method


def test_every_method_is_told_in_plain_words():
    assert set(METHODS) == set(SYSTEMS) > set(FIRST)
    assert len(set(METHODS.values())) == len(METHODS)
    assert (method("direct-retrieval"), method("somebody-elses")) == ("Look the question up once", "somebody-elses")


def test_methods_that_ask_the_model_once_are_told_apart_by_what_they_cost():
    once = [system for system in SYSTEMS.values() if (system.small_calls or system.calls) == 1]
    assert len({cost(system.name, 1) for system in once}) == len(once)
    assert cost("self-ask", 4) == "the model writes about 4 times"
    assert cost("dsp", 11) == "slow: the model writes about 11 times"


def test_a_turn_that_is_compared_is_headed_with_its_method():
    turn = Turn(question="Where is Kyoto?", system="cot")
    assert heading(turn) == "Where is Kyoto?"
    assert heading(replace(turn, beside="t1")) == "Where is Kyoto? (Let the model think aloud, from memory)"
