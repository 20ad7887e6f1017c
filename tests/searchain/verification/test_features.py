"""The numbers that describe a reading."""

import pytest

from searchain.language.questions import nesting
from searchain.types import Hit, Passage, Reading
from searchain.verification.features import NAMES, options
from tests.support.fakes import read_in

AUSTEN = Passage("a", "Jane Austen", "Jane Austen was an English novelist. She was born in Steventon in 1775.")
OTHER = Passage("b", "Steventon", "Steventon is a village. Jane Austen was born there in 1775.")

WHEN = "When was Jane Austen born?"


def described(question, *pairs, similarity=None):
    hits = [Hit(passage, 9.0 - rank, rank) for rank, (passage, _) in enumerate(pairs, 1)]
    found = options(question, hits, [one for _, one in pairs], similarity)
    return [dict(zip(NAMES, described[0][1], strict=True)) if described else None for described in found]


def test_every_reading_with_an_answer_has_every_feature():
    likely = read_in(AUSTEN, "1775", 3.0, likelihood=-0.5, lead=4.0)
    first, none = described(WHEN, (AUSTEN, likely), (OTHER, Reading("", None, -4.0)))
    assert none is None
    assert (first["f"], first["likelihood"], first["lead"], first["rank"]) == (3.0, -0.5, 4.0, 1)
    assert first["fits"]
    assert first["asks_date"]
    assert first["is_date"]
    assert first["names_in_passage"] == 1.0


def test_readings_that_say_the_same_support_each_other():
    same, _ = described(WHEN, (AUSTEN, read_in(AUSTEN, "1775", 3.0)), (OTHER, read_in(OTHER, "1775", 2.0)))
    other, _ = described(WHEN, (AUSTEN, read_in(AUSTEN, "1775", 3.0)), (OTHER, read_in(OTHER, "village", 2.0)))
    assert (same["agreeing"], same["f_agreeing"]) == (1, 2.0)
    assert (other["agreeing"], other["f_lead"]) == (0, 1.0)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who wrote Hamlet?", (0, 0)),
        ("when did the director of film Sugar Harvest die", (0, 1)),
        ("What's the nickname of the guy who directed Psycho?", (1, 1)),
        ("On which island is the city where Nintendo has its headquarters?", (1, 0)),
    ],
)
def test_questions_of_several_steps_have_signs_of_them(question, expected):
    assert nesting(question) == expected
