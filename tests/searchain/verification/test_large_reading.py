"""What the large Reader adds to a reading."""

from searchain.types import Hit, Passage, Place
from searchain.verification.features import NAMES
from searchain.verification.large_reading import NEVER, NOWHERE, OWN_PASSAGES, PASSAGES, features, read_again, united
from searchain.verification.probability import Calibrated
from searchain.verification.trees import Tree, Trees
from tests.support.fakes import read_in

AUSTEN = Passage("a", "Jane Austen", "Jane Austen was an English novelist. She was born in Steventon in 1775.")
OTHER = Passage("b", "Steventon", "Steventon is a village. Jane Austen was born there in 1775.")
HITS = [Hit(AUSTEN, 9.0, 1), Hit(OTHER, 8.0, 2)]
QUESTION = "When was Jane Austen born?"


FIRST = [read_in(AUSTEN, "English", 1.0), read_in(OTHER, "1775", 2.0)]
SECOND = [
    read_in(AUSTEN, "1775", 5.0, likelihood=-0.1, lead=7.0, others=(read_in(AUSTEN, "English", 5.0),)),
    read_in(OTHER, "1775", 4.0),
]


def test_the_likeliest_passages_are_read_again_in_their_order():
    asked = []

    def second(query, passages):
        asked.append((query, [passage.title for passage in passages]))
        return [SECOND[1]]

    assert read_again(second, QUESTION, HITS, FIRST, passages=1) == [None, SECOND[1]]
    assert asked == [(QUESTION, ["Steventon"])]


def test_more_passages_of_own_documents_are_read_again():
    place = Place("d", "v", 0, 9)
    own = [Hit(Passage(str(number), "Lease", "The rent is 840.", place=place), 1.0, number) for number in range(6)]
    for hits, most in ((own, OWN_PASSAGES), ([own[0], HITS[0], own[1], *HITS * 2], PASSAGES)):
        found = read_again(lambda query, passages: FIRST[:1] * len(passages), QUESTION, hits, FIRST[:1] * len(hits))
        assert sum(one is not None for one in found) == most


def test_an_option_is_described_by_both_readers():
    year = united(FIRST, SECOND)[0].options[1]
    assert features(year, 0, HITS, FIRST, SECOND) == [5.0, 5.0 - NEVER, 4.0, 1, NEVER, -0.1, 7.0, 0, NOWHERE, 0.0]
    nation = FIRST[0]
    assert features(nation, 0, HITS, FIRST, SECOND)[7:] == [1, 0, 0.0]
    assert features(FIRST[1], 1, HITS, FIRST, SECOND)[7:] == [0, 0, 1.0]


def test_the_answer_of_the_large_reader_can_be_the_likeliest():
    by_second = Trees(0.0, (Tree(((NAMES.index("large_likelihood"), -1.0, -1, -2),), (-3.0, 3.0)),))
    found = Calibrated(by_second, 0.8, second=lambda query, passages: SECOND).rated(QUESTION, HITS, FIRST)
    assert found[0].answer == "1775"
    assert found[0].probability > 0.9
    without = Calibrated(by_second, 0.8).rated(QUESTION, HITS, FIRST)
    assert without[0].answer == "English"
