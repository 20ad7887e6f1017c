"""The parts of a round: its text, the steps that join the tree, and the nodes that wait to be judged."""

import queue
import threading
import time
from concurrent.futures import Future

import pytest

from lab.scripted.model import ScriptedModel
from searchain.cancel import CancelToken
from searchain.chain.context import RunContext
from searchain.chain.dialogue import Dialogue
from searchain.chain.judging import PendingNodes
from searchain.chain.parser import QueryRead, StepRead
from searchain.chain.round import MOST_BLANKS, MOST_STEPS, Draft, Intake, Round
from searchain.chain.tree import Tree
from searchain.errors import Cancelled
from searchain.events import ModelFault, NodeJudged, NodeParsed
from searchain.llm.base import Cut, CutReason
from searchain.settings import Settings
from searchain.types import Abilities, Evidence, Hit, Reading, Span, Step, TaskKind
from tests.support.fakes import CITY, ISLAND, NINTENDO, QUESTION


class Slow:
    """Look-ups that end when the test says so."""

    def __init__(self):
        self.futures = {}

    def start(self, query):
        return self.futures.setdefault(query, Future())

    def find(self, query, answer="Kyoto"):
        start = NINTENDO.text.find(answer)
        hit, reading = Hit(NINTENDO, 1.0, 1), Reading(answer, Span(start, start + len(answer)), 5.0)
        self.start(query).set_result(Evidence((hit,), hit, reading, (reading,)))


def run_context(abilities=Abilities.CAPABLE, **settings):
    made, cancel = Settings.of(**settings).with_thresholds(0.0, 0.0), CancelToken()
    return RunContext(
        question=QUESTION,
        task=TaskKind.MULTIHOP,
        settings=made,
        tree=Tree(),
        dialogue=Dialogue(ScriptedModel(), made, cancel),
        strategy=made.strategy_for(abilities),
        cancel=cancel,
        lookups=Slow(),
    )


def parts(run, *, is_last=False):
    nodes = PendingNodes(run, queue.SimpleQueue(), is_last=is_last)
    return nodes, Intake(run, 1, None, nodes)


def take(intake, *steps):
    return [event for query, answer in steps for event in intake.take(StepRead(Step(query, answer)))]


def test_a_draft_reads_its_steps_as_they_are_written():
    draft = Draft()
    assert draft.write(f"[Query 1]: {CITY}\n") == [QueryRead(CITY)]
    assert draft.write("[Answer 1]: Kyo") == []
    assert draft.end(Cut(CutReason.LENGTH)) == [StepRead(Step(CITY, None))]
    assert (draft.has_ended, draft.is_final, draft.cut) == (True, False, Cut(CutReason.LENGTH))


def test_a_draft_goes_on_to_the_final_content_or_runs_blank():
    draft = Draft()
    draft.write("[Final Content]: Honshu.")
    draft.end(None)
    assert (draft.is_final, draft.is_running_blank) == (True, False)
    blank = Draft()
    blank.write(" " * (MOST_BLANKS + 1))
    assert blank.is_running_blank


def test_a_step_joins_the_tree_once():
    run = run_context()
    _, intake = parts(run)
    assert intake.is_empty
    (parsed,) = take(intake, (CITY, "Kyoto"), (CITY, "Osaka"))
    assert isinstance(parsed, NodeParsed)
    assert ([node.query for node in intake.added], intake.is_empty, intake.is_over) == ([CITY], False, False)
    take(intake, *[(CITY, "Kyoto")] * 3)
    assert intake.is_over  # the model only repeats itself


def test_a_model_that_writes_on_and_on_is_over():
    _, intake = parts(run_context())
    take(intake, *((f"In which city is building {number}?", "Kyoto") for number in range(MOST_STEPS + 1)))
    assert len(intake.added) == MOST_STEPS + 1
    assert intake.is_over


def test_a_verbatim_step_is_a_repetition_only_in_the_same_words():
    run = run_context()
    _, intake = parts(run)
    assert len(list(intake.take_verbatim(Step(CITY, None)))) == 1
    assert list(intake.take_verbatim(Step(CITY, None))) == []
    assert len(list(intake.take_verbatim(Step(CITY.lower(), None)))) == 1


def test_references_to_earlier_answers_are_resolved():
    _, intake = parts(run_context())
    take(intake, (CITY, "Kyoto"), ("On which island is #1?", None))
    assert [node.query for node in intake.added] == [CITY, "On which island is Kyoto?"]


def test_nodes_are_judged_in_order_however_their_evidence_comes():
    run = run_context()
    nodes, intake = parts(run)
    take(intake, (CITY, "Kyoto"), (ISLAND, "Kyoto"))
    assert list(nodes.judge()) == []
    run.lookups.find(ISLAND)
    assert list(nodes.judge()) == []
    run.lookups.find(CITY)
    assert [event.node for event in nodes.judge() if isinstance(event, NodeJudged)] == ["n1", "n2"]
    assert (nodes.are_settled, nodes.stop) == (True, None)


@pytest.mark.parametrize(("is_last", "judged"), [(False, ["n1"]), (True, ["n1", "n2"])])
def test_feedback_stops_a_round_and_closes_the_last_one(is_last, judged):
    run = run_context()
    nodes, intake = parts(run, is_last=is_last)
    take(intake, (CITY, "Osaka"), (ISLAND, "Honshu"))
    run.lookups.find(CITY)
    events = list(nodes.judge())
    assert [event.node for event in events if isinstance(event, NodeJudged)] == judged
    assert not any(isinstance(event, ModelFault) for event in events)
    assert (nodes.stop is None, nodes.is_closed) == (is_last, is_last)
    if not is_last:
        assert (nodes.stop.node.query, nodes.stop.judgement.feedback) == (CITY, "verification")


def test_a_stop_ends_the_wait_for_the_evidence_of_a_step_that_no_model_wrote():
    run = run_context()
    threading.Timer(0.05, run.cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        list(Round(run, 1, None, is_last=True).run_step(Step(CITY, None)))
    assert time.monotonic() - began < 10
