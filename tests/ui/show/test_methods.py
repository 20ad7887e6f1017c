from dataclasses import replace

from searchain.events import Turn
from ui.show.signs import heading


def test_a_turn_that_is_compared_is_headed_with_its_method():
    turn = Turn(question="Where is Kyoto?", system="cot")
    assert heading(turn) == "Where is Kyoto?"
    assert heading(replace(turn, beside="t1")) == "Where is Kyoto? (Let the model think aloud, from memory)"
