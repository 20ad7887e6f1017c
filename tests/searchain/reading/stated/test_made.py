"""Who made something, and when, out of sentences in the passive voice."""

import pytest

from searchain.reading.stated.made import PROBABILITY, made
from searchain.types import Hit, Passage, Reading


def answer_to(question: str, title: str, lead: str) -> str | None:
    hit = Hit(Passage(title, title, lead), 1.0, 1)
    found = made(question, [hit], [Reading("", None, -2.0)])
    if found is None:
        return None
    reading = found[1]
    assert lead[reading.span.start : reading.span.end] == reading.answer
    assert reading.probability == PROBABILITY
    return reading.answer


@pytest.mark.parametrize(
    ("question", "title", "lead", "answer"),
    [
        ("who founded acme", "Acme", "It was founded in 1975 by Ada King and Bob Ray in Rome.", "Ada King and Bob Ray"),
        ("who invented the cube", "Cube", "The Cube is a puzzle invented in 1974 by Hungarian sculptor and professor of art Ernő Rubik.", "Ernő Rubik"),
        ("who wrote emma", "Emma", "Emma is a novel written by the English author Jane Austen.", "Jane Austen"),
        ("who discovered iodine", "Iodine", "The element was discovered by the French chemist Bernard Courtois in 1811.", "Bernard Courtois"),
        ("when was iodine discovered", "Iodine", "The element was discovered by the French chemist Bernard Courtois in 1811.", "1811"),
        ("when was acme founded", "Acme", "Founded in 1636 as Acme College, it grew.", "1636"),
        ("when was acme founded", "Acme", "Acme was founded on 10 January 1920 in Rome.", "10 January 1920"),
        ("when was the old state established", "Old State", "The Old State was a kingdom founded in 204 BC, by a general.", "204 BC"),
    ],
)  # fmt: skip
def test_the_sentence_about_the_thing_answers(question, title, lead, answer):
    assert answer_to(question, title, lead) == answer


@pytest.mark.parametrize(
    ("question", "title", "lead"),
    [
        ("who founded acme", "Acme", "Acme is a firm of the Old State, founded by Ada King."),
        ("who invented the engine", "Engine", "The first engine was invented by Ada King."),
        ("who wrote the musical", "Musical", "Musical is a film directed by Ada King from a play written by Bob Ray."),
        ("who founded acme", "Acme", "Acme was founded by the signing of the Charter of Rome."),
        ("who founded acme", "Acme", "Acme was probably founded by Ada King."),
        ("when was venice built", "Venice", "Venice is built on 126 islands."),
        ("when was acme founded", "Acme", "Acme was founded in 1920. It was founded in 1930 anew."),
        ("who founded acme", "Other", "Other was founded by Ada King."),
        ("why was acme founded", "Acme", "Acme was founded in 1920."),
    ],
)
def test_what_speaks_of_something_else_or_doubts_it_does_not(question, title, lead):
    assert answer_to(question, title, lead) is None


@pytest.mark.parametrize(
    ("question", "lead", "answer"),
    [
        ("who created acme", "Acme was created by writer Bill Finger and artist Bob Kane in 1939.", None),
        ("who founded acme", "Acme was founded by Leland Stanford and his wife, Jane, in 1885.", None),
        ("who founded acme", "Acme was founded by guitarist Tony Iommi, drummer Bill Ward and others.", None),
        ("who created acme", "Acme was created by Alan Milne and drew on older work.", "Alan Milne"),
        ("who created acme", "Acme was created by A. A. Milne and the English illustrator E. H. Shepard.", None),
        ("who directed acme", "Acme is a film directed by Fritz Lang and written by Thea von Harbou.", "Fritz Lang"),
        ("when was acme built", "Constructed between 1931 and 1936, Acme is a dam.", "between 1931 and 1936"),
    ],
)
def test_all_makers_and_both_years_or_nothing(question, lead, answer):
    assert answer_to(question, "Acme", lead) == answer
