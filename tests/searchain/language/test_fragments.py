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
        (said(("are bats blind", "no")), "why not?", "why are bats not blind"),
        (FUJI, "tell me more", "summarise mount fuji"),
        (FUJI, "give me an example", "what are examples of mount fuji"),
        (said(("who founded islam", "Muhammad")), "when", "when was islam founded"),
        (said(("when did world war 2 start", "1939")), "end", "when did world war 2 end"),
        (said(("who was the first king of france", "Clovis")), "the second", "who was the second king of france"),
        (said(("what is the currency of japan", "yen")), "and in poland", "what is the currency in poland"),
        (
            said(("who is marie curie", "Physicist"), ("who is the husband of marie curie?", "Pierre Curie")),
            "children",
            "who are the children of marie curie",
        ),
        (said(("who is marie curie", "Physicist")), "mother", "who is the mother of marie curie"),
        (said(("is spain in europe", "yes")), "is morocco", "is morocco in europe"),
        (said(("what is the boiling point of water", "")), "and freezing point", "what is the freezing point of water"),
        (
            said(("who was the first man on the moon", "Neil Armstrong")),
            "when",
            "when was Neil Armstrong the first man on the moon",
        ),
        (
            said(("which planet is closest to the sun", "Mercury")),
            "which is the hottest",
            "which planet is the hottest",
        ),
        (
            said(("what is the population of india", "1,618,879"), ("what is the population of china", "1.4 billion")),
            "which is bigger",
            "which is bigger, india or china",
        ),
        (BOTH, "difference between them", "difference between osmosis and diffusion"),
        (BOTH, "which is faster?", "which is faster, osmosis or diffusion?"),
    ],
)
def test_a_fragment_becomes_a_whole_question(history, question, whole):
    assert by_rule(question, history).rstrip("?") == whole.rstrip("?")
    assert standalone_by_rule(question, history).rstrip("?") == whole.rstrip("?")


@pytest.mark.parametrize(
    ("history", "question", "whole"),
    [
        (said(("what is the longest river in africa", "Nile")), "fastest animal", "what is the fastest animal"),
        (said(("what is the longest river in africa", "Nile")), "largest lake", "what is the largest lake in africa"),
        (said(("what is the longest river in africa", "Nile")), "second", "what is the second longest river in africa"),
        (said(("what is the population of india", "1.4 billion")), "biggest city", "what is the biggest city in india"),
        (said(("who painted the mona lisa", "Leonardo da Vinci")), "size", "what is the size of mona lisa"),
        (
            said(("who is the president of france", "Emmanuel Macron")),
            "prime minister",
            "who is the prime minister of france",
        ),
        (said(("when was einstein born", "1879")), "died", "when did einstein die"),
    ],
)
def test_a_fragment_asks_after_the_thing_that_has_it(history, question, whole):
    assert by_rule(question, history).casefold().rstrip("?") == whole


@pytest.mark.parametrize(
    ("history", "question"),
    [
        (said(("how far is the moon from earth", "384,399 km")), "what is gravity"),
        (said(("who was marie curie", "Physicist")), "what is death"),
        (said(("is spain in europe", "yes")), "is water wet"),
        (said(("can penguins fly", "no")), "can cats swim"),
        (said(("was einstein german", "yes")), "was newton english"),
        (said(("when did the titanic sink", "1912")), "how many died"),
        (said(("what is dna", "Molecule")), "why"),
    ],
)
def test_a_whole_question_and_what_no_rule_knows_stay(history, question):
    assert by_rule(question, history) == ""


@pytest.mark.parametrize("question", ["germany", "who is his wife", "photosynthesis"])
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
    [
        ("how many people died on the titanic", True),
        ("how many people died on the titantic", False),
        ("how many people survived on the titanic", False),
    ],
)
def test_a_model_may_use_only_the_words_of_the_conversation(rewritten, usable):
    assert is_usable_rewrite(rewritten, "how many people died on it", TITANIC) is usable


@pytest.mark.parametrize(
    ("history", "question", "whole"),
    [
        (said(("who was napoleon's wife", "Joséphine")), "when was she born", "when was Joséphine born"),
        (said(("who was napoleon's wife", "Joséphine")), "how tall was he", "how tall was napoleon"),
        (said(("who were napoleon's parents", "")), "how tall was he", "how tall was napoleon"),
        (said(("who were the aunts of napoleon", "")), "how tall was he", "how tall was napoleon"),
        (said(("who was napoleon's wife", "French general")), "when was she born", "when was napoleon's wife born"),
        (said(("who is the king of spain", "")), "how old is he", "how old is the king of spain"),
        (
            said(("who wrote hamlet", "William Shakespeare"), ("when was hamlet written", "1600")),
            "what else did he write",
            "what else did William Shakespeare write",
        ),
        (
            said(("who designed the eiffel tower", "Gustave Eiffel")),
            "where was he from",
            "where was Gustave Eiffel from",
        ),
        (
            said(("who painted guernica", "Pablo Picasso")),
            "when did he paint it",
            "when did Pablo Picasso paint guernica",
        ),
        (said(("who won the battle of hastings", "William")), "when was it", "when was battle of hastings"),
        (said(("where do pandas live", "in China")), "what do they eat", "what do pandas eat"),
        (said(("how tall is mount everest", "8,848 m")), "and k2", "how tall is k2"),
        (said(("is a whale a fish", "no")), "and a dolphin", "is a dolphin a fish"),
        (
            said(("tell me about albert einstein", "Physicist"), ("was albert einstein married", "")),
            "where was he born",
            "where was albert einstein born",
        ),
    ],
)
def test_a_pronoun_stands_for_the_one_who_is_meant(history, question, whole):
    assert standalone_by_rule(question, history).rstrip("?") == whole


@pytest.mark.parametrize("rewritten", ["k2 how tall is mount everest?", "K2 is tall. [k2] How tall is mount everest?"])
def test_a_model_may_not_glue_the_last_question_to_the_next(rewritten):
    assert not is_usable_rewrite(rewritten, "and k2", said(("how tall is mount everest", "8,848 m")))
