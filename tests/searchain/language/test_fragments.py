"""Fragments completed from the conversation, and questions about the last two things."""

import pytest

from searchain.language.follow_ups import by_rule, is_usable_rewrite, replaceable, standalone_by_rule
from searchain.types import Exchange


def said(*turns):
    return [Exchange(asked, f"{answer} [1].", answer) for asked, answer in turns]


LAKE = said(("what is the largest lake in the world", "Caspian Sea"))
CAPITAL = said(("what is the capital of france", "Paris"))
TITANIC = said(("when did the titanic sink", "15 April 1912"))
FUJI = said(("what is mount fuji", "Volcano in Japan"))
RUSSIA = said(("who was the last tsar of russia", "Nicholas II"))
BOTH = said(("what is osmosis", "Movement of molecules"), ("what is diffusion", "Transport of particles"))


@pytest.mark.parametrize(
    ("history", "question", "whole"),
    [
        (LAKE, "in asia?", "what is the largest lake in asia?"),
        (LAKE, "and in africa", "what is the largest lake in africa?"),
        (LAKE, "the second largest", "what is the second largest lake in the world?"),
        (LAKE, "the deepest one", "what is the deepest lake in the world?"),
        (LAKE, "and the longest river", "what is the longest river in the world?"),
        (LAKE, "largest desert in africa", "What is the largest desert in africa?"),
        (TITANIC, "where", "where did the titanic sink"),
        (TITANIC, "why?", "why did the titanic sink"),
        (TITANIC, "and in what year", "in what year did the titanic sink"),
        (FUJI, "how high", "how high is mount fuji?"),
        (FUJI, "location", "what is the location of mount fuji?"),
        (CAPITAL, "population", "what is the population of Paris?"),
        (RUSSIA, "why", "why was Nicholas II the last tsar of russia"),
        (said(("are bats blind", "no")), "why not?", "why are bats blind"),
        (BOTH, "difference between them", "difference between osmosis and diffusion"),
        (BOTH, "which is faster?", "which is faster, osmosis or diffusion?"),
    ],
)
def test_a_fragment_becomes_a_whole_question(history, question, whole):
    assert by_rule(question, history).rstrip("?") == whole.rstrip("?")
    assert standalone_by_rule(question, history).rstrip("?") == whole.rstrip("?")


@pytest.mark.parametrize("question", ["germany", "tell me more", "who is his wife", "photosynthesis"])
def test_no_rule_is_sure_of_a_name_or_a_pronoun(question):
    assert by_rule(question, CAPITAL) == ""


def test_a_rank_is_found_some_questions_ago():
    history = [*LAKE, *said(("how deep is the caspian sea", "1,025 m"), ("who lives there", "people"))]
    assert by_rule("the second largest", history) == "what is the second largest lake in the world?"


def test_what_a_bare_name_may_replace():
    assert replaceable(CAPITAL[0]) == ("france",)
    assert replaceable(said(("who is marie curie", "Physicist"))[0]) == ("marie curie",)
    assert "napoleon" in replaceable(said(("when was napoleon born", "1769"))[0])


@pytest.mark.parametrize(
    ("rewritten", "usable"),
    [("how many people died on the titanic", True), ("how many people died on the titantic", False)],
)
def test_a_model_may_not_misspell_what_was_said(rewritten, usable):
    assert is_usable_rewrite(rewritten, "how many people died on it", TITANIC) is usable
