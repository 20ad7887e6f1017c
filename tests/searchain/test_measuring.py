"""A comparison by a measure needs no model where the articles of both things decide it."""

import pytest

from searchain.events import fold
from searchain.language.comparison import decide
from searchain.language.measured import plans
from searchain.llm.base import CAPABLE, SMALL, TRAINED
from searchain.types import Node, Outcome, Passage, Status
from tests.support.fakes import KnowingReader, WordRetriever, toy_searchain

DANUBE = Passage("danube", "Danube", "The Danube flows southeast for 2,850 km through Europe.")
RHINE = Passage("rhine", "Rhine", "The Rhine flows for 1,230 km to the North Sea.")
READER = KnowingReader({"danube": {"danube": ("2,850 km", 5.0)}, "rhine": {"rhine": ("1,230 km", 5.0)}})


def ask(question, *replies, reader=READER, abilities=SMALL):
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


def test_where_one_length_is_missing_or_the_model_compares_itself_the_model_plans():
    unknown = KnowingReader({"danube": {"danube": ("2,850 km", 5.0)}})
    question = "is the danube longer than the rhine"
    chain = "[Query 1]: How long is the Danube?\n[Unsolved Query]\n"
    assert ask(question, *[chain] * 5, reader=unknown)[1].calls
    assert ask(question, *[chain] * 5, abilities=CAPABLE)[1].calls


def test_which_of_two_is_hotter():
    venus = Passage("venus", "Venus", "Venus has a surface temperature of 737 K.")
    mercury = Passage("mercury", "Mercury", "Mercury has a surface temperature of 440 K.")
    reader = KnowingReader({"venus": {"venus": ("737 K", 5.0)}, "mercury": {"mercury": ("440 K", 5.0)}})
    chain = toy_searchain(reader=reader, retriever=WordRetriever((venus, mercury)), abilities=SMALL, passages=1)
    assert fold(chain.stream("is venus hotter than mercury")).final_answer == "yes"


def test_an_age_is_worked_out_from_two_years():
    born = Passage("mozart", "Mozart", "Mozart (1756–1791) was a composer.")
    reader = KnowingReader({"mozart": {"born": ("1756", 5.0), "die": ("1791", 5.0)}})
    chain = toy_searchain(reader=reader, retriever=WordRetriever((born,)), abilities=SMALL, passages=1)
    assert fold(chain.stream("how old was mozart when he died")).final_answer == "34 or 35"
    wife = [
        Node("a", None, 1, "When was Mozart's wife born?", answer="1762"),
        Node("b", "a", 1, "When did Mozart die?", answer="1791"),
    ]
    assert decide("how old was mozart when he died", wife) is None


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("does canada have more people than australia", "What is the population of canada?"),
        ("Which was founded later, Puma or Adidas?", "When was Puma founded?"),
        ("which is bigger the nile or the amazon", "How large is the nile?"),
        ("which has the smaller area oman or kazan", "What is the area of oman?"),
        ("which has the larger land area, oman or kazan?", "What is the area of oman?"),
        ("did mozart live longer than bach", None),
        ("who lived longer, mozart or bach", "When did mozart live?"),
        ("which is older, yale or harvard", "When was yale founded?"),
        ("is yale older than harvard", "When was yale born?"),
        ("which is the bigger ocean, the pacific or the atlantic", "How large is the pacific?"),
        ("is the amazon river longer than the nile", "How long is the amazon river?"),
        ("which came first, the french revolution or world war i", "When did the french revolution begin?"),
        ("Is iron a better conductor than copper?", None),
        ("Who wrote Hamlet or Macbeth?", None),
        ("Does Norway have a longer coastline than Chile?", None),
        ("Which has a higher population density, Monaco or Russia?", None),
        ("Is Canada larger than the United States or Brazil?", None),
        ("Is Germany's population larger than France's?", None),
        ("which lake is deeper baikal or tanganyika", "How deep is baikal?"),
        ("who is older kant or hegel", "When was kant born?"),
    ],
)
def test_which_comparisons_have_a_measure(question, asked):
    found = plans(question)
    assert (found[0][0] if found else None) == asked


RUSSIA = Passage(
    "russia",
    "Russia",
    "Short description: Country in Asia.\nRussia is a country. It is the largest country in the world.",
)
CANADA = Passage(
    "canada",
    "Canada",
    "Short description: Country in North America.\nCanada is wide, making it the second-largest country by total area.",
)
FRANCE = Passage("france", "France", "Short description: Country in Europe.\nFrance is a country of many cheeses.")


@pytest.mark.parametrize(
    ("question", "answer", "steps"),
    [
        ("which is bigger, russia or canada", "Russia", ["largest country in the world", "second-largest country"]),
        ("is canada larger than russia", "no", ["second-largest country", "largest country in the world"]),
        ("russia or france, which is smaller", "France", ["largest country in the world", "Country in Europe"]),
    ],
)
def test_places_in_one_order_decide_where_there_are_no_figures(question, answer, steps):
    retriever = WordRetriever((RUSSIA, CANADA, FRANCE))
    chain = toy_searchain(reader=KnowingReader({}), retriever=retriever, abilities=TRAINED, passages=3)
    chain.probability = Doubting(0.95)
    turn = fold(chain.stream(question))
    assert (turn.final_answer, chain.model.calls) == (answer, [])
    found = [node.answer for node in turn.nodes if node.on_path]
    assert all(answer.startswith(step) for answer, step in zip(found, steps, strict=True))


def test_the_larger_town_is_the_one_with_more_people_where_no_area_is_known():
    assert ("What is the population of lyon?", "What is the population of nice?") in plans(
        "which city is larger, lyon or nice"
    )
    assert all("population" not in one for one, _ in plans("which is larger, france or spain"))


class Doubting:
    """Finds every answer as likely right as it is told."""

    threshold = 0.9

    def __init__(self, probability):
        self.probability = probability

    def rated(self, query, hits, readings):
        return list(readings)

    def of_step(self, step, evidence, judgement):
        return self.probability if judgement.answer else None

    def of_reply(self, question, path, final_answer, direct=None):
        return self.probability


@pytest.mark.parametrize(("probability", "answer"), [(0.2, "2,850 km"), (0.1, "")])
def test_an_answer_that_is_as_good_as_wrong_is_not_given(probability, answer):
    plan = "[Query 1]: How long is the Danube?\n[Unsolved Query]\n"
    chain = toy_searchain(
        *[plan] * 5, reader=READER, retriever=WordRetriever((DANUBE, RHINE)), abilities=TRAINED, passages=1
    )
    chain.probability = Doubting(probability)
    turn = fold(chain.stream("How long is the Danube?"))
    assert turn.final_answer == answer
    if not answer:
        assert (turn.outcome, turn.status) == (Outcome.NOT_FOUND, Status.NOT_FOUND)
        assert turn.answer == "I found no answer. The nearest passage is “Danube” [1]."
        assert turn.message == "no passage is likely to answer it"
        assert turn.sources[0].passage is DANUBE
