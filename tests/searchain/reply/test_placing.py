"""The words of a passage that a model's answer repeats are found, in other words nothing is."""

import pytest

from searchain.reply.placing import place_of, placed
from searchain.types import JudgedAnswer, Passage

RAYS = Passage(
    "r", "Spectrum", "It has radio waves, microwaves, visible light, and gamma rays. Ants are eusocial insects."
)
CANAL = Passage(
    "c", "Erie Canal", "It runs from the Hudson River to Lake Erie. Its towns are Rome, Utica and Lockport."
)


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


@pytest.mark.parametrize(
    ("question", "answer", "place", "bounded"),
    [
        ("where was the first headquarters of Lego", "Billund", 0, True),
        ("where is Lego based", "Billund", 0, False),
        ("when was the constitution written", "1603–1868", 1, True),
        ("when was the Edo period", "1603–1868", 1, False),
        ("where is Lego based", "Odense", None, False),
    ],
)
def test_a_rule_bounds_an_answer_whoever_reads_it(question, answer, place, bounded):
    lego = Passage("l", "Lego", "Lego is a maker of toys headquartered in Billund.")
    period = Passage("e", "Edo period", "The Edo period (1603–1868) was peaceful.")
    found = placed(question, [lego, period], JudgedAnswer(answer, None, 0.9))
    assert (found.place, found.is_bounded) == (place, bounded)
