"""Two documents that give different values: both are named, whoever writes the reply."""

from dataclasses import replace

import pytest

from lab.scripted.model import ScriptedModel
from searchain.events import fold
from searchain.question.document_head import About, DocumentQuestion
from searchain.types import Abilities, Outcome, RivalAnswer, Status, TaskKind
from tests.support.fakes import KnowingReader, Rating, WordRetriever, around
from tests.support.own_passages import document
from tests.support.question_head import head

OLD = document("old", "Rates, valid from 1 March 2023\n\nThe daily rate is 40 euros.", title="rates_2023")[0]
NEW = document("new", "Rates, valid from 1 March 2024\n\nThe daily rate is 45 euros.", title="rates_2024")[0]
QUESTION = "What is the daily rate?"
NAMED = "45 euros (rates_2024) [1], 40 euros (rates_2023) [2]."


class Sure(Rating):
    """Finds every reading likely that has no other one beside it."""

    def rated(self, query, hits, readings):
        likely = 0.9 if len(readings) == 1 else 0.3
        return [replace(one, probability=likely) for one in readings]


class AgreementHead:
    """Takes every question for one about whether documents agree on the daily rate."""

    encoder = None

    def about_documents(self, text):
        return DocumentQuestion(About.AGREE, "the daily rate")

    def expected_steps(self, text):
        return 0.0


def asked(*passages, question=QUESTION, head=None, reply=None, abilities=Abilities.TRAINED, rate=40):
    reply = reply or f"[Query 1]: {question}\n[Unsolved Query]\n"
    model = ScriptedModel(reply, reply, abilities=abilities)
    reader = KnowingReader({OLD.id: {"rate": (f"{rate} euros", 5.0)}, NEW.id: {"rate": ("45 euros", 5.1)}})
    parts = {"reader": reader, "probability": Sure(), "head": head, "documents": passages}
    chain = around(model, retriever=WordRetriever(passages), similarity=lambda one, other: 0.9, **parts)
    return fold(chain.stream(question))


def test_the_reply_names_every_value_with_its_source_the_newest_first():
    turn = asked(OLD, NEW)
    quotes = "The daily rate is 45 euros [1]. The daily rate is 40 euros [2]."
    assert turn.answer == f"Your documents differ: {NAMED} {quotes}"
    assert (turn.status, turn.outcome, turn.probability) == (Status.PARTIAL, Outcome.UNSURE, None)
    assert turn.conflict == (RivalAnswer("45 euros", (1,), "2024-03-01"), RivalAnswer("40 euros", (2,), "2023-03-01"))
    shown = [(node.answer, node.rule) for node in turn.nodes if node.on_path]
    assert shown == [("45 euros", "differs"), ("40 euros", "differs")]


@pytest.mark.parametrize("order", [1, -1])
def test_one_of_two_things_on_which_documents_differ_has_no_tick(order):
    lease = document("lease", "The deposit is 90 euros.", title="lease")[0]
    both = " and ".join(["how much is the daily rate", "how much is the deposit"][::order])
    turn = asked(OLD, NEW, lease, question=both, head=head())
    assert "45 euros" in turn.final_answer
    assert turn.outcome is Outcome.UNSURE
    assert turn.message == "what was found differs on “How much is the daily rate?”"


def test_what_agrees_is_no_conflict():
    turn = asked(replace(OLD, text=NEW.text), NEW, rate=45)
    assert turn.conflict == ()
    assert "differ" not in turn.answer


def test_documents_that_are_asked_whether_they_disagree_are_compared_also_about_the_name_of_one():
    turn = asked(OLD, NEW, head=AgreementHead())
    assert turn.standalone_question == QUESTION
    assert turn.answer.startswith(f"Your documents differ: {NAMED}")
    assert [one.answer for one in turn.conflict] == ["45 euros", "40 euros"]
    (named,) = document("guide", "The daily rate is what a day costs.", title="Daily rate")
    turn = asked(OLD, NEW, named, head=AgreementHead())
    assert turn.task is TaskKind.MULTIHOP
    assert [one.answer for one in turn.conflict] == ["45 euros", "40 euros"]


@pytest.mark.parametrize(
    ("documents", "answer"),
    [
        ((replace(OLD, text=NEW.text), NEW), "The documents that answer this agree: 45 euros (rates_20"),
        (
            (NEW,),
            "Only one document was found to answer this: 45 euros (rates_2024) [1]. The daily rate is 45 euros [1].",
        ),
    ],
)
def test_documents_that_do_not_differ_are_named_without_a_tick(documents, answer):
    turn = asked(*documents, head=AgreementHead(), rate=45)
    assert turn.answer.startswith(answer)
    assert (turn.outcome, turn.conflict, len(turn.sources)) == (Outcome.UNSURE, (), len(documents))


def test_a_capable_model_that_names_one_value_gets_the_line():
    steps = f"[Query 1]: {QUESTION}\n[Answer 1]: 40 euros\n"
    turn = asked(
        OLD,
        NEW,
        reply=f"{steps}[Answer]: 40 euros\n[Final Content]: The daily rate is 40 euros.",
        abilities=Abilities.CAPABLE,
    )
    assert turn.answer.startswith(f"Your documents differ: {NAMED}")
    assert turn.answer.count("The daily rate is 40 euros") == 2
    assert [one.answer for one in turn.conflict] == ["45 euros", "40 euros"]
    assert (turn.outcome, turn.final_answer) == (Outcome.UNSURE, "45 euros; 40 euros")


@pytest.mark.parametrize(("title", "answers"), [("Daily rate", []), ("Monthly rate", ["40 euros", "45 euros"])])
def test_of_two_articles_the_one_that_the_question_names_answers(title, answers):
    named, other = replace(OLD, place=None, title=title), replace(NEW, place=None, title="Hall")
    turn = asked(named, other, question="How high is the daily rate?")
    assert sorted(one.answer for one in turn.conflict) == answers
    assert turn.final_answer == "40 euros" or answers
