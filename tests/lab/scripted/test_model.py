"""The scripted model keeps the promises of LanguageModel."""

import threading
import time

import pytest

from lab.scripted.model import Call, ScriptedModel
from searchain.cancel import CancelToken
from searchain.errors import Cancelled, RateLimited
from searchain.llm.base import Cut, CutReason, Form
from searchain.types import Message, Usage

ASK = [Message("user", "Where is Kyoto?")]


def test_each_call_takes_the_next_reply_in_small_pieces_and_ends_with_usage() -> None:
    model = ScriptedModel("[Query 1]: Where is Kyoto?\n[Unsolved Query]", "Honshu.")
    *pieces, usage = model.stream(ASK, form=Form.CHAIN)
    assert "".join(pieces) == "[Query 1]: Where is Kyoto?\n[Unsolved Query]"
    assert pieces[:7] == ["[Query", " 1", "]", ":", " Where", " is", " Kyoto"]  # "[" may begin a tag
    assert isinstance(usage, Usage)
    assert (usage.llm_calls, usage.completion_tokens) == (1, 14)
    assert [piece for piece in model.stream(ASK) if isinstance(piece, str)] == ["Honsh", "u", "."]
    assert model.calls == [
        Call(tuple(ASK), Form.CHAIN, None, "[Query 1]: Where is Kyoto?\n[Unsolved Query]", True),
        Call(tuple(ASK), None, None, "Honshu.", True),
    ]


def test_a_caller_that_stops_early_is_seen() -> None:
    model = ScriptedModel("one two three")
    stream = model.stream(ASK)
    next(stream)
    stream.close()
    assert (model.calls[0].delivered, model.calls[0].is_finished) == ("one", False)


def test_max_tokens_ends_the_reply() -> None:
    assert list(ScriptedModel("a b c d").stream(ASK, max_tokens=3))[:-1] == ["a", " b", " c", Cut(CutReason.LENGTH)]


def test_an_exception_is_raised_and_the_end_of_the_script_is_named() -> None:
    model = ScriptedModel(RateLimited("slow down"))
    with pytest.raises(RateLimited, match="slow down"):
        list(model.stream(ASK))
    with pytest.raises(LookupError, match="no reply left for call 2, which ends with: 'Where is Kyoto"):
        list(model.stream(ASK))


def test_a_function_that_stands_last_serves_every_further_call() -> None:
    model = ScriptedModel("first", lambda messages: messages[-1].content.upper())
    replies = ["".join(p for p in model.stream(ASK) if isinstance(p, str)) for _ in range(3)]
    assert replies == ["first", "WHERE IS KYOTO?", "WHERE IS KYOTO?"]


def test_cancel_from_another_thread_ends_a_slow_reply_at_once() -> None:
    cancel = CancelToken()
    started = time.monotonic()
    threading.Timer(0.05, cancel.set).start()
    with pytest.raises(Cancelled):
        list(ScriptedModel("slow words here", delay=60).stream(ASK, cancel=cancel))
    assert time.monotonic() - started < 20  # and not after the first word
