"""The two things of a comparison, in any order of its words."""

import pytest

from searchain.language.competing import beside_than, can_be_asked_for, reordered
from searchain.language.questions import whole_question


@pytest.mark.parametrize(
    ("typed", "question"),
    [
        ("mars or venus, which is bigger?", "which is bigger, mars or venus?"),
        ("newton or galileo, who was born first", "who was born first, newton or galileo?"),
        ("between the nile and the danube which is longer", "which is longer, the nile or the danube?"),
        ("which of russia and canada is larger", "which is larger, russia or canada?"),
        ("which of these two and those is larger", "which of these two and those is larger"),
        ("tea or coffee, what is healthy", "tea or coffee, what is healthy"),
        ("Which is bigger, Mars or Venus?", "Which is bigger, Mars or Venus?"),
        (
            "of bosnia and herzegovina and serbia, which is larger",
            "of bosnia and herzegovina and serbia, which is larger",
        ),
    ],
)
def test_the_two_things_go_to_the_end(typed, question):
    assert reordered(typed) == whole_question(typed) == question


def test_a_noun_that_ends_like_a_comparative_belongs_to_its_thing():
    assert beside_than("is the amazon river longer than the nile") == ("the amazon river", "the nile")
    assert beside_than("is the eiffel tower older than big ben") == ("the eiffel tower", "big ben")


@pytest.mark.parametrize(
    ("typed", "question"),
    [
        ("Among Kele Okereke and Jon Hume who made Evermore?", "who made Evermore, Kele Okereke or Jon Hume?"),
        (
            "Of the retired tennis players Ross Case and Bo Ek, which player reached a higher ranking?",
            "which player reached a higher ranking, Ross Case or Bo Ek?",
        ),
        ("out of the nile and the amazon which is longer", "which is longer, the nile or the amazon?"),
        ("Of Mice and Men, who wrote it", "Of Mice and Men, who wrote it"),
        ("Among the planets and moons what is seen", "Among the planets and moons what is seen"),
        ("Between March and May, what happens", "Between March and May, what happens"),
    ],
)
def test_two_names_may_be_asked_for_anything(typed, question):
    assert reordered(typed) == question


@pytest.mark.parametrize(
    ("answer", "is_one"), [("Sega", True), ("Sony", True), ("Nintendo", False), ("yes", False), ("", True)]
)
def test_only_the_two_names_may_be_the_answer(answer, is_one):
    assert can_be_asked_for("Which company made the Walkman, Sega or Sony?", answer) is is_one
    assert can_be_asked_for("Which companies made the Walkman?", answer)
