"""Follow-ups made standalone, and a model's rewriting of them."""

import json
from pathlib import Path

import pytest

from lab.benchmarks.follow_ups import rewritten
from searchain.question.follow_ups import is_usable_rewrite, leans, standalone
from searchain.types import Exchange

OWN = Path(__file__).parents[2] / "data" / "follow_ups.jsonl"


def said(*turns):
    return [Exchange(asked, f"{answer} [1].", answer) for asked, answer in turns]


MALI = said(("What is the capital of Mali?", "Bamako"))
PEAK = said(("What's the highest mountain in South America?", "Aconcagua"))
JAWS = said(("When was 'Jaws' released?", "1975"))
EMMA = said(("Who wrote Emma?", "Jane Austen"))
LAKE = said(("what is the largest lake in the world", "Caspian Sea"))
TITANIC = said(("when did the titanic sink", "15 April 1912"))
HAMLET = said(("who wrote hamlet", "William Shakespeare"), ("when was hamlet written", "1600"))
JUPITER = said(("what is jupiter", "Fifth planet"), ("how far is jupiter from the sun", "5.2 AU"))
CANAL = said(("What is the Suez Canal?", "Waterway in Egypt"), ("Which seas does the Suez Canal connect?", "Red Sea"))
FLEMING = said(
    ("Who discovered penicillin?", "Alexander Fleming"), ("which country was Alexander Fleming from", "Scotland")
)
ALIKE = {("saturn", "jupiter"): 0.7, ("germany", "france"): 0.7, ("sweden", "Mali"): 0.7}


def alike(one, other):
    return ALIKE.get((one, other.removeprefix("the ")), 0.1)


@pytest.mark.parametrize(
    ("history", "question", "whole"),
    [
        (MALI, "And Chad?", "What is the capital of Chad?"),
        (MALI, "How old is it?", "How old is Bamako?"),
        (PEAK, "which country is it in?", "which country is Aconcagua in?"),
        (JAWS, "Who directed it?", "Who directed Jaws?"),
        (MALI, "What do people speak there?", "What do people speak in Bamako?"),
        (MALI, "Who was its first mayor?", "Who was Bamako's first mayor?"),
        (MALI, "more", "summarise Bamako"),
        (EMMA, "When was she born?", "When was Jane Austen born?"),
        (EMMA, "When did she write it?", "When did Jane Austen write Emma?"),
        (EMMA, "And the plot?", "What is the plot of Emma?"),
        (LAKE, "in asia?", "what is the largest lake in asia?"),
        (TITANIC, "where", "where did the titanic sink?"),
        (TITANIC, "and the lusitania", "when did the lusitania sink?"),
        (TITANIC, "who built it", "who built the titanic"),
        (said(("who founded islam", "Muhammad")), "when did that religion begin", "when did islam begin"),
        (said(("what is mount fuji", "Volcano in Japan")), "how high", "how high is mount fuji?"),
        (said(("where is mount fuji", "Honshu")), "how high is it", "how high is mount fuji"),
        (said(("can penguins fly", "no")), "why?", "why can penguins fly?"),
        (said(("who won the battle of hastings", "William")), "when was it", "when was the battle of hastings"),
        (
            said(("how many people lived in Kyoto in 1980", "1,473,000")),
            "and in 1990?",
            "how many people lived in Kyoto in 1990?",
        ),
        (
            said(("Who were the Beatles?", "English rock band")),
            "Where was the band formed?",
            "Where was the Beatles formed?",
        ),
        (HAMLET, "what else did he write", "what else did William Shakespeare write"),
        (JUPITER, "and saturn?", "how far is saturn from the sun?"),
        (CANAL, "How long is it?", "How long is the Suez Canal?"),
        (FLEMING, "what is its capital", "what is Scotland's capital"),
        ([], "When was it founded?", None),
        (MALI, "What is osmosis?", None),
        (MALI, "thanks", None),
        (MALI, "How old was Mozart when he died?", None),
        (MALI, "What time is it?", None),
        (MALI, "what do they speak in brazil", None),
        (MALI, "How do I share this?", None),
        (MALI, "What is the difference between them?", None),
        (TITANIC, "how many people died", None),
        (said(("I saw a film. It was long.", "")), "When was it made?", None),
    ],
)
def test_a_follow_up_becomes_a_question_of_its_own_and_anything_else_stays(history, question, whole):
    assert standalone(question, history, alike) == (whole or question)


def test_follow_ups_over_own_documents():
    """At least 16 of 20 keep what the look-up needs."""
    rows = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]
    written = [standalone(row["question"], said((row["asked"], row["answer"]))) for row in rows]
    useful = [
        made
        for row, made in zip(rows, written, strict=True)
        if made != row["question"] and all(name in made for name in row["needs"])
    ]
    assert len(rows) == 20
    assert len(useful) >= 16


def test_no_fewer_follow_ups_are_completed_than_were():
    least = {"training follow-ups": 77, "written follow-ups": 84, "stands alone": 57}
    assert all(right >= least[name] for name, right, _ in rewritten(None))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was it founded?", True),
        ("And in 1990?", True),
        ("Sweden?", True),
        ("how many people died", True),
        ("When was Nintendo founded?", False),
        ("what do they speak in Brazil", False),
    ],
)
def test_what_a_model_is_asked_to_rewrite(question, expected):
    assert leans(question, MALI) is expected
    assert not leans(question, [])


MARIO = [Exchange("Which company makes Mario?", "Nintendo makes Mario [1].", "Nintendo")]


SUNK = [Exchange("when did the titanic sink", "It sank on 15 April 1912 [3].", "15 April 1912")]


@pytest.mark.parametrize(
    ("rewritten", "question", "history", "expected"),
    [
        ("When was Nintendo founded?", "When was it founded?", MARIO, True),
        ("", "When was it founded?", MARIO, False),
        ("Nintendo\nfounded", "When was it founded?", MARIO, False),
        ("how old is nintendo", "When was it founded?", MARIO, True),
        ("When was Sony established?", "When was it founded?", MARIO, False),
        ("Nintendo was established in Kyoto", "When was it founded?", MARIO, False),
        ("When was Nintendo founded? In a small workshop.", "When was it founded?", MARIO, False),
        ("Was Nintendo established in 1889?", "When was it founded?", MARIO, False),
        ("Where do pandas live?", "When was it founded?", MARIO, False),
        ("When was Nintendo " + "and by whom and for which good reason " * 6 + "set up?", "When was it?", MARIO, False),
        ("Is Nintendo the older company?", "Is it older than Sony?", MARIO, False),
        ("Did Nintendo exist long ago?", "Was it there in 1900?", MARIO, False),
        ("Who are two founders of Nintendo?", "Name two of its makers", MARIO, True),
        ("On what date did the Lusitania go down?", "and the lusitania?", SUNK, True),
        ("Which 3 ships sank with the titanic?", "what else sank", SUNK, False),
    ],
)
def test_a_models_rewrite_keeps_names_and_numbers(rewritten, question, history, expected):
    assert is_usable_rewrite(rewritten, question, history) is expected
