"""The words of a passage that a model's answer repeats are found, in other words nothing is."""

import pytest

from searchain.reply.second_reader import place_of
from searchain.types import Passage

RAYS = Passage("r", "Spectrum", "It has radio waves, microwaves, visible light, and gamma rays. Ants are insects.")
CANAL = Passage("c", "Erie Canal", "It runs from Hudson River to Lake Erie. Its towns are Rome, Utica and Lockport.")


@pytest.mark.parametrize(
    ("answer", "place", "words"),
    [
        ("Lake Erie", 1, "Lake Erie"),
        ("insect", 0, "insects"),
        ("radio waves, visible light, gamma rays", 0, "radio waves, microwaves, visible light, and gamma rays"),
        ("Erie Canal: Rome, Utica", 1, "Rome, Utica"),
        ("Hudson River, Lake Erie", 1, "Hudson River to Lake Erie"),
    ],
)
def test_the_words_of_a_passage_are_found(answer, place, words):
    number, span = place_of(answer, [RAYS, CANAL])
    assert (number, [RAYS, CANAL][number].text[span.start : span.end]) == (place, words)


@pytest.mark.parametrize(
    "answer",
    ["", "…", "X-rays", "Rome, Albany", "Lockport, Rome", "gamma rays, insects", "Utica: radio waves, Rome", "an"],
)
def test_what_a_passage_does_not_say_has_no_place(answer):
    assert place_of(answer, [RAYS, CANAL]) == (None, None)
