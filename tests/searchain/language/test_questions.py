"""Task kinds from the form of a question, and which wordings ask for a definition or a comparison of two things."""

import pytest

from searchain.language.questions import asked_kind, choose_task, wants_label
from searchain.types import Step, TaskKind
from tests.support.json_lines import kept


@pytest.mark.parametrize(("question", "task"), kept("question-forms.json")["tasks"])
def test_task_from_form(question, task):
    assert choose_task(question).value == task


@pytest.mark.parametrize(("question", "ways"), kept("question-forms.json")["ways"])
def test_definitions_and_comparisons_of_two_things(question, ways):
    asked = asked_kind(question)
    if isinstance(ways, list):
        assert set(map(tuple, ways)) <= set(asked.ways)
    else:
        assert (asked and asked.thing) == ways


def test_in_a_yes_no_run_the_question_wants_a_label_in_any_form_and_a_step_on_the_way_does_not():
    question = "my son is nine, does he pay for the boat"
    asked, step = Step("My son is nine, does he pay for the boat?", None), Step("What does the boat cost?", None)
    assert [wants_label(one, TaskKind.YESNO, question) for one in (asked, step)] == [True, False]
    assert not wants_label(asked, TaskKind.MULTIHOP, question)
