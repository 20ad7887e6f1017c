"""A round ends its waiting when it is stopped."""

import threading
import time
from concurrent.futures import Future
from types import SimpleNamespace

import pytest

from lab.scripted.model import ScriptedModel
from searchain.cancel import CancelToken
from searchain.chain.context import RunContext
from searchain.chain.dialogue import Dialogue
from searchain.chain.round import Round
from searchain.chain.tree import Tree
from searchain.errors import Cancelled
from searchain.settings import Settings
from searchain.types import Abilities, Step, TaskKind
from tests.support.fakes import CITY, QUESTION


def test_a_stop_ends_the_wait_for_the_evidence_of_a_step_that_no_model_wrote():
    made, cancel = Settings().with_thresholds(0.0, 0.0), CancelToken()
    run = RunContext(
        question=QUESTION,
        task=TaskKind.MULTIHOP,
        settings=made,
        tree=Tree(),
        dialogue=Dialogue(ScriptedModel(), made, cancel),
        strategy=made.strategy_for(Abilities.CAPABLE),
        cancel=cancel,
        lookups=SimpleNamespace(start=lambda query: Future()),
    )
    threading.Timer(0.05, cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        list(Round(run, 1, None, is_last=True).run_step(Step(CITY, None)))
    assert time.monotonic() - began < 10
