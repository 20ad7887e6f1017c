"""Task kinds from the form of a question, and which wordings ask for a definition or a comparison of two things."""

import pytest

from searchain.language.questions import asked_kind, choose_task, wants_label
from searchain.types import Step, TaskKind


@pytest.mark.parametrize(
    ("question", "task"),
    [
        ("On which Japanese island is the city where Nintendo has its headquarters?", "multihop"),
        ("What was launched first, the Hubble telescope or the Voyager probes?", "multihop"),
        ("How many people live in Kyoto?", "multihop"),
        ("What is the capital of France?", "multihop"),
        ("Could a llama give birth twice during the war?", "yesno"),
        ("Is it true that Kyoto is old?", "yesno"),
        ("The Eiffel Tower was finished in 1889.", "factcheck"),
        ("Fact check: Kyoto is the capital of Japan", "factcheck"),
        ("Why is the sky blue?", "longform"),
        ("Explain photosynthesis.", "longform"),
        ("Author of The Three Musketeers", "multihop"),
        ("", "multihop"),
    ],
)
def test_task_from_form(question, task):
    assert choose_task(question).value == task


@pytest.mark.parametrize(
    ("question", "ways"),
    [
        ("who is Ada Lovelace", "Ada Lovelace"),
        ("what's a monsoon", "monsoon"),
        ("tell me about Marie Curie.", "Marie Curie"),
        ("define photosynthesis", "photosynthesis"),
        ("what is the meaning of osmosis", "osmosis"),
        ("What is Mercury (planet)?", "Mercury (planet)"),
        ("compare cats and dogs", {("cats", "dogs")}),
        ("What is the difference between DNA and RNA?", {("DNA", "RNA")}),
        ("Mount Everest vs K2", {("Mount Everest", "K2")}),
        (
            "compare Trinidad and Tobago and Jamaica",
            {("Trinidad", "Tobago and Jamaica"), ("Trinidad and Tobago", "Jamaica")},
        ),
        ("which is higher, Mount Everest or K2?", None),
        ("Is the Nile longer than the Amazon?", None),
        ("who wrote Moby Dick", None),
        ("tell me about him", None),
        ("", None),
    ],
)
def test_definitions_and_comparisons_of_two_things(question, ways):
    asked = asked_kind(question)
    if isinstance(ways, set):
        assert ways <= set(asked.ways)
    else:
        assert (asked and asked.thing) == ways


def test_in_a_yes_no_run_the_question_wants_a_label_in_any_form_and_a_step_on_the_way_does_not():
    question = "my son is nine, does he pay for the boat"
    asked, step = Step("My son is nine, does he pay for the boat?", None), Step("What does the boat cost?", None)
    assert [wants_label(one, TaskKind.YESNO, question) for one in (asked, step)] == [True, False]
    assert not wants_label(asked, TaskKind.MULTIHOP, question)
