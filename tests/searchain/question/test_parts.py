"""Questions that ask for several things, and questions that only look so."""

import pytest

from tests.support.question_head import head


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("How much is the rent and when is it due?", ("How much is the rent", "when is it due?")),
        ("how much is the rent? And when is it due", ("how much is the rent?", "when is it due")),
        (
            "Who founded Rome, when was it founded and what is its population?",
            ("Who founded Rome", "when was it founded", "what is its population?"),
        ),
        ("who painted Guernica and where was he born", ("who painted Guernica", "where was he born")),
        ("when did the Titanic sink and how many people died", ("when did the Titanic sink", "how many people died")),
        ("how much notice and how do I cancel", ("how much notice", "how do I cancel")),
        ("is parking free, and where do i leave the car", ("is parking free", "where do i leave the car")),
        # what the first part lacks stands in the last
        ("capital and population of Peru?", ("capital of Peru?", "population of Peru?")),
        (
            "How long and at what temperature do I bake it?",
            ("How long do I bake it?", "at what temperature do I bake it?"),
        ),
        ("what is the capital and population of Peru?", ("what is the capital of Peru?", "population of Peru?")),
        # what only leads to a question, or claims something
        ("sorry, when is it due?", ()),
        ("I don't understand the bill. Whom may I ask?", ()),
        ("my vm hit the cpu quota, what state does it end up in", ()),
        ("Einstein was born in Ulm and he died in Princeton", ()),
        # one thing
        ("Who wrote War and Peace?", ()),
        ("Is Rome older than Paris and London?", ()),
        ("Which is taller, the Eiffel Tower or Big Ben?", ()),
        ("my son is nine and has a cold, may he swim", ()),
        ("how much do two adults and a child pay", ()),
        ("Which is the largest of the Channel Islands, where the official language is French?", ()),
        ("When violence is used, what is civil disobedience called?", ()),
        ("What was the name of William's eldest son, who, on his father's death, became Duke?", ()),
        ("?, ? and", ()),
        ("", ()),
    ],
)
def test_a_question_for_several_things_has_parts(question, parts):
    assert head().parts(question) == parts


def test_a_question_longer_than_the_model_reads_has_the_parts_that_were_read():
    long = "Who wrote The Trial and when was it written, " + "and so on " * 400
    assert head().parts(long)[0] == "Who wrote The Trial"
