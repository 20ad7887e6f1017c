"""A comparison by a measure needs no model where the articles of both things decide it."""

import pytest

from searchain.events import fold
from searchain.types import Abilities, Outcome, Passage, Status
from tests.support.fakes import KnowingReader, Rating, WordRetriever, toy_searchain

DANUBE = Passage("danube", "Danube", "The Danube flows southeast for 2,850 km through Europe.")
RHINE = Passage("rhine", "Rhine", "The Rhine flows for 1,230 km to the North Sea.")
READER = KnowingReader({"danube": {"danube": ("2,850 km", 5.0)}, "rhine": {"rhine": ("1,230 km", 5.0)}})


def ask(question, *replies, reader=READER, abilities=Abilities.SMALL):
    chain = toy_searchain(
        *replies, reader=reader, retriever=WordRetriever((DANUBE, RHINE)), abilities=abilities, passages=1
    )
    return fold(chain.stream(question)), chain.model


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("is the danube longer than the rhine", "yes"),
        ("Is the Rhine longer than the Danube?", "no"),
        ("which is longer, the Danube or the Rhine?", "Danube"),
    ],
)
def test_two_articles_decide_without_the_model(question, answer):
    turn, model = ask(question)
    assert (turn.final_answer, turn.usage.llm_calls, model.calls) == (answer, 0, [])
    assert [node.answer for node in turn.nodes if node.on_path] in (["2,850 km", "1,230 km"], ["1,230 km", "2,850 km"])
    assert {source.passage.id for source in turn.sources} == {"danube", "rhine"}


@pytest.mark.parametrize(("probability", "answer"), [(0.2, "2,850 km"), (0.1, "")])
def test_an_answer_that_is_as_good_as_wrong_is_not_given(probability, answer):
    plan = "[Query 1]: How long is the Danube?\n[Unsolved Query]\n"
    chain = toy_searchain(
        *[plan] * 5, reader=READER, retriever=WordRetriever((DANUBE, RHINE)), abilities=Abilities.TRAINED, passages=1
    )
    chain.probability = Rating(probability)
    turn = fold(chain.stream("How long is the Danube?"))
    assert turn.final_answer == answer
    if not answer:
        assert (turn.outcome, turn.status) == (Outcome.NOT_FOUND, Status.NOT_FOUND)
        assert turn.answer == "I found no answer. The nearest passage is “Danube” [1]."
        assert turn.message == "no passage is likely to answer it"
        assert turn.sources[0].passage is DANUBE
