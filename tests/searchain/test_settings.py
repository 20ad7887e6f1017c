"""The settings of a run, and the values that they refuse."""

import pytest

from searchain.errors import UsageError
from searchain.methods.base import find
from searchain.settings import NAMED_ELSEWHERE, Settings
from searchain.types import TaskKind


def test_values_of_every_type_are_taken():
    numbers = {"passages": 3, "theta": 1, "floor": -0.5, "max_seconds": 60, "use_ir": False, "options": {"samples": 3}}
    texts = {"task": TaskKind.SLOTS, "reply": "template", "careful": None, "reading": "reader", "without": "rates"}
    values = numbers | texts
    made = Settings.of("paper", **values)
    assert {name: getattr(made, name) for name in values} == values


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("passages", 2.5, "a whole number"),
        ("max_rounds", True, "a whole number"),
        ("alpha", "0.3", "a number"),
        ("use_ir", 0, "true or false"),
        ("without", 1, "a text"),
        ("options", [3], "options by their names"),
        ("reading", "", "reader or passage"),
        ("task", "slots?", " or ".join(TaskKind)),
    ],
)
def test_a_value_of_another_type_is_told_with_what_it_must_be(name, value, wanted):
    with pytest.raises(UsageError) as raised:
        Settings.of(**{name: value})
    assert str(raised.value) == f"setting {name!r} is {value!r}; it must be {wanted}"


def test_a_name_that_cannot_be_set_is_told_with_those_that_can():
    with pytest.raises(UsageError) as raised:
        find("react-cot-sc").settings(smples=3)
    said, _, known = str(raised.value).partition("; known: ")
    names = known.split(", ")
    assert said == "unknown setting 'smples'"
    assert names[:4] == ["examples", "samples", "steps", "passages"]
    assert not set(names) & set(NAMED_ELSEWHERE)
