"""Replies of their own kind: a definition, two things side by side, a whole enumeration. No model is asked for them."""

import time

import pytest

from lab.scripted.model import ScriptedModel
from searchain.errors import ReaderError
from searchain.events import fold
from searchain.types import Abilities, Exchange, Opinion, Outcome, Passage, Reading, Span, Status, TaskKind, Verdict
from tests.support.fakes import KnowingReader, Rating, WordRetriever, around, article, chain_text
from tests.support.question_head import head

NILE = article("Nile", "River in Africa", "The Nile is a river in Africa. It is 6,650 km long. Its delta feeds Egypt.")
AMAZON = article(
    "Amazon River",
    "River in South America",
    "The Amazon River is a river in South America. It is 6,400 km long and wide. Rain falls there. It has dolphins.",
)
METAL = article("Mercury (element)", "Chemical element", "Mercury is a chemical element. It is liquid.")
PLANET = article("Mercury (planet)", "First planet from the Sun", "Mercury is the first planet from the Sun.")
SWISS = article(
    "Switzerland",
    "Country in Europe",
    "Switzerland lies in Central, Western, and Southern Europe. It borders Italy to the south, France to the west, "
    "Germany to the north, and Austria and Liechtenstein to the east.",
)
CORPUS = (NILE, AMAZON, METAL, PLANET, SWISS)


def alike(one, other):
    both = [set(text.lower().strip(".").split()) for text in (one, other)]
    return len(both[0] & both[1]) / max(1, len(both[0] | both[1]))


def run(question, *replies, abilities=Abilities.CAPABLE, corpus=CORPUS, reader=None, rating=None, **settings):
    model = ScriptedModel(*replies, abilities=abilities)
    parts = {"reader": reader or KnowingReader({}), "probability": rating or Rating(), "similarity": alike}
    searchain = around(model, retriever=WordRetriever(corpus), reply="template", **parts, **settings)
    return fold(searchain.stream(question))


def told(turn):
    """The sentences with the titles of what they cite."""
    return [(one.text, [turn.source(number).passage.title for number in one.citations]) for one in turn.sentences]


@pytest.mark.parametrize("question", ["what is the nile", "Tell me about the Nile.", "define Nile"])
def test_a_definition_is_the_description_and_the_first_sentences(question):
    turn = run(question)
    assert (turn.task, turn.final_answer) == (TaskKind.DEFINE, "River in Africa")
    assert (turn.outcome, turn.status, turn.probability) == (Outcome.SUPPORTED, Status.ANSWERED, 0.95)
    assert turn.answer == "River in Africa [1]. The Nile is a river in Africa [2]. It is 6,650 km long [3]."
    assert {source.passage.title for source in turn.sources} == {"Nile"}
    assert [source.span.end - source.span.start for source in turn.sources] == [15, 30, 20]
    assert turn.usage.llm_calls == 0


def test_a_definition_of_two_namesakes_is_not_sure_and_names_the_other():
    turn = run("what is mercury")
    assert (turn.outcome, turn.probability) == (Outcome.QUOTED, None)
    assert turn.sentences[-1].text == "Of the same name is “Mercury (planet)”."


def test_a_name_without_an_article_is_not_found():
    turn = run("tell me about Zorblax Quux")
    assert (turn.task, turn.outcome, turn.final_answer) == (TaskKind.DEFINE, Outcome.NOT_FOUND, "")
    assert turn.answer.startswith("No article is called “Zorblax Quux”. The nearest are ")
    assert turn.hits


@pytest.mark.parametrize(
    "question", ["what is the capital of Egypt", "who is the captain of the Nile", "what does Nile mean"]
)
def test_what_is_no_title_goes_the_usual_way(question):
    turn = run(question, f"[Query 1]: {question}\n[Answer 1]: Cairo\n", max_rounds=1)
    assert turn.task is TaskKind.MULTIHOP
    assert turn.usage.llm_calls > 0


def test_two_things_stand_side_by_side():
    turn = run("Compare the Nile and the Amazon River.")
    assert (turn.task, turn.status, turn.outcome) == (TaskKind.COMPARE, Status.ANSWERED, Outcome.QUOTED)
    assert turn.final_answer == "Nile: River in Africa; Amazon River: River in South America"
    one, other = turn.answer.split("\n\n")
    assert one.startswith("Nile: River in Africa [1]. The Nile is a river in Africa [2]. It is 6,650 km long [3].")
    assert other.startswith("Amazon River: River in South America")
    assert "It is 6,400 km long and wide" in other
    cited = [titles for _, titles in told(turn)]
    assert all(cited)
    half = cited.index(["Amazon River"])
    assert cited == [["Nile"]] * half + [["Amazon River"]] * (len(cited) - half)
    assert [node.verdict for node in turn.nodes] == [Verdict.COMPLETED, Verdict.COMPLETED]


class Neighbour(KnowingReader):
    """Reads one of several."""

    def read(self, query, passages):
        places = [(passage, passage.text.find("Germany")) for passage in passages]
        return [
            Reading("Germany", Span(at, at + 7), 2.0, probability=0.6) if at >= 0 else Reading("", None, -5.0)
            for _, at in places
        ]


def test_a_list_is_the_whole_enumeration():
    turn = run("Which countries border Switzerland?", task=TaskKind.LIST, reader=Neighbour())
    assert turn.final_answer == "Italy, France, Germany, and Austria and Liechtenstein"
    assert turn.sources[0].passage.text[slice(turn.sources[0].span.start, turn.sources[0].span.end)].startswith("Italy")
    assert "It borders Italy to the south" in turn.answer
    assert turn.outcome is Outcome.UNSURE


FLAT = Passage("flat", "Flat", "The rent is 900 euros. The rent is due on Fridays. The flat has a cellar.")
READ = {"flat": {"much is the rent": ("900 euros", 5.0), "due": ("on Fridays", 6.0)}}


def of_flat(question, known=READ, reader=None, **settings):
    reader = reader or KnowingReader(known)
    return run(question, corpus=(FLAT,), reader=reader, abilities=Abilities.TRAINED, head=head(), **settings)


def test_a_question_for_two_things_gets_both_answers_without_a_plan_or_names_what_is_open():
    turn = of_flat("How much is the rent and when is it due?")
    assert [node.query for node in turn.nodes] == ["How much is the rent?", "When is the rent due?"]
    assert turn.answer == ("900 euros; on Fridays [1][2]. The rent is 900 euros [1]. The rent is due on Fridays [2].")
    assert (turn.outcome, turn.probability) == (Outcome.SUPPORTED, pytest.approx(0.95**2))
    assert turn.usage.llm_calls == 0
    turn = of_flat("How much is the rent and when was the flat built?")
    assert turn.answer.startswith("900 euros [1]. The rent is 900 euros [1]. No passage answers “When was the flat")
    assert turn.outcome is Outcome.UNSURE


class Doubting(Rating):
    """Finds answers without a confident reading unlikely."""

    def of_step(self, step, evidence, judgement):
        known = super().of_step(step, evidence, judgement)
        return 0.2 if known == 0.4 else known


class Breaking(KnowingReader):
    """Breaks at the second question."""

    def read(self, query, passages):
        if "due" in query:
            raise ReaderError("the Reader broke")
        return super().read(query, passages)


def test_half_an_answer_has_no_tick_where_the_other_half_could_not_be_looked_up():
    turn = of_flat("How much is the rent and when is it due?", reader=Breaking(READ))
    assert (turn.final_answer, turn.outcome) == ("900 euros", Outcome.UNSURE)
    assert "not all that the question asks for was looked up" in turn.message


class Slow(KnowingReader):
    """Is slow at the second question."""

    def read(self, query, passages):
        time.sleep(1.6 if "due" in query else 0.0)
        return super().read(query, passages)


def test_half_an_answer_has_no_tick_where_the_time_ran_out():
    turn = of_flat("How much is the rent and when is it due?", reader=Slow(READ), max_seconds=1)
    assert (turn.final_answer, turn.outcome) == ("900 euros", Outcome.UNSURE)


def test_a_chain_that_a_capable_model_plans_is_not_joined():
    asked = ("How much is the rent?", "900 euros"), ("When is the rent due?", "on Fridays")
    settings = {"corpus": (FLAT,), "reader": KnowingReader(READ), "head": head(), "first_call": "plan"}
    turn = run("How much is the rent and when is it due?", chain_text(*asked), **settings)
    assert turn.final_answer == "on Fridays"


def test_unlikely_answers_of_parts_are_left_open_and_two_are_none():
    unlikely = {"flat": {"much is the rent": ("900 euros", -1.0), "colour": ("cellar", -1.0)}}
    question = "How much is the rent and what colour is the flat?"
    turn = of_flat(question, unlikely, rating=Doubting(), theta=-5.0)
    assert (turn.final_answer, turn.outcome) == ("", Outcome.NOT_FOUND)
    unlikely = {"flat": {**READ["flat"], "colour": ("cellar", -1.0)}}
    question = "How much is the rent and what colour is the flat?"
    turn = of_flat(question, unlikely, rating=Doubting(), theta=-5.0)
    assert turn.final_answer == "900 euros"
    assert "No passage answers “What colour is the flat?”" in turn.answer
    assert (turn.outcome, turn.probability) == (Outcome.UNSURE, 0.95)


def test_a_chosen_kind_of_question_is_parted_and_an_ablation_plans():
    question = "How much is the rent and when is it due?"
    assert of_flat(question, task=TaskKind.MULTIHOP).final_answer == "900 euros; on Fridays"
    planned = run(question, *["[Query 1]: How?"] * 9, abilities=Abilities.TRAINED, head=head(), use_completion=False)
    assert planned.usage.llm_calls


def test_a_pronoun_in_a_later_part_means_the_answer_of_the_first():
    book = Passage("book", "The Trial", "The Trial is by Franz Kafka. It is a novel.")
    writer = Passage("writer", "Franz Kafka", "Franz Kafka lived in Prague.")
    known = {"book": {"wrote the trial": ("Franz Kafka", 5.0)}, "writer": {"did franz kafka": ("Prague", 5.0)}}
    parts = {"reader": KnowingReader(known), "abilities": Abilities.TRAINED, "head": head()}
    turn = run("Who wrote The Trial and where did he live?", corpus=(book, writer), **parts)
    assert [node.query for node in turn.nodes] == ["Who wrote The Trial?", "Where did Franz Kafka live?"]
    assert turn.final_answer == "Franz Kafka; Prague"


def test_a_follow_up_means_one_of_two_answers():
    said = Exchange("Who wrote The Trial and where did he live?", "Franz Kafka; Prague [1][2].", "Franz Kafka; Prague")
    chain = around(ScriptedModel(*["[Answer]: Kierling"] * 9), head=head())
    turn = fold(chain.stream("Where did he die?", history=[said]))
    assert turn.standalone_question == "Where did Franz Kafka die?"


def test_yes_or_no_is_one_of_two_answers():
    turn = of_flat("How much is the rent and is there a cellar?", stance=Yes())
    assert (turn.task, turn.final_answer) == (TaskKind.MULTIHOP, "900 euros; yes")


class Yes:
    """Finds that every passage says yes."""

    def judge(self, claim, passages):
        return [Opinion(0.98, 0.01, 0.01)] * len(passages)
