"""How a planner's chains are scored."""

import pytest

from lab.evaluation.examples import Example
from lab.training.planner_scores import FormScores, is_in_form, score
from searchain.types import Abilities, Usage

STEP = "[Query 1]: Who wrote Hamlet?\n[Answer 1]: Shakespeare\n"
OPEN = "[Query 2]: Where was Shakespeare born?\n[Unsolved Query]"


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        (STEP + OPEN, True),
        (STEP, True),
        ("", False),
        (OPEN, False),  # begins with 2
        ("[Query 1]: Who wrote Hamlet?\n[Answer 2]: Shakespeare", False),
        ("[Query 1]: Hamlet\n[Unsolved Query]", False),
        (f"Sure!\n{STEP}", False),
        (f"{STEP}That is all.", False),
    ],
)
def test_the_form_of_a_chain(chain, expected):
    assert is_in_form(chain) is expected


class Planner:
    abilities = Abilities.TRAINED

    def stream(self, messages, *, form, max_tokens, has_grammar):
        is_good = has_grammar or "Hamlet" in messages[-1].content
        yield STEP if is_good else "Well,"
        yield OPEN
        yield Usage()


def test_scores_are_shares_of_chains():
    examples = [Example("1", "Where was the writer of Hamlet born?", ("Stratford",)), Example("2", "Why?", ("so",))]
    assert score(Planner(), examples) == FormScores(2, unconstrained=50.0, with_grammar=100.0, steps=4, answered=2)
