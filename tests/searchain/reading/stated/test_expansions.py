"""Abbreviations are written out with the words of a passage."""

import pytest

from searchain.reading.stated.expansions import PROBABILITY, expanded
from searchain.types import Hit, Passage, Reading

NATO = Passage("n", "NATO", "The North Atlantic Treaty Organization (NATO) is an alliance of many states.")
DNA = Passage("d", "DNA", "Short description: A molecule.\nDeoxyribonucleic acid is a polymer. DNA is an acid.")
BEE = Passage("b", "Bee", "Bees are winged insects.")
OPEC = Passage("o", "OPEC", "The Organization of the Petroleum Exporting Countries (OPEC) is a body.")
POLIO = Passage("p", "Polio vaccine", "There are two: an inactivated poliovirus given by injection (IPV), and another.")
UNION = Passage("e", "European Union", "The European Union (EU) is a union of 27 states.")
LOVE = Passage("l", "Love", "Love is a feeling of strong attraction.")


@pytest.mark.parametrize(
    ("query", "passage", "answer"),
    [
        ("what does NATO stand for?", NATO, "North Atlantic Treaty Organization"),
        ("full form of nato", NATO, "North Atlantic Treaty Organization"),
        ("what does dna stand for", DNA, "Deoxyribonucleic acid"),
        ("what does opec stand for", OPEC, "Organization of the Petroleum Exporting Countries"),
        ("what does IPV stand for", POLIO, None),
        ("what does eu stand for", UNION, "European Union"),
        ("what does love mean", LOVE, None),
        ("what does rna stand for", DNA, None),
        ("what does bee mean", BEE, None),
        ("who founded nato", NATO, None),
    ],
)
def test_what_an_abbreviation_stands_for(query, passage, answer):
    found = expanded(query, [Hit(passage, 1.0, 1)], [Reading("", None, 0.0)])
    assert (found and found[1].answer) == answer
    if found:
        assert passage.text[found[1].span.start : found[1].span.end] == answer
        assert found[1].probability == PROBABILITY
