"""Statements of rules and minutes, from which the stance model learns to tell yes from no."""

import random
import re

import pytest

from lab.training.policies import claims, drawn, policies
from searchain.language.sentences import split

DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


@pytest.fixture
def rng():
    return random.Random(0)


def test_a_passage_holds_the_sentence_that_decides_it(rng):
    known = policies()
    by_question = {asked.lower().rstrip("?"): one for one in known for asked in one.asks}
    for claim in claims(known, rng):
        policy = by_question[claim.statement.lower().rstrip("?")]
        sides = {"supports": policy.yes, "refutes": policy.no}
        assert claim.label == "unknown" or any(said in claim.passage.text for said in sides[claim.label])
        others = {*policy.yes, *policy.no} if claim.label == "unknown" else set()
        assert not any(said in claim.passage.text for said in others)
        assert len(split(claim.passage.text)) <= 8


def test_drawn_days_are_labelled_by_the_days_that_are_named(rng):
    asked = [one for one in drawn(400, rng) if re.search("open on|come to the", one.statement, re.IGNORECASE)]
    assert len(asked) > 50
    for claim in asked:
        first, last, *closed = [DAYS.index(day) for day in re.findall("|".join(DAYS), claim.passage.text)]
        day = next(number for number, name in enumerate(DAYS) if name.lower() in claim.statement.lower())
        assert claim.label == ("supports" if first <= day <= last and day not in closed else "refutes")
