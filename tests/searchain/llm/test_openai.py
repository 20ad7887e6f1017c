"""The client against a real HTTP server that fails in every way we know."""

import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx2
import openai
import pytest

from lab.scripted.server import Failure, Raw, Reply, ScriptedServer
from searchain import errors, secrecy
from searchain.cancel import CancelToken
from searchain.errors import Cancelled, ModelError, ModelServerError, ModelTimeout, RateLimited, Unreachable, WrongKey
from searchain.llm import faults
from searchain.llm.base import Cut, CutReason, Form, Retried, Sampling, Thought
from searchain.llm.openai import Endpoint, OpenAIModel, Timeouts
from searchain.types import Message
from tests.support.behaviours import chunk, sse, text_of

ASK = [Message("system", "Plan."), Message("user", "Where is Kyoto?")]
KEY = "sk-a-very-secret-key"
QUICK = Timeouts(first_token=0.3)
BRIEF = Timeouts(first_token=1)


@pytest.fixture(autouse=True)
def no_other_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the keys of other tests: the beginning of one is held back, which parts the pieces of a stream anew."""
    monkeypatch.setattr(secrecy, "_kept", ())


def eventually(fact: Callable[[], object], seconds: float = 9) -> bool:
    end = time.monotonic() + seconds
    while not fact() and time.monotonic() < end:
        time.sleep(0.005)
    return bool(fact())


def call(place: int | None, arguments: object) -> dict[str, object]:
    one = {"function": {"name": "search", "arguments": arguments}}
    return chunk(tool_calls=[one if place is None else {"index": place, **one}])


@pytest.mark.parametrize(
    ("chunks", "steps"),
    [
        ([call(0, '{"query": "Who\\nled it?"}'), call(1, '{"n": 3, "q": "When?"}')], ["1]: Who led it?", "2]: When?"]),
        ([chunk("I need more."), call(0, '{"query": '), call(0, '"Who led it?"}')], ["1]: Who led it?"]),
        ([call(None, '{"query": "a"}'), call(None, '{"query": "b"}')], ["1]: a", "2]: b"]),
        (
            [chunk("[Query 1]: A?\n[Answer 1]: B"), call(0, '{"query": "[Answer 2] C\\ud800?"}')],
            ["2]: (Answer 2) C\ufffd?"],
        ),
        ([call(0, '{"query": "Who"'), call(1, "[]"), call(2, 7), call(3, '{"query": " "}')], []),
        ([chunk(tool_calls=[None, {"function": None}, {"index": "x", "function": {"arguments": "{}"}}])], []),
    ],
)
def test_a_call_of_a_tool_is_an_open_step(chunks: list[object], steps: list[str]) -> None:
    with ScriptedServer(script=[Raw(sse(*chunks, chunk(finish="tool_calls")))]) as server:
        pieces = list(OpenAIModel("scripted", server.base_url).stream(ASK, form=Form.SEARCHING))
    assert re.findall(r"^\[Query (.*)\n\[Unsolved Query\]", text_of(pieces), re.MULTILINE) == steps
    assert [piece.reason for piece in pieces if isinstance(piece, Cut)] == ([] if steps else [CutReason.TOOLS])


@pytest.mark.parametrize(
    ("form", "finish", "cuts"),
    [(Form.STANDALONE, "tool_calls", [CutReason.TOOLS]), (Form.INFORMED, "length", [CutReason.LENGTH])],
)
def test_a_call_hides_no_cut_and_is_no_question(form: Form, finish: str, cuts: list[CutReason]) -> None:
    with ScriptedServer(script=[Raw(sse(call(0, '{"query": "Who?"}'), chunk(finish=finish)))]) as server:
        pieces = list(OpenAIModel("scripted", server.base_url).stream(ASK, form=form))
    assert [piece.reason for piece in pieces if isinstance(piece, Cut)] == cuts
    assert ("[Query 1]: Who?\n[Unsolved Query]" in pieces) is (form is Form.INFORMED)


def test_a_server_that_takes_no_tools_is_asked_without_them() -> None:
    script = [Failure(400, "this model does not support tools"), Reply("Hello.", repeats=True)]
    with ScriptedServer(script=script) as server:
        model = OpenAIModel("scripted", server.base_url)
        assert text_of(model.stream(ASK, form=Form.SEARCHING)) == "Hello."
        assert [("tools" in request.body) for request in server.requests] == [True, False]


def test_a_reply_streams_and_ends_with_the_servers_token_counts() -> None:
    with ScriptedServer(script=[Reply("[Query 1]: Where?\n[Answer 1]: Honshu.", reasoning="Hmm.")], key=KEY) as server:
        model = OpenAIModel("scripted", server.base_url, KEY)
        thought, *pieces, usage = model.stream(ASK, form=Form.CHAIN, max_tokens=100, extra_body={"grammar": "r ::= .*"})
        host = server.base_url.split("/")[2]
    assert thought == Thought("Hmm.")
    assert "".join(pieces) == "[Query 1]: Where?\n[Answer 1]: Honshu."
    assert len(pieces) == 15
    assert (usage.llm_calls, usage.prompt_tokens, usage.completion_tokens) == (1, 6, 16)
    assert 0 < usage.llm_seconds < 5
    assert model.name == f"scripted at {host}"
    (request,) = server.requests
    assert request.body == {
        "model": "scripted",
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0,
        "seed": 0,
        "max_tokens": 100,
        "grammar": "r ::= .*",
        "messages": [{"role": "system", "content": "Plan."}, {"role": "user", "content": "Where is Kyoto?"}],
    }
    assert request.authorization == f"Bearer {KEY}"


def test_without_a_key_none_is_sent_and_tokens_are_estimated_where_the_server_counts_none() -> None:
    with ScriptedServer(script=[Reply("Honshu, the island.", has_usage=False)]) as server:
        *_, usage = OpenAIModel("scripted", server.base_url).stream(ASK)
    assert server.requests[0].authorization is None
    assert (usage.prompt_tokens, usage.completion_tokens) == (5, 5)


@pytest.mark.parametrize("unknown", ["temperature", "seed"])
def test_no_samples_are_drawn_from_a_server_that_takes_no_temperature_or_no_seed(unknown: str) -> None:
    with ScriptedServer(script=[Reply("one")], rejects=(unknown,)) as server:
        model = OpenAIModel("scripted", server.base_url, tries=1)
        with pytest.raises(errors.CannotSample, match=f"accepts no {unknown}, so that no samples can be drawn"):
            list(model.stream(ASK, sampling=Sampling(temperature=0.7, seed=1)))
        assert text_of(model.stream(ASK)) == "one"


HALF = Reply("a b c d", stops_after=2)
ERRORS: list[tuple[Any, dict[str, Any], type[ModelError], str]] = [
    ({"key": KEY}, {"key": None}, errors.MissingKey, "asks for a key and none is set; set OPENAI_API_KEY"),
    ({"key": "another"}, {}, WrongKey, "refused the key (status 401); check OPENAI_API_KEY"),
    ({}, {"model": "gpt-0"}, errors.UnknownModel, "does not know this model; check --model"),
    ({"context": 3}, {}, errors.ContextTooLong, "maximum context length is 3 tokens; ask a shorter question"),
    (Failure(429, "slow down", retry_after=99), {"tries": 3}, RateLimited, ": slow down; wait 99 s and ask again"),
    (Failure(429, "Enough", "insufficient_quota"), {"tries": 3}, RateLimited, "is used up: Enough; check plan"),
    (Failure(503, f"overloaded\nby {KEY}"), {}, ModelServerError, "(status 503): overloaded by …; try again"),
    ({}, {"path": "/v2"}, Unreachable, "/v2 has no chat completions (status 404); check the base URL"),
    (Raw(b"<html>", "text/html"), {"tries": 3}, ModelServerError, "not as an OpenAI-compatible chat server"),
    (Failure(200, f"by {KEY}"), {}, ModelServerError, "reported an error: by …; ask again"),
    (Failure(402, "No money"), {"tries": 3}, RateLimited, "cannot pay: No money; check its balance"),
    (Failure(403, "not here"), {"tries": 3, "key": None}, WrongKey, "(status 403): not here; check that the key"),
    (Raw(b'data: {"choices": []}\n\ndata: {"choi\n\n'), {}, ModelServerError, "a stream that cannot be read"),
    (Reply("late", head=9), {"timeouts": QUICK}, ModelTimeout, "did not begin to answer within 0.3 s; try again"),
    (HALF, {"tries": 3, "timeouts": Timeouts(stall=0.3)}, ModelTimeout, "fell silent for 0.3 s in the middle"),
    (replace(HALF, mishap="error"), {"tries": 3}, ModelServerError, "broke off its reply: the engine died"),
    (replace(HALF, mishap="cut"), {"tries": 3}, ModelServerError, "closed the connection in the middle"),
]


@pytest.mark.parametrize(("server", "client", "kind", "words"), ERRORS, ids=[row[-1] for row in ERRORS])
def test_each_failure_is_one_clear_line_without_the_key(server: Any, client: dict, kind: type[ModelError], words: str):
    options = {"model": "scripted", "path": "/v1", "key": KEY, "tries": 1, "timeouts": Timeouts()} | client
    with ScriptedServer(**(server if isinstance(server, dict) else {"script": [server]})) as running:
        url = running.base_url.removesuffix("/v1") + options["path"]
        model = OpenAIModel(options["model"], url, options["key"], timeouts=options["timeouts"], tries=options["tries"])
        with pytest.raises(kind) as caught:
            text_of(model.stream(ASK))
    told = str(caught.value)
    assert words in told
    assert url.split("/")[2] in told
    assert "\n" not in told
    assert len(running.requests) <= 1, "what cannot pass, and what has begun, is not tried again"
    cause: BaseException | None = caught.value
    while cause is not None:
        assert KEY not in str(cause)
        cause = cause.__cause__


def test_a_closed_port_and_an_unknown_host_are_unreachable() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        with pytest.raises(
            Unreachable,
            match=f"^cannot reach http://127.0.0.1:{port}/v1 for m at 127.0.0.1:{port} "
            r"\(.+\); check the base URL and that the server is running$",
        ):
            text_of(OpenAIModel("m", f"http://user:{KEY}@127.0.0.1:{port}/v1", tries=1).stream(ASK))
    with pytest.raises(Unreachable, match=r"^cannot reach https://api.example.invalid/v1 "):
        text_of(OpenAIModel("m", "https://api.example.invalid/v1", tries=1).stream(ASK))


def test_a_host_that_does_not_accept_is_given_up_after_the_connect_timeout() -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        waiting = [socket.socket() for _ in range(4)]  # they fill the queue of connections, so that ours waits
        try:
            for one in waiting:
                one.setblocking(False)
                one.connect_ex(deaf.getsockname())
            url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
            with pytest.raises(Unreachable, match="no connection in time"):
                text_of(OpenAIModel("m", url, tries=1, timeouts=Timeouts(connect=0.2)).stream(ASK))
        finally:
            for one in waiting:
                one.close()


@pytest.mark.parametrize(
    "trouble",
    [
        Failure(429, retry_after=0),
        Failure(500, retry_after=0),
        Reply("never", head=9),
        Reply("never", first_token=9),
        Reply("never", stops_after=0, mishap="error"),
        Reply("never", stops_after=0, mishap="cut"),
    ],
    ids=["429", "500", "no head", "no first token", "error before text", "cut before text"],
)
def test_what_fails_before_any_text_is_tried_again(trouble: Reply | Failure) -> None:
    with ScriptedServer(script=[trouble, Reply("Honshu.")]) as server:
        assert text_of(OpenAIModel("scripted", server.base_url, timeouts=BRIEF).stream(ASK)) == "Honshu."
    assert len(server.requests) == 2


def test_a_busy_server_is_tried_three_times_and_a_silent_one_twice() -> None:
    with ScriptedServer(script=[Failure(429, retry_after=0, repeats=True)]) as server:
        with pytest.raises(RateLimited):
            text_of(OpenAIModel("scripted", server.base_url).stream(ASK))
        assert len(server.requests) == 3
        server.requests.clear()
        server.script[:] = [Reply("late", head=9, repeats=True)]
        with pytest.raises(ModelTimeout):
            text_of(OpenAIModel("scripted", server.base_url, timeouts=Timeouts(first_token=1)).stream(ASK))
        assert len(server.requests) == 2


@pytest.mark.parametrize(
    "reply",
    [Reply("never", head=60), Reply("never", first_token=60), HALF, Failure(429, retry_after=19)],
    ids=["before the head", "before the first token", "within the reply", "in the pause before a retry"],
)
def test_cancel_from_another_thread_ends_the_request_at_once(reply: Reply | Failure) -> None:
    with ScriptedServer(script=[reply]) as server:
        cancel = CancelToken()
        times: list[float] = []

        def press_stop() -> None:
            eventually(lambda: server.requests)
            time.sleep(0.1)
            times.append(time.monotonic())
            cancel.set()

        model = OpenAIModel("scripted", server.base_url)
        threading.Thread(target=press_stop).start()
        with pytest.raises(Cancelled):
            text_of(model.stream(ASK, cancel=cancel))
        assert time.monotonic() - times[0] < 9  # and not after the server's silence
        (request,) = server.requests
        if isinstance(reply, Reply):
            assert eventually(lambda: request.disconnected)
            assert request.disconnected - times[0] < 9


def test_closing_the_iterator_closes_the_request() -> None:
    with ScriptedServer(script=[Reply("a b c d e f", stops_after=3)]) as server:
        stream = OpenAIModel("scripted", server.base_url).stream(ASK)
        assert next(stream) == "a"
        stream.close()
        assert eventually(lambda: server.requests[0].disconnected)


def test_a_model_that_spends_its_tokens_on_thinking_is_asked_again_without_a_limit() -> None:
    spent = Raw(sse(chunk(reasoning_content="Hm."), chunk(finish="length"), {"usage": {"completion_tokens": 40}}))
    with ScriptedServer(script=[spent, Reply("Honshu.", repeats=True)], rejects=["max_tokens"]) as server:
        model = OpenAIModel("scripted", server.base_url)
        thought, told, *text, usage = model.stream(ASK, max_tokens=40)
        assert text_of(model.stream(ASK, max_tokens=40)) == "Honshu."
    assert thought == Thought("Hm.")
    assert told == Retried(
        f"{model.name} spent all 40 tokens that it may write on thinking", "asked again without that limit"
    )
    assert ("".join(text), usage.llm_calls, usage.completion_tokens) == ("Honshu.", 2, 43)
    limits = [request.body.get("max_completion_tokens") for request in server.requests]
    assert limits == [None, 40, None, None]  # the first was refused for its max_tokens


@pytest.mark.parametrize(
    ("headers", "message", "pause"),
    [
        ({"retry-after": "7"}, "", 7.0),
        ({"retry-after-ms": "350", "retry-after": "1"}, "", 0.35),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, "", 0.0),
        ({}, "Rate limit reached. Please try again in 7.2s. Visit …", 7.2),
        ({}, "try again in 20ms", 0.02),
        ({"retry-after": "nan"}, "", None),
        ({"retry-after": "soon"}, "", None),
    ],
)
def test_the_pause_that_a_server_asks_for(headers: dict[str, str], message: str, pause: float | None) -> None:
    request = httpx2.Request("POST", "http://host/v1")
    error = openai.RateLimitError(message, response=httpx2.Response(429, headers=headers, request=request), body=None)
    assert faults.retry_after(error) == (pause if pause is None else pytest.approx(pause))


def test_the_models_of_a_server() -> None:
    with ScriptedServer(models=["a", "b"], key=KEY) as server:
        assert Endpoint(server.base_url, KEY).models() == ["a", "b"]
        with pytest.raises(errors.MissingKey, match="^the server at 127.0.0.1:"):
            Endpoint(server.base_url).models()


@pytest.mark.parametrize(
    "url", ["", *"localhost:8000/v1 ftp://host/v1 http:// http://host:port/v1 http://[::1".split()]
)
def test_what_is_no_base_url_is_wrong_use(url: str) -> None:
    with pytest.raises(errors.UsageError, match="is no base URL; it must look like"):
        Endpoint(url)


FIRST_CALLS = """
import sys, threading
sys.setswitchinterval(1e-6)
from searchain.llm import bridge
start, loops = threading.Barrier(16), []
def call():
    start.wait()
    loops.append(bridge.loop())
threads = [threading.Thread(target=call) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(loops) == 16 and len(set(map(id, loops))) == 1, len(set(map(id, loops)))
"""


def test_the_first_calls_of_many_threads_get_the_same_loop():
    for _ in range(3):
        subprocess.run([sys.executable, "-c", FIRST_CALLS], check=True, timeout=60)
