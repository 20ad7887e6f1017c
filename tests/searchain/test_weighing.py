"""Evidence first: the question itself is looked up while the model plans, and weighed against the end of the chain."""

from dataclasses import replace

import pytest

from lab.scripted.model import ScriptedModel
from searchain.events import CandidatesWeighed, fold
from searchain.settings import Settings
from searchain.types import Abilities, Opinion, Outcome, Status
from tests.support.fakes import CITY, CORPUS, ISLAND, QUESTION, Rating, WordRetriever, around, chain_text
from tests.support.own_passages import document

ISLAND_OF_KYOTO = "[Query 1]: On which island is Kyoto?\n[Answer 1]: Honshu\n"


class RatingReadings(Rating):
    """Rates what is read in answer to each of the given queries; a chain is as likely right as its least likely step."""

    def __init__(self, known, threshold=0.9):
        self.known, self.threshold = known, threshold

    def rated(self, query, hits, readings):
        likely = self.known.get(query, 0.3)
        return [replace(reading, probability=likely) if reading.answer else reading for reading in readings]

    def of_step(self, step, evidence, judgement):
        return evidence.reading.probability if evidence.reading and judgement.answer else None


UNSURE = Abilities.SMALL
"""Of a model whose chain is weighed."""


def run(question, rating, *replies, delay=0.0, profile="default", abilities=UNSURE, **settings):
    model = ScriptedModel(*(replies or [ISLAND_OF_KYOTO]), delay=delay, abilities=abilities)
    retriever = WordRetriever()
    named = {"without": "program_may_answer"} | settings
    searchain = around(model, retriever=retriever, probability=rating, profile=profile, reply="template", **named)
    events = list(searchain.stream(question))
    return fold(events), events, retriever


def path(turn):
    return [node.query for node in turn.nodes if node.on_path]


def test_a_sure_answer_to_the_question_itself_needs_no_plan():
    turn, _, _ = run(CITY, RatingReadings({CITY: 0.95}), chain_text((ISLAND, "Honshu")), delay=0.2)
    assert (turn.final_answer, turn.outcome, turn.status) == ("Kyoto", Outcome.SUPPORTED, Status.ANSWERED)
    assert (turn.probability, path(turn)) == (0.95, [CITY])


def test_an_ablation_plans_without_looking_up_the_question():
    plan = chain_text(("In which city is Sega based?", "Tokyo"))
    turn, events, _ = run(
        CITY, RatingReadings({CITY: 0.95}), plan, without="looks_up_question, decides_by_question, program_may_answer"
    )
    assert (path(turn), turn.candidates) == (["In which city is Sega based?"], ())
    assert events[0].settings["without"].startswith("looks_up_question, decides_by_question")
    assert "without" not in Settings.of().as_dict()


def test_the_end_of_the_chain_wins_where_it_is_more_likely_right():
    plan = chain_text((CITY, "Kyoto"), (ISLAND, "Honshu"))
    turn, events, _ = run(QUESTION, RatingReadings({QUESTION: 0.2, CITY: 0.8, ISLAND: 0.7}), plan)
    assert (turn.final_answer, turn.probability) == ("Honshu", 0.7)
    assert (turn.outcome, turn.status) == (Outcome.UNSURE, Status.PARTIAL)
    assert path(turn) == [CITY, ISLAND]
    (weighed,) = [event for event in events if isinstance(event, CandidatesWeighed)]
    found = [(one.origin, one.answer, one.probability) for one in weighed.candidates]
    assert found == [("question", "Honshu", 0.2), ("chain", "Honshu", 0.7)]
    assert weighed.chosen == 1


def test_what_the_question_itself_found_does_not_displace_a_capable_models_own_answer():
    plan = chain_text(("In which city is Sega based?", "Tokyo"))
    rating = RatingReadings({CITY: 0.6, "In which city is Sega based?": 0.5})
    turn, _, _ = run(CITY, rating, plan, abilities=Abilities.CAPABLE)
    assert (turn.final_answer, turn.candidates) == ("Tokyo", ())
    left_open = chain_text(("In which city is Sega based?", None))
    turn, _, _ = run(CITY, rating, left_open, left_open, abilities=Abilities.CAPABLE)
    assert turn.final_answer == "Kyoto"


def test_an_unlikely_reading_answers_nothing():
    plan = chain_text(("What does Sega make?", None))
    turn, _, _ = run("What does Sega make?", RatingReadings({"What does Sega make?": 0.01}), plan, max_rounds=1)
    assert (turn.final_answer, turn.outcome, turn.status) == ("", Outcome.NOT_FOUND, Status.NOT_FOUND)
    assert turn.probability is None


@pytest.mark.parametrize("settings", [{"profile": "paper"}, {"use_completion": False}])
def test_nothing_is_weighed_where_completion_is_off_or_the_paper_is_followed(settings):
    turn, events, retriever = run(QUESTION, RatingReadings({}), chain_text((CITY, "Kyoto")), **settings)
    assert not [event for event in events if isinstance(event, CandidatesWeighed)]
    assert QUESTION not in retriever.queries
    assert turn.candidates == ()


def test_a_stop_on_the_way_is_no_answer():
    plan = chain_text((CITY, "Kyoto"), (ISLAND, "Honshu"))
    question = "Who governs the region of the city in which Nintendo has its headquarters?"
    turn, _, _ = run(question, RatingReadings({question: 0.97, CITY: 0.6, ISLAND: 0.5}), plan)
    assert (turn.final_answer, turn.candidates) == ("Honshu", ())


def test_a_step_in_other_words_is_weighed_against_the_question():
    asked = "In which city has Nintendo its headquarters?"
    turn, _, _ = run(CITY, RatingReadings({CITY: 0.8, asked: 0.5}), chain_text((asked, "Kyoto")))
    assert [(one.origin, one.probability) for one in turn.candidates] == [("question", 0.8), ("chain", 0.5)]
    assert (path(turn), turn.probability) == ([CITY], 0.8)


class OneLookUp:
    """Finds that every question needs one look-up, with the given doubt."""

    def __init__(self, expected):
        self.expected = expected

    def kind_of_talk(self, text, only=()):
        return None

    def expected_steps(self, question):
        return self.expected

    def asks_yes_no(self, question):
        return False

    def parts(self, question):
        return ()

    def bare(self, question):
        return question


@pytest.mark.parametrize(("expected", "likely", "calls"), [(0.1, 0.4, 0), (0.1, 0.1, 1), (0.6, 0.4, 1)])
def test_no_plan_is_made_where_one_look_up_is_likely_all_and_found_something(expected, likely, calls):
    model = ScriptedModel(*[chain_text((ISLAND, None))] * 5, abilities=UNSURE)
    chain = around(model, reply="template", probability=RatingReadings({CITY: likely}), head=OneLookUp(expected))
    turn = fold(chain.stream(CITY))
    assert min(1, turn.usage.llm_calls) == calls
    if not calls:
        assert (turn.final_answer, turn.probability, path(turn)) == ("Kyoto", likely, [CITY])


class Open:
    """Finds that no passage says yes or no."""

    def judge(self, claim, passages):
        return [Opinion(0.05, 0.05, 0.9)] * len(passages)


def test_a_yes_no_question_to_own_documents_alone_is_not_planned():
    for passages, calls in ((document("terms", "Guide dogs are welcome."), 0), (CORPUS, 1)):
        model = ScriptedModel(*[chain_text((ISLAND, None))] * 5, abilities=UNSURE)
        parts = {"retriever": WordRetriever(passages), "probability": RatingReadings({}), "stance": Open()}
        turn = fold(around(model, reply="template", head=OneLookUp(0.6), **parts).stream("Can I bring a cat?"))
        assert min(1, turn.usage.llm_calls) == calls
