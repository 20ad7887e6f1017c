"""The head: what it makes of an embedding, and what it was trained to tell."""

import numpy as np
import pytest

from searchain.chain.rounds import SEVERAL
from searchain.files.weights import Layer
from searchain.question.document_head import About
from searchain.question.head import QUESTION, Head, Weights
from tests.support.question_head import head

TOY = Weights(
    talk=Layer(("greeting", QUESTION), np.array([[1.0, 0.0], [0.0, 1.0]]), np.zeros(2)),
    threshold=0.7,
)


class Embedding:
    """Embeds every text in the same place."""

    def __init__(self, *values):
        self._values = np.array(values)

    def embed(self, query):
        return self._values


def test_what_is_likelier_than_the_threshold_is_talk():
    likely, even = Head(Embedding(1.0, 0.0), TOY), Head(Embedding(0.0, 0.0), TOY)
    assert (likely.kind_of_talk("hello"), even.kind_of_talk("hello")) == ("greeting", None)
    assert likely.kind_of_talk("hello", ["thanks"]) is None


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("what is the population of norway", "Could Abraham Lincoln have used a telephone?"),
        ("who wrote Dracula?", "Which film came out first, Alien or Jaws?"),
        ("when did the titanic sink", "In which country was the composer of The Magic Flute born?"),
    ],
)
def test_several_steps_are_expected_of_composed_questions(one, several):
    assert 2 * head().expected_steps(one) < SEVERAL < head().expected_steps(several) / 2


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Summarise school_handbook_2026.md", About.TOPICS),
        ("tldr mietvertrag.pdf", About.TOPICS),
        ("When was price_list.csv last changed?", About.CHANGED),
    ],
)
def test_the_name_of_a_file_stands_for_the_document(question, kind):
    found = head().about_documents(question)
    (name,) = (word for word in question.split() if "." in word)
    assert found is not None
    assert (found.kind, found.documents) == (kind, (name,))


def test_names_of_files_are_read_word_by_word():
    found = head().about_documents("Compare a.txt and data.txt")
    assert found is not None
    assert (found.kind, found.documents) == (About.COMPARE, ("a.txt", "data.txt"))


@pytest.mark.parametrize(
    ("question", "wants_it"),
    [
        ("Is the pool open on Sundays?", True),
        ("my bus was late, will they still let me in to the exam", True),
        ("our son is 14, does he have to pay for the boat", True),
        ("I can't swim, am i allowed on the deck", True),
        ("how much is the boat for my son", False),
        ("we moved out in may, when do we get the deposit back", False),
        ("who wrote Dracula?", False),
        ("the lighthouse was built in 1901.", False),
        ("was vasco da gama spanish or portuguese", False),
        ("Is the deposit paid in cash or by transfer?", False),
        ("can i bring my dog or my cat", True),
    ],
)
def test_a_yes_no_question_is_recognised_in_any_form(question, wants_it):
    assert head().asks_yes_no(question) is wants_it
