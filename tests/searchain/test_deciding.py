"""What a run decides with the stance model, with parallel steps, and with the question itself."""

import re

import pytest

from lab.scripted.model import ScriptedModel
from searchain.events import RunFinished, fold
from searchain.types import Abilities, Opinion, Outcome, Passage, Status, Support, TaskKind, Verdict
from tests.searchain.test_pipeline import check_contract
from tests.support.fakes import CITY, ISLAND, KYOTO, NINTENDO, KnowingReader, WordRetriever, around
from tests.support.fakes import chain_text as chain
from tests.support.question_head import head

CHAINS = chain((CITY, None)), chain((CITY, "Kyoto"))


class Judge:
    """A stance by what a passage says: for, against, or nothing."""

    def __init__(self, supporting: str = "", refuting: str = "") -> None:
        self._supporting, self._refuting = supporting, refuting
        self.asked: list[str] = []

    def judge(self, statement, passages):
        self.asked.append(statement)
        return [
            Opinion(0.9, 0.05, 0.05) if self._supporting and self._supporting in passage.text
            else Opinion(0.04, 0.95, 0.01) if self._refuting and self._refuting in passage.text
            else Opinion(0.2, 0.1, 0.7)
            for passage in passages
        ]  # fmt: skip


def run(*replies, question, abilities=Abilities.CAPABLE, **named):
    searchain = around(ScriptedModel(*replies, abilities=abilities), **{"first_call": "plan"} | named)
    events = list(searchain.stream(question))
    assert isinstance(events[-1], RunFinished)
    turn = fold(events)
    check_contract(turn)
    return turn


@pytest.mark.parametrize(
    ("judge", "answer", "reply", "verdict"),
    [
        (Judge(supporting="Kyoto"), "SUPPORTS", "The claim is supported [1].", Verdict.COMPLETED),
        (Judge(refuting="Kyoto"), "REFUTES", "The claim is refuted [1].", Verdict.COMPLETED),
        (Judge(), "", "I found no answer.", Verdict.UNCONFIRMED),
    ],
)
def test_a_claim_is_put_to_the_passages(judge, answer, reply, verdict):
    claim = "Nintendo has its headquarters in Osaka."
    turn = run(*CHAINS, question=claim, stance=judge, reply="template")
    assert (turn.task, turn.nodes[-1].query, turn.nodes[-1].verdict) == (TaskKind.FACTCHECK, claim, verdict)
    assert turn.final_answer == answer
    assert turn.answer.startswith(reply)
    assert judge.asked == [claim]  # the step that asks for a city is not put to it


def test_a_yes_no_question_that_a_passage_decides_is_answered_so():
    question = "Does Nintendo have its headquarters in Kyoto?"
    turn = run(*CHAINS, question=question, stance=Judge(supporting="Kyoto"), reply="template")
    assert (turn.final_answer, turn.status) == ("yes", Status.ANSWERED)
    assert turn.sentences[0].support is Support.SUPPORTED
    undecided = run(*CHAINS, question=question, stance=Judge(), reply="template")
    assert [node.query for node in undecided.nodes if node.on_path] == [CITY]  # no step is added that decides nothing


def test_a_yes_no_question_is_put_to_the_passages_in_any_form():
    question = "my son wants to see Nintendo, can he visit the headquarters in Kyoto"
    judge = Judge(supporting="Kyoto")
    without = run(*CHAINS, question=question, stance=judge, reply="template")
    assert (without.task, without.final_answer, judge.asked) == (TaskKind.MULTIHOP, "Kyoto", [])
    turn = run(*CHAINS, question=question, stance=judge, head=head(), reply="template")
    # the article is about other words, so that it does not decide
    assert (turn.task, turn.final_answer, judge.asked) == (TaskKind.YESNO, "", [question])


def test_a_small_model_is_corrected_where_a_passage_says_the_opposite_and_the_label_of_a_capable_one_is_disputed():
    question = "Does Nintendo have its headquarters in Osaka?"

    def asked(abilities):
        replies = chain((question, "yes")), chain((question, "no"))
        turn = run(*replies, question=question, stance=Judge(refuting="Kyoto"), abilities=abilities, reply="template")
        path = [(node.answer, node.verdict, node.rule) for node in turn.nodes if node.on_path]
        return path, turn.final_answer, turn.round, turn.outcome, turn.answer

    path, final, rounds, _, _ = asked(Abilities.SMALL)
    assert (path, final, rounds) == ([("no", Verdict.CORRECTED, "stance")], "no", 2)
    path, final, rounds, outcome, reply = asked(Abilities.CAPABLE)
    assert (path, final, rounds) == ([("yes", Verdict.DISPUTED, "stance")], "yes", 1)
    assert outcome is Outcome.UNSURE
    assert reply == f"Yes [1]. The model answers “yes”; the passage says “{NINTENDO.text.rstrip('.')}” [1]."


def test_the_label_of_a_capable_models_reply_stands_against_the_passages():
    claim = "Nintendo has its headquarters in Osaka."
    cited = re.compile(r"\(key (k\d+)\)")

    def written(messages):
        keys = cited.findall(messages[-1].content)
        return f"[Answer]: SUPPORTS\n[Final Content]: Nintendo has its headquarters in Kyoto [{keys[0]}]."

    turn = run(chain((CITY, "Kyoto")), written, question=claim, stance=Judge(refuting="Kyoto"))
    assert (turn.final_answer, turn.outcome) == ("SUPPORTS", Outcome.UNSURE)
    assert turn.sentences[-1].text.startswith(f"The model answers “SUPPORTS” to “{claim}”; the passage says")
    assert turn.sentences[-1].support is Support.OWN
    assert "disagree on the step" in turn.message


def test_a_chain_without_an_answer_ends_with_the_question_itself():
    lost = chain(("Who is the mayor of Atlantis?", None))
    turn = run(lost, lost, question=CITY, reply="template", floor=0.5)
    path = [(node.query, node.answer) for node in turn.nodes if node.on_path]
    assert path == [("Who is the mayor of Atlantis?", None), (CITY, "Kyoto")]
    assert turn.final_answer == "Kyoto"


NAMED = "In the city where Nintendo has its headquarters lies a castle. On which island?"


@pytest.mark.parametrize(
    ("island", "whole", "answer"),
    [
        (0.5, ("Kyoto", 5.0), "Honshu"),  # what the question finds is a stop on the way
        (0.5, ("Japan", 5.0), "Honshu"),  # the chain has an answer
        (5.0, ("Japan", 6.0), "Honshu"),  # the chain is sure enough
        (0.5, ("headquartered", 5.0), "Honshu"),  # no island
    ],
)
def test_the_question_itself_replaces_no_answer_of_the_chain(island, whole, answer):
    reader = KnowingReader(
        {"kyoto": {ISLAND: ("Honshu", island)}, "nintendo": {CITY: ("Kyoto", 5.0)}, "whole": {NAMED: whole}}
    )
    found = Passage("whole", "castle", "Nintendo is headquartered in a castle in Kyoto, Japan.")
    model = ScriptedModel(
        chain((CITY, None), (ISLAND, None)), chain((CITY, "Kyoto"), (ISLAND, None)), chain((ISLAND, "Honshu"))
    )
    searchain = around(
        model, retriever=WordRetriever((NINTENDO, KYOTO, found)), reader=reader, probability=None, theta=1.0,
        reply="template",
    )  # fmt: skip
    assert fold(searchain.stream(NAMED)).final_answer == answer


def test_a_claim_that_compares_is_decided_by_its_steps():
    older, younger = ("When was Nintendo founded?", "1889"), ("When was Kyoto founded?", "1603")
    replies = (chain(older, younger), "[Answer]: yes\n[Final Content]: Nintendo was founded in 1889.")
    turn = run(
        *replies, question="Kyoto is older than Nintendo.", abilities=Abilities.TRAINED, stance=Judge(refuting="Kyoto"),
        theta=100.0,
    )  # fmt: skip
    assert turn.final_answer == "SUPPORTS"
    assert [node.query for node in turn.nodes if node.on_path] == [older[0], younger[0]]
    assert turn.answer.startswith("The claim is supported")


@pytest.mark.parametrize(("margin", "answer"), [(0.3, "SUPPORTS"), (-0.3, "REFUTES"), (0.05, "")])
def test_a_claim_that_nothing_decides_gets_the_side_to_which_the_passages_lean(margin, answer):
    class Leaning:
        def judge(self, statement, passages):
            share = (1 - abs(margin)) / 2
            return [Opinion(share + max(margin, 0), share + max(-margin, 0), 0.0) for _ in passages]

    claim = "Nintendo has its headquarters in Osaka."
    turn = run(
        chain((CITY, None)), "", question=claim, stance=Leaning(), abilities=Abilities.TRAINED, task=TaskKind.FACTCHECK
    )
    assert turn.final_answer == answer
    if answer:
        assert turn.answer.startswith("The passages lean ")
        assert turn.nodes[-1].rule == "leaning"
