"""What people may choose: within the operator's offers, and checked on the server."""

import json

import pytest

from searchain.errors import UsageError
from searchain.settings import Settings
from searchain.types import TaskKind
from ui.page.choices import Choices, Offers, chosen, going_on, kept, searching

OWN = "c-01hzzzzzzzzzzzzzzzzzzzzzzz"
OFFERS = Offers(indexes=("default", "mine"), models=("large",), rounds=4, passages=8)


def test_choices_become_the_settings_of_a_run():
    values = {"theta": 2, "rounds": 3, "passages": 8, "index": "mine", "model": "large"}
    choices = chosen(json.dumps(values | {"task": "yesno", "system": None}), OFFERS)
    assert choices == Choices(task="yesno", theta=2.0, rounds=3, passages=8, index="mine", model="large")
    assert choices.settings() == Settings(task=TaskKind.YESNO, theta=2.0, max_rounds=3, passages=8)
    assert kept(choices.as_json(), OFFERS) == choices


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "did not arrive whole"),
        ("[" * 5_000, "did not arrive whole"),
        ('{"index": "others"}', "the setting “Passages from” cannot be 'others' here; choose default or mine"),
        ('{"model": ["large"]}', r"the setting “Language model” cannot be \['large'\] here; choose large"),
        ('{"task": "poetry"}', "the setting “Kind of question” cannot be 'poetry' here; choose multihop or"),
        ('{"system": "x"}', "the setting “Method” cannot be 'x' here; choose searchain or searchain-no-ir or"),
        ('{"profile": "paper"}', "there is no setting 'profile'"),
        ('{"rounds": 5}', "the setting “Rounds at most” cannot be 5; choose a number from 1 to 4"),
        ('{"rounds": "2"}', "cannot be '2'"),
        ('{"passages": 0}', "a number from 1 to 8"),
        ('{"theta": NaN}', "a number from -20 to 20"),
        ('{"theta": 1e400}', "a number from -20 to 20"),
        ('{"max_seconds": 9}', "there is no setting 'max_seconds'"),
    ],
)
def test_what_is_not_offered_is_refused(text, message):
    with pytest.raises(UsageError, match=message):
        chosen(text, OFFERS)


def test_a_compared_method_searches_what_the_first_one_searched():
    chosen, collections = Choices(system="cot", index="default"), (OWN[2:].upper(),)
    for index, expected in {
        "library": Choices(system="cot", index="library"),
        OWN: Choices(system="cot", collections=collections),
        f"{OWN}+library": Choices(system="cot", index="library", collections=collections, beside=True),
        "gone": chosen,  # offered no more
        "": chosen,  # a method that searches nothing
    }.items():
        assert searching(chosen, index, Offers(indexes=("default", "library"))) == expected


def test_what_was_kept_and_is_offered_no_more_is_left_out_and_a_conversation_from_elsewhere_goes_on():
    assert kept('{"index": "gone", "rounds": 9, "passages": 3, "old": 1}', OFFERS) == Choices(passages=3)
    assert kept(None, OFFERS) == Choices()
    assert going_on(None, ["default", OWN], OFFERS).collections == (OWN.removeprefix("c-").upper(),)
    assert going_on('{"rounds": 3}', [OWN], OFFERS) == Choices(rounds=3)
    assert going_on(None, [], OFFERS) == Choices()


def test_the_papers_method_keeps_its_own_values_where_nothing_else_is_chosen_also_as_kept_earlier():
    assert chosen('{"system": "searchain-paper"}', OFFERS).settings() == Settings.of("paper")
    assert chosen('{"system": "searchain-paper", "passages": 3}', OFFERS).settings() == Settings.of("paper", passages=3)
    assert kept('{"profile": "paper", "passages": 3}', OFFERS) == Choices(system="searchain-paper", passages=3)
    assert kept('{"profile": null}', OFFERS) == Choices()
