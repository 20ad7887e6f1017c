"""The rule between a reply and the second reading of its passages."""

import json
from dataclasses import replace

import pytest

from searchain.types import JudgedAnswer, Passage
from searchain.verification import second_opinion

HONSHU = Passage("kyoto", "Kyoto", "Kyoto is a city on Honshu (also known as the mainland).")


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("Honshu", "the island of Honshu", "agrees"),
        ("Honshu", "Kyushu", "differs"),
        ("Honshu", "", "finds nothing"),
        ("", "", "agrees"),
        ("John Adams", "John Quincy Adams", "differs"),
        ("yes", "no", "differs"),
        ("SUPPORTS", "The passages support it", "differs"),
        ("REFUTES", "REFUTES", "agrees"),
    ],
)
def test_two_answers_are_compared_as_names_or_as_labels(first, second, relation):
    assert second_opinion.relation_of(first, second, HONSHU) == relation


QUESTION = "On which island is Kyoto?"


def answers(first=0.4, other=None, place=0, before=0.4):
    """The answer of a reply and that of the second reader, with their probabilities."""
    return [
        JudgedAnswer("Honshu", before, 0.5, is_first=True, place=0, probability=first),
        JudgedAnswer("Kyushu", None, 0.5, agrees=True, place=place, probability=other),
    ]


@pytest.mark.parametrize(
    ("given", "relation", "ending"),
    [
        (answers(0.4)[:1], "agrees", "confirmed"),
        (answers(0.4), "differs", "withdrawn"),
        (answers(0.2, 0.7), "differs", "corrected"),
        (answers(0.3, 0.2), "agrees", "confirmed"),
        (answers(0.7)[:1], "finds nothing", "confirmed"),  # it is likelier than before
        (answers(0.7, 0.2), "differs", "withdrawn"),  # whatever its probability: the second reader reads otherwise
        (answers(0.7, before=None), "finds nothing", "withdrawn"),
        (answers(0.2, 0.7, place=None), "differs", "withdrawn"),  # what stands nowhere cannot be cited
        (answers()[1:], "agrees", "confirmed"),
        ([], "agrees", "confirmed"),
    ],
)
def test_the_likelier_answer_stays_if_it_can_be_cited(given, relation, ending):
    assert second_opinion.ending_of(given, relation) == ending
    assert (second_opinion.likeliest(given) is not None) == (ending == "corrected")


@pytest.mark.parametrize("label", ["yes", "REFUTES", "SUPPORTS"])
def test_no_words_of_a_passage_take_the_place_of_a_verdict(label):
    first, other = answers(0.1, 0.9)
    given = [replace(first, answer=label), other]
    assert (second_opinion.likeliest(given), second_opinion.ending_of(given, "differs")) == (None, "withdrawn")


def test_what_is_almost_surely_wrong_takes_no_place():
    for least, before in ((0.15, answers(0.1)[:1]), (0.35, [])):
        for probability, stands in ((least - 0.01, True), (least + 0.01, False)):
            other = JudgedAnswer("Kyushu", None, 0.5, place=0, probability=probability)
            assert (second_opinion.likeliest([*before, other]) is None) is stands


def test_a_fitted_rule_is_read_from_its_file(tmp_path):
    weights = dict.fromkeys(second_opinion.FEATURES, 0.0)
    stored = {"bias": -1.0, "weights": {**weights, "is_first": 4.0, "says_yes": 1.0}, "least": 0.8}
    file = tmp_path / "second_opinion.json"
    file.write_text(json.dumps(stored))
    fitted = second_opinion.read_second_opinion(file)
    assert fitted.weigh(QUESTION, answers()) == pytest.approx([0.953, 0.269], abs=0.001)
    sure = replace(answers()[1], says_yes=0.9)
    assert fitted.weigh(QUESTION, [sure]) == pytest.approx([0.768], abs=0.001)
    assert len(second_opinion.features(QUESTION, sure)) == len(second_opinion.FEATURES)
    assert (fitted.least, second_opinion.read_second_opinion(file, is_measured=False).least) == (0.8, 0.85)
    file.write_text(json.dumps({**stored, "least": 0.84}))
    assert second_opinion.read_second_opinion(file, is_measured=False).least == pytest.approx(0.88)
