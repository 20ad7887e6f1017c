"""Labels that the stance model guesses: its passage does not say what is asked."""

import pytest

from searchain.types import Opinion, Passage
from searchain.verification.guessed import is_guessed

WAR = Passage("w", "Hundred Years' War", "It was fought between the kingdoms of England and France.")
LINCOLN = Passage("l", "Abraham Lincoln", "He was president until his assassination in 1865.")
TOWER = Passage("e", "Eiffel Tower", "It is a lattice tower in Paris.")


@pytest.mark.parametrize(
    ("query", "passage", "supports", "refutes", "expected"),
    [
        ("did england win the hundred years war", WAR, 0.83, 0.15, True),
        ("was the hundred years war fought between england and france", WAR, 0.83, 0.15, False),
        ("did england win the hundred years war", WAR, 0.93, 0.05, False),  # surely: in other words
        ("was abraham lincoln assassinated", LINCOLN, 0.8, 0.17, False),  # in another form of the word
        ("was abraham lincoln poisoned", LINCOLN, 0.8, 0.17, True),
        ("is the eiffel tower in london", TOWER, 0.02, 0.92, False),  # against what is asked
    ],
)
def test_what_the_passage_does_not_say_is_guessed(query, passage, supports, refutes, expected):
    opinion = Opinion(supports=supports, refutes=refutes, unknown=1 - supports - refutes)
    assert is_guessed(query, passage, opinion) is expected
