"""Who holds an office now, and who held it once."""

import pytest

from searchain.language.offices import held_once

JOBS = "The iPhone was announced by then–Apple CEO Steve Jobs in 2007."


@pytest.mark.parametrize(
    ("query", "sentence", "once"),
    [
        ("who is the ceo of apple", JOBS, True),
        ("Who's the current CEO of Apple?", JOBS, True),
        ("president of france", "Mitterrand was President of France from 1981 to 1995.", True),
        ("president of france", "Short description: President of France, 1981–1995.", True),
        ("who is the emperor of japan", "Hirohito was Emperor of Japan from 1926 until his death in 1989.", True),
        ("who was the ceo of apple", JOBS, False),
        ("who is the 28th president of the united states", "Wilson was the 28th president.", False),  # it stays true
        ("who is the king of the gods", "Zeus is the king of the gods.", False),
        ("who is the author of Emma", "Emma was written by Jane Austen.", False),
    ],
)
def test_a_sentence_of_the_past_does_not_say_who_holds_an_office(query, sentence, once):
    assert held_once(query, sentence) is once
