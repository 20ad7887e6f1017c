"""Whether one thing came before another, from the dates that steps found."""

import pytest

from searchain.language.before_after import order_in_time
from searchain.language.comparison import decide
from searchain.types import Node


def step(query, answer):
    return Node(query, None, 1, query, answer=answer)


SPUTNIK = step("When did Sputnik 1 go into orbit?", "4 October 1957")
MOON = step("When did humans first land on the Moon?", "1969")
TOWER = step("When was the Eiffel Tower built?", "from 1887 to 1889")
ADA = step("When did Ada Lovelace die?", "27 November 1852")


@pytest.mark.parametrize(
    ("said", "path", "holds"),
    [
        ("Sputnik 1 went into orbit after the first humans had landed on the Moon.", [SPUTNIK, MOON], False),
        ("Did Sputnik 1 go into orbit before humans landed on the Moon?", [SPUTNIK, MOON], True),
        ("Did humans land on the Moon after Sputnik 1 went into orbit?", [SPUTNIK, MOON], True),
        ("Was the Eiffel Tower built before 1900?", [TOWER], True),
        ("The Eiffel Tower was built after 1889.", [TOWER], False),
        ("Was the Eiffel Tower built after 1888?", [TOWER], None),  # it was being built then
        ("Ada Lovelace died before 1852.", [ADA], False),
        ("Did Ada Lovelace die prior to 1900?", [ADA], True),
        ("Was the Eiffel Tower not built before 1900?", [TOWER], None),
        ("What was built before 1900?", [TOWER], None),
        ("Did Ada Lovelace die before Charles Babbage?", [ADA], None),  # one date alone
        ("Did Rome fall before 1900?", [step("When did Rome fall?", "5th century")], None),
    ],
)
def test_what_is_said_of_the_order_holds_or_not(said, path, holds):
    found = order_in_time(said, path)
    assert (found and found.holds) is holds


def test_the_decision_has_the_label_that_was_asked_for():
    assert decide("Did Sputnik 1 go into orbit before humans landed on the Moon?", [SPUTNIK, MOON]).answer == "yes"
    decision = decide("Sputnik 1 went into orbit after the first humans had landed on the Moon.", [SPUTNIK, MOON])
    assert (decision.answer, decision.nodes) == ("REFUTES", (SPUTNIK, MOON))
