"""The head: what it makes of an embedding, and what it was trained to tell."""

import numpy as np
import pytest

from searchain.errors import SetupError
from searchain.files.weights import Layer
from searchain.question.head import QUESTION, Head, Weights, stored_weights
from tests.support.question_head import head

TOY = Weights(
    talk=Layer(("greeting", QUESTION), np.array([[1.0, 0.0], [0.0, 1.0]]), np.zeros(2)),
    steps=Layer(("1", "2", "3"), np.array([[0.0] * 5, [0.0, 0.0, 1.0, 2.0, 3.0], [0.0] * 5]), np.zeros(3)),
    threshold=0.7,
)


class Embedding:
    """Embeds every text in the same place."""

    def __init__(self, *values):
        self._values = np.array(values)

    def embed(self, query):
        return self._values


def test_the_shares_are_those_of_a_softmax():
    asked = Head(Embedding(1.0, 0.0), TOY).of("hello there")
    assert asked.kinds == pytest.approx({"greeting": np.e / (np.e + 1), QUESTION: 1 / (np.e + 1)})


def test_a_longer_question_counts_its_words():
    one = Head(Embedding(0.0, 0.0), TOY)
    assert one.expected_steps("a") == pytest.approx((1 + np.exp(5 / 30)) / (2 + np.exp(5 / 30)))
    assert one.expected_steps("a " * 40) == one.expected_steps("a " * 30) > one.expected_steps("a " * 29)


def test_clauses_and_links_count():
    one = Head(Embedding(0.0, 0.0), TOY)
    plain, clause, link = map(
        one.expected_steps, ("Who wrote Emma then?", "Emma who wrote then?", "Who wrote of Emma?")
    )
    assert plain == clause < link
    assert one.expected_steps("Who knew who read Emma?") > one.expected_steps("Who knew books about Emma?")


def test_what_is_likelier_than_the_threshold_is_talk():
    likely, even = Head(Embedding(1.0, 0.0), TOY), Head(Embedding(0.0, 0.0), TOY)
    assert (likely.kind_of_talk("hello"), even.kind_of_talk("hello")) == ("greeting", None)
    assert likely.kind_of_talk("hello", ["thanks"]) is None


def test_damaged_weights_are_named(tmp_path):
    for content in ("{", "{}", '{"talk": {"labels": 1}}'):
        (tmp_path / "head.json").write_text(content)
        with pytest.raises(SetupError, match=r"head\.json"):
            stored_weights(tmp_path / "head.json")


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("what is the population of norway", "Could Abraham Lincoln have used a telephone?"),
        ("who wrote Dracula?", "Which film came out first, Alien or Jaws?"),
        ("when did the titanic sink", "In which country was the composer of The Magic Flute born?"),
    ],
)
def test_several_steps_are_expected_of_composed_questions(one, several):
    assert head().expected_steps(several) > head().expected_steps(one)
