"""What the large Reader adds to a reading."""

import json

from searchain.types import Hit, Passage, Reading, Span
from searchain.verification.features import NAMES, options
from searchain.verification.large_reading import NEVER, NOWHERE, features, read_again, united
from searchain.verification.probability import Calibrated, read_probability
from searchain.verification.trees import Tree, Trees

AUSTEN = Passage("a", "Jane Austen", "Jane Austen was an English novelist. She was born in Steventon in 1775.")
OTHER = Passage("b", "Steventon", "Steventon is a village. Jane Austen was born there in 1775.")
HITS = [Hit(AUSTEN, 9.0, 1), Hit(OTHER, 8.0, 2)]
QUESTION = "When was Jane Austen born?"


def reading(passage, answer, f, **more):
    start = passage.text.index(answer)
    return Reading(answer, Span(start, start + len(answer)), f, **more)


FIRST = [reading(AUSTEN, "English", 1.0), reading(OTHER, "1775", 2.0)]
SECOND = [
    reading(AUSTEN, "1775", 5.0, likelihood=-0.1, lead=7.0, others=(reading(AUSTEN, "English", 5.0),)),
    reading(OTHER, "1775", 4.0),
]


def test_the_likeliest_passages_are_read_again_in_their_order():
    asked = []

    def second(query, passages):
        asked.append((query, [passage.title for passage in passages]))
        return [SECOND[1]]

    assert read_again(second, QUESTION, HITS, FIRST, passages=1) == [None, SECOND[1]]
    assert asked == [(QUESTION, ["Steventon"])]


def test_what_only_the_large_reader_points_at_is_a_place_more():
    one, other = united(FIRST, SECOND)
    assert [option.answer for option in one.options] == ["English", "1775"]
    assert one.options[1].confidence == 1.0
    assert other == FIRST[1]
    assert united([Reading("", None, -3.0), FIRST[1]], SECOND)[0].answer == "1775"
    assert united(FIRST, [None, None]) == FIRST


def test_an_option_is_described_by_both_readers():
    year = united(FIRST, SECOND)[0].options[1]
    assert features(year, 0, HITS, FIRST, SECOND) == [5.0, 5.0 - NEVER, 4.0, 1, NEVER, -0.1, 7.0, 0, NOWHERE, 0.0]
    nation = FIRST[0]
    assert features(nation, 0, HITS, FIRST, SECOND)[7:] == [1, 0, 0.0]
    assert features(FIRST[1], 1, HITS, FIRST, SECOND)[7:] == [0, 0, 1.0]


def test_a_passage_that_was_not_read_again_has_the_numbers_of_none():
    found = options(QUESTION, HITS, FIRST, None)
    values = dict(zip(NAMES, found[0][0][1], strict=True))
    assert (values["large_f"], values["large_place"], values["first_place"]) == (NEVER, NOWHERE, 0)
    assert found == options(QUESTION, HITS, FIRST, None, [None, None])


def test_the_answer_of_the_large_reader_can_be_the_likeliest():
    by_second = Trees(0.0, (Tree(((NAMES.index("large_likelihood"), -1.0, -1, -2),), (-3.0, 3.0)),))
    found = Calibrated(by_second, 0.8, second=lambda query, passages: SECOND).rated(QUESTION, HITS, FIRST)
    assert found[0].answer == "1775"
    assert found[0].probability > 0.9
    without = Calibrated(by_second, 0.8).rated(QUESTION, HITS, FIRST)
    assert without[0].answer == "English"


def test_nothing_is_read_again_for_trees_that_were_fitted_without_it(tmp_path):
    def second(query, passages):
        return SECOND

    for feature, wanted in (("f", None), ("large_f", second)):
        trees = Trees(0.0, (Tree(((NAMES.index(feature), 0.0, -1, -2),), (-3.0, 3.0)),))
        stored = {"reading": trees.as_json(), "threshold": 0.8}
        (tmp_path / "probability.json").write_text(json.dumps(stored))
        assert read_probability(tmp_path, second=second).second is wanted
