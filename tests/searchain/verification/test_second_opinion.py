"""The rule between a reply and the second reading of its passages."""

import json

import pytest

from searchain.errors import ReaderError
from searchain.types import Passage
from searchain.verification.second_opinion import (
    CAUTIOUS,
    FEATURES,
    Case,
    Weighed,
    ending_of,
    features,
    read_second_opinion,
    relation_of,
)

HONSHU = Passage("kyoto", "Kyoto", "Kyoto is a city on Honshu (also known as the mainland).")


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("Honshu", "the island of Honshu", "agrees"),
        ("Honshu", "Kyushu", "differs"),
        ("Honshu", "", "finds nothing"),
        ("", "", "agrees"),
        ("", "Honshu", "differs"),
        ("John Adams", "John Quincy Adams", "differs"),
        ("yes", "Yes, it does.", "agrees"),
        ("yes", "no", "differs"),
        ("SUPPORTS", "The passages support it", "differs"),
        ("REFUTES", "REFUTES", "agrees"),
        ("no", "", "finds nothing"),
    ],
)
def test_two_answers_are_compared_as_names_or_as_labels(first, second, relation):
    assert relation_of(first, second, HONSHU) == relation


def case(relation="differs", place=0, first="Honshu", probability=0.4):
    return Case("On which island is Kyoto?", first, probability, "Kyushu", relation, place)


@pytest.mark.parametrize(
    ("given", "weighed", "ending"),
    [
        (case("agrees"), Weighed(0.4, None), "confirmed"),
        (case(), Weighed(0.4, None), "withdrawn"),
        (case(), Weighed(0.2, 0.7), "corrected"),
        (case(), Weighed(0.7, 0.2), "withdrawn"),
        (case(place=None), Weighed(0.2, 0.7), "withdrawn"),  # what stands nowhere cannot be cited
        (case("finds nothing"), Weighed(0.3, None), "withdrawn"),
    ],
)
def test_the_likelier_answer_stays_if_it_can_be_cited(given, weighed, ending):
    assert ending_of(given, weighed) == ending


def test_without_a_fit_nothing_becomes_likelier_and_what_is_supported_is_not_read_again():
    assert CAUTIOUS.weigh(case("agrees")) == Weighed(0.4, None)
    assert CAUTIOUS.wants("Honshu", 0.4, 0.8, is_supported=False)
    assert not CAUTIOUS.wants("Honshu", 0.85, 0.8, is_supported=True)
    assert not CAUTIOUS.wants("", None, 0.8, is_supported=False)


def test_a_fitted_rule_is_read_from_its_file(tmp_path):
    weights = dict.fromkeys(FEATURES, 0.0)
    stored = {
        "first": {"bias": -1.0, "weights": {**weights, "agrees": 4.0}},
        "second": {"bias": 0.0, "weights": {**weights, "is_quoted": 2.0}},
        "least": 0.8,
        "surely": 0.95,
    }
    (tmp_path / "second_opinion.json").write_text(json.dumps(stored))
    fitted = read_second_opinion(tmp_path)
    assert fitted.weigh(case("agrees")).first == pytest.approx(0.953, abs=0.001)
    assert fitted.weigh(case()).first == pytest.approx(0.269, abs=0.001)
    assert fitted.weigh(case(place=2)).second == pytest.approx(0.881, abs=0.001)
    assert fitted.wants("", None, 0.8, is_supported=False)
    assert fitted.wants("Honshu", 0.9, 0.8, is_supported=True)
    assert not fitted.wants("Honshu", 0.96, 0.8, is_supported=True)
    assert len(features(case())) == len(FEATURES)
    assert (fitted.threshold(0.9), fitted.threshold(None)) == (0.8, None)
    assert read_second_opinion(tmp_path, is_measured=False).threshold(0.9) == 0.85
    (tmp_path / "second_opinion.json").write_text("{}")
    with pytest.raises(ReaderError, match="holds no rule for second readings"):
        read_second_opinion(tmp_path)
    assert read_second_opinion(tmp_path / "none") is CAUTIOUS
