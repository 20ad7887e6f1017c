"""Corrections towards the words of a collection."""

import pytest

from searchain.language.spelling import Speller
from searchain.types import Passage

TEXT = "The capital of Australia is known to have a population counted by people of the government each summer. "
SPELLER = Speller(
    [
        Passage("1", "Penicillin", "Penicillin was discovered in 1928 by Alexander Fleming."),
        Passage("2", "Australia", TEXT * 30),
        Passage("3", "Boston", "Boston is the capital of Massachusetts. " * 10),
        Passage("4", "Philippines", "The Philippines is a country of many islands. " * 10),
    ],
    known=["discovered", "mountain"],
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("who discoverd penicilin", "who discovered penicillin"),
        ("what is the captial of astralia", "what is the capital of australia"),
        ("What is the populaton of Boston?", "What is the population of Boston?"),
        ("Manila is in the Phillipines, is it?", "Manila is in the Philippines, is it?"),
        ("Is it countde each sumemr?", "Is it counted each summer?"),
        ("Who is Bolton?", None),  # a name that is not known, with a near neighbour
        ("who is Krzysztof Penderecki", None),
        ("summr2 and a1capitl", None),  # numbers
        ("PENICILIN", None),  # an abbreviation for all that is known
        ("see penicilin.org", None),
        ("discovers summers populations", None),  # forms of known words
        ("", None),
    ],
)
def test_slips_are_corrected_and_what_may_be_right_stays(typed, meant):
    assert SPELLER.correct(typed) == (typed if meant is None else meant)


def test_short_names_of_titles_are_written_out_where_the_collection_has_them():
    has = Speller([Passage("1", "World War II", "World War II was a war.")])
    assert has.correct("when did ww2 end") == has.correct("when did world war 2 end") == "when did World War II end"
    assert has.correct("who shot jfk") == "who shot jfk"
