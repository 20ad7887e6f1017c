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
from searchain.chain.round import Intake, Round
from searchain.chain.tree import Tree
from searchain.errors import Cancelled
from searchain.settings import Settings
from searchain.types import Abilities, Evidence, Hit, Reading, Span, Step, TaskKind
from tests.support.fakes import CITY, NINTENDO, QUESTION


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


def test_a_stop_ends_the_wait_for_the_evidence_of_a_step_that_no_model_wrote():
    run = run_context()
    threading.Timer(0.05, run.cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        list(Round(run, 1, None, is_last=True).run_step(Step(CITY, None)))
    assert time.monotonic() - began < 10
