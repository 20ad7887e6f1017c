"""Whatever a model's server does, nothing wrong is called answered, and nobody is shown an error of Python."""

import json
import re
import time

import pytest

from lab.scripted.server import Failure, ScriptedServer
from searchain.events import fold, to_payload
from searchain.llm.base import Thought
from searchain.llm.openai import OpenAIModel, Timeouts
from searchain.types import Abilities, Status
from tests.support.behaviours import ALL, NOTHING, THOUGHT, THOUGHTS, Behaviour, Cautious
from tests.support.fakes import CITY, QUESTION, around

PYTHON = re.compile(r"\b[A-Z]\w*Error\b|Traceback|unexpected ")


def ask(behaviour: Behaviour, **settings: object):
    with ScriptedServer(script=behaviour.script(), tokens_per_second=1e6) as server:
        model = OpenAIModel("scripted", server.base_url, timeouts=Timeouts(first_token=5, stall=5))
        searchain = around(model, probability=Cautious(), **{"max_seconds": 120, "first_call": "plan", **settings})
        return fold(searchain.stream(QUESTION)), server


@pytest.mark.parametrize("first_call", ["plan", "passages"])
@pytest.mark.parametrize("behaviour", ALL, ids=[one.name for one in ALL])
def test_nothing_wrong_is_called_answered_whether_the_model_plans_or_sees_passages_first(behaviour, first_call) -> None:
    turn, _ = ask(behaviour, first_call=first_call)
    told = " ".join((turn.message, turn.answer, *(fault.what for fault in turn.faults)))
    assert not PYTHON.search(told)
    assert turn.final_answer in ("Honshu", "") or turn.status is not Status.ANSWERED
    if behaviour.is_good:
        assert turn.final_answer == "Honshu", turn.message
    if first_call == "plan":
        expected = (Status.ANSWERED,) if behaviour.is_good else (Status.PARTIAL, Status.FAILED)
        assert turn.status in expected, turn
        assert behaviour not in NOTHING or turn.final_answer == "" or "delivered nothing" in turn.answer
    if not behaviour.is_good and (first_call == "plan" or turn.final_answer != "Honshu"):
        assert turn.message
    if behaviour in THOUGHTS:
        assert first_call == "passages" or THOUGHT[:11] in turn.thoughts
        assert not any("moon" in node.query for node in turn.nodes)
        assert "moon" not in turn.answer


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ([Failure(400, "content management policy", "content_filter", repeats=True)], "stopped by the content filter"),
        ([*[Failure(503, "Loading model")] * 2, Failure(400, "flagged: content policy", repeats=True)], "is loading"),
    ],
    ids=["filter", "loading, then filter"],
)
def test_what_the_look_up_found_is_the_reply_where_a_filter_stops_the_model(script, fault) -> None:
    with ScriptedServer(script=script) as server:
        model = OpenAIModel("scripted", server.base_url)
        made = around(model, first_call="plan")
        turn = fold(made.stream(QUESTION))
    assert (turn.status, turn.final_answer) == (Status.ANSWERED, "Honshu")
    assert turn.message.startswith("the model was stopped by the content filter of its service")
    assert any(fault in one.what for one in turn.faults)


class Flood:
    """A model that writes and thinks for ever, as fast as it can, whatever its limits are."""

    name, abilities = "flood", Abilities.CAPABLE

    def __init__(self, *pieces) -> None:
        self.pieces = pieces

    def stream(self, messages, *, cancel=None, **_):
        while not (cancel and cancel.is_set):
            yield from self.pieces


@pytest.mark.parametrize(
    "pieces",
    [("lorem ipsum dolor ",), (Thought("Hm, let me see. "),), ("x",), (f"[Query 1]: {CITY}\n", "[Answer 1]: Kyoto\n")],
    ids=["text", "thoughts", "letters", "steps"],
)
def test_no_flood_outlasts_the_budget_or_fills_the_store(pieces) -> None:
    searchain = around(Flood(*pieces), probability=Cautious(), first_call="plan", max_seconds=5)
    started = time.monotonic()
    events = list(searchain.stream(QUESTION))
    assert time.monotonic() - started < 5 + 20  # else it writes for ever
    assert fold(events).status in (Status.PARTIAL, Status.NOT_FOUND, Status.FAILED)
    assert sum(len(json.dumps(to_payload(event))) for event in events) < 500_000
