"""The systems that are compared: the same parts and settings, but for what makes each of them."""

from dataclasses import replace

import pytest

from lab.systems.answering import Answering
from lab.systems.base import SYSTEMS
from lab.systems.direct import direct
from lab.systems.direct_retrieval import direct_retrieval
from searchain.events import fold
from searchain.turn_json import as_json
from searchain.types import Opinion, Status, Support, TaskKind, Verdict
from tests.support.fakes import ISLAND, KYOTO, QUESTION, RIGHT_CHAIN, WordRetriever, toy_searchain

DIRECT = "[Answer]: Honshu\n[Final Content]: Nintendo sits in Kyoto. Kyoto is on Honshu."


def direct_of(parts):
    return Answering(parts, direct)


def retrieval_of(parts, by_reader):
    parts.settings = replace(parts.settings, reading="reader" if by_reader else "passage")
    return Answering(parts, direct_retrieval)


def asked(system, question=QUESTION):
    turn = fold(system.stream(question))
    as_json(turn, conversation="", turn_id="")
    return turn


def test_searchain_with_demonstrations_shows_those_of_all_systems():
    parts = toy_searchain(*RIGHT_CHAIN)
    turn = asked(SYSTEMS["searchain-few-shot"].make(parts))
    system, *shown = [message.content for message in parts.model.calls[0].messages]
    assert "[Unsolved Query]" in system
    assert shown[0].startswith("[Question]: Which river flows")
    assert shown[1].startswith("[Query 1]: In which city is the Louvre?\n[Answer 1]: Paris")
    assert (len(shown), shown[-1], turn.final_answer) == (5, f"[Question]: {QUESTION}", "Honshu")
    assert parts.opening is None  # others still ask as before


def test_direct_is_one_call_and_cites_nothing():
    parts = toy_searchain(DIRECT, use_ir=False)
    turn = asked(direct_of(parts))
    assert (turn.final_answer, turn.answer, turn.status) == (
        "Honshu",
        "Nintendo sits in Kyoto. Kyoto is on Honshu.",
        Status.PARTIAL,
    )
    assert [(n.query, n.answer, n.verdict, n.on_path) for n in turn.nodes] == [(QUESTION, "Honshu", None, True)]
    assert [(sentence.support, sentence.marks) for sentence in turn.sentences] == [(Support.OWN, ())] * 2
    assert (turn.usage.llm_calls, turn.hits, turn.sources) == (1, {}, ())
    assert f"[Question]: {QUESTION}" in parts.model.calls[0].messages[-1].content


@pytest.mark.parametrize(
    ("text", "task", "answer", "reply"),
    [
        (DIRECT, TaskKind.MULTIHOP, "Honshu", "Nintendo sits in Kyoto. Kyoto is on Honshu."),
        ("Honshu.", TaskKind.MULTIHOP, "Honshu", "Honshu."),  # no labels at all
        ("[Answer]: Honshu", TaskKind.MULTIHOP, "Honshu", "Honshu"),
        ("[Answer]: Yes, it is.\n[Final Content]: Kyoto is there.", TaskKind.YESNO, "yes", "Kyoto is there."),
        ("[Answer]: SUPPORTS\n[Final Content]: It is so.", TaskKind.FACTCHECK, "SUPPORTS", "It is so."),
        ("[Answer]: perhaps\n[Final Content]: Who knows.", TaskKind.YESNO, "", "Who knows."),
        ("", TaskKind.MULTIHOP, "", ""),
    ],
)
def test_the_short_answer_is_taken_as_from_searchains_replies(text, task, answer, reply):
    turn = asked(direct_of(toy_searchain(text, use_ir=False, task=task)))
    assert (turn.final_answer, turn.answer, turn.task) == (answer, reply, task)
    assert turn.status is (Status.PARTIAL if answer else Status.NOT_FOUND)


def test_direct_retrieval_by_the_reader_asks_no_model():
    parts = toy_searchain(retriever=WordRetriever())
    turn = asked(retrieval_of(parts, by_reader=True), ISLAND)
    (node,) = turn.nodes
    assert (node.query, node.answer, node.verdict, node.passage, node.on_path) == (
        ISLAND,
        "Honshu",
        Verdict.COMPLETED,
        KYOTO,
        True,
    )
    assert (turn.final_answer, turn.status, turn.usage.llm_calls) == ("Honshu", Status.ANSWERED, 0)
    assert turn.answer.startswith("Honshu [1].")
    assert [source.passage for source in turn.sources] == [KYOTO]
    assert parts.retriever.queries == [ISLAND]
    assert len(turn.hits[node.id]) == len(parts.retriever.passages)


@pytest.mark.parametrize(
    ("text", "answer", "verdict", "status"),
    [
        (DIRECT, "Honshu", Verdict.AGREED, Status.ANSWERED),
        ("[Answer]: Kyushu\n[Final Content]: Kyoto is on Kyushu.", "Kyushu", Verdict.UNCONFIRMED, Status.PARTIAL),
        ("", "", Verdict.UNCONFIRMED, Status.NOT_FOUND),
    ],
)
def test_a_capable_model_reads_the_passages_itself(text, answer, verdict, status):
    parts = toy_searchain(text)
    turn = asked(retrieval_of(parts, by_reader=False), ISLAND)
    assert (turn.final_answer, turn.nodes[0].verdict, turn.status) == (answer, verdict, status)
    prompt = parts.model.calls[0].messages[-1].content
    at = prompt.index
    assert at("\nKyoto: Kyoto is a city") < at("\nNintendo: Nintendo Co., Ltd.") < at("[Question]: On which")


def test_a_question_for_yes_or_no_that_no_passage_decides_goes_to_the_model():
    parts = toy_searchain("[Answer]: yes\n[Final Content]: It is.", task=TaskKind.YESNO)
    turn = asked(retrieval_of(parts, by_reader=True), "Is Kyoto bigger than most villages of Honshu?")
    assert (turn.final_answer, turn.usage.llm_calls) == ("yes", 1)


class Decided:
    """What every passage makes of a statement."""

    def __init__(self, supports, refutes):
        self.opinion = Opinion(supports, refutes, 1 - supports - refutes)

    def judge(self, statement, passages):
        return [self.opinion] * len(passages)


@pytest.mark.parametrize(
    ("question", "task", "opinion", "answer", "calls"),
    [
        ("Is Kyoto on Honshu?", None, Decided(0.9, 0.05), "yes", 0),
        ("Is Kyoto on Honshu?", None, Decided(0.05, 0.9), "no", 0),
        ("Is Kyoto a city of the Kansai region?", TaskKind.MULTIHOP, Decided(0.05, 0.9), "no", 0),
        ("Are Kyoto and Nintendo in the same country?", TaskKind.MULTIHOP, Decided(0.05, 0.9), "yes", 1),
        ("Kyoto is on Honshu.", TaskKind.FACTCHECK, Decided(0.9, 0.05), "SUPPORTS", 0),
        ("Are Kyoto and Nintendo in the same country?", TaskKind.MULTIHOP, Decided(0.3, 0.3), "yes", 1),  # undecided
        ("Which island is larger, Honshu or Kyushu?", TaskKind.MULTIHOP, Decided(0.9, 0.05), "Honshu", 0),  # no yes
    ],
)
def test_a_label_is_decided_by_what_the_passages_make_of_the_question(question, task, opinion, answer, calls):
    parts = toy_searchain("[Answer]: yes\n[Final Content]: It is.", task=task)
    parts.stance = opinion
    turn = asked(retrieval_of(parts, by_reader=True), question)
    assert (turn.final_answer, turn.usage.llm_calls) == (answer, calls)


def test_a_spent_budget_is_an_answer_not_found():
    parts = toy_searchain("[Answer]: " + "Honshu " * 300, delay=0.05, max_seconds=1.0)
    turn = asked(direct_of(parts))
    assert (turn.status, turn.message) == (Status.NOT_FOUND, "this run may take no more time (the setting max_seconds)")
