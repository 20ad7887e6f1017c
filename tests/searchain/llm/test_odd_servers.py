"""What servers refuse, each in its own words, how they keep people waiting, and thoughts within their text."""

import json

import pytest

from lab.scripted.server import Deciding, Failure, Raw, Reply, ScriptedServer
from searchain import errors
from searchain.assemble import Choice, Parts
from searchain.errors import ModelServerError, ModelTimeout, Unreachable
from searchain.llm.base import Cut, CutReason, Retracted, Retried, Thought
from searchain.llm.completion import ThoughtSplitter
from searchain.llm.endpoint import Endpoint, Timeouts
from searchain.llm.faults import Manner
from searchain.llm.openai import OpenAIModel
from searchain.settings import Settings
from searchain.types import Message, Usage
from tests.support.behaviours import chunk, sse
from tests.support.behaviours import text_of as read
from tests.support.json_lines import kept

ASK = [Message("system", "Plan."), Message("user", "Where is Kyoto?")]
REFUSALS, NO_SYSTEM, CAUSES = kept("server-errors.json").values()
"""As their documentation says: nobody but a real service can say what it says today."""
BODIES = {
    "LM Studio": lambda message: {"error": message},
    "Mistral": lambda message: {"object": "error", "message": message},
    "Gemini": lambda message: [{"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}],
}
"""How an error is written where it is not as OpenAI writes it."""
FILTERED = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."


def model(server: ScriptedServer, query: str = "", **options) -> OpenAIModel:
    return OpenAIModel("scripted", f"{server.base_url}{query}", **options)


@pytest.mark.parametrize(("status", "message", "names"), [r[1:] for r in REFUSALS], ids=[r[0] for r in REFUSALS])
def test_a_refused_parameter_is_left_out_from_then_on(status: int, message: str, names: list[str]) -> None:
    def answer(request):
        is_refused = any(name in request.body for name in names)
        return Failure(status, message, retry_after=0) if is_refused else Reply("Honshu.")

    with ScriptedServer(script=[Deciding(answer, repeats=True)]) as server:
        asked = model(server, reasoning_effort="low")
        assert read(asked.stream(ASK, max_tokens=90)) == "Honshu."
        tries = len(server.requests)
        assert read(asked.stream(ASK, max_tokens=90)) == "Honshu."
    last = server.requests[-1].body
    assert len(server.requests) == tries + 1
    others = {"temperature", "seed", "stream_options", "max_tokens"} - {*names}
    if any(name in message for name in names):
        assert others <= {*last}
    assert not {*names} & {*last}


@pytest.mark.parametrize(
    ("status", "message", "error", "body"),
    [(*row[1:], BODIES.get(row[0], lambda message: {"error": {"message": message}})) for row in CAUSES],
    ids=[row[0] for row in CAUSES],
)
def test_an_error_names_its_cause(status: int, message: str, error: str, body) -> None:
    answer = Raw(json.dumps(body(message)).encode(), "application/json", status)
    with ScriptedServer(script=[answer]) as server, pytest.raises(getattr(errors, error)) as caught:
        read(model(server, api_key="sk-wrong", tries=1).stream(ASK))
    assert error != "ContextTooLong" or f": {message.rstrip('.')}; " in str(caught.value)


def test_a_request_that_is_refused_all_the_same_says_why_and_nothing_is_left_out_later() -> None:
    with ScriptedServer(script=[Failure(400, "no tools here", repeats=True)]) as server:
        asked = model(server)
        with pytest.raises(ModelServerError, match=r"rejected the request \(status 400\): no tools here; choose"):
            read(asked.stream(ASK, max_tokens=9))
        assert [len(request.body) - 3 for request in server.requests] == [4, 0]  # without model, messages and stream
    assert asked.manner == Manner()


@pytest.mark.parametrize(("status", "message"), NO_SYSTEM)
def test_a_model_without_system_messages_gets_them_in_the_first_one_of_the_user(status: int, message: str) -> None:
    def answer(request):
        is_refused = request.body["messages"][0]["role"] == "system"
        return Failure(status, message) if is_refused else Reply("Honshu.")

    with ScriptedServer(script=[Deciding(answer, repeats=True)]) as server:
        asked = model(server, tries=1)
        assert [read(asked.stream(ASK)) for _ in range(2)] == ["Honshu."] * 2
    assert [len(request.body["messages"]) for request in server.requests] == [2, 1, 1]
    assert server.requests[-1].body["messages"] == [{"role": "user", "content": "Plan.\n\nWhere is Kyoto?"}]


def test_comments_are_signs_of_life() -> None:
    waiting = f": keep-alive{' ' * 500}\n\n".encode()
    body = waiting * 6 + sse(chunk("Honshu."), chunk(finish="stop"))
    with ScriptedServer(script=[Raw(body, piece=len(waiting), pause=0.5)]) as server:
        assert read(model(server, tries=1, timeouts=Timeouts(first_token=2)).stream(ASK)) == "Honshu."


def test_a_model_that_loads_is_waited_for_and_people_are_told_once() -> None:
    with ScriptedServer(script=[*[Failure(503, "Loading model")] * 4, Reply("Honshu.")]) as server:
        told, *text, _ = model(server).stream(ASK)
    host = server.requests[0].headers["host"]
    assert told == Retried(f"the model is loading at {host}", "waits for it, up to 300 s")
    assert "".join(text) == "Honshu."


def test_people_are_told_that_nothing_comes() -> None:
    with ScriptedServer(script=[Reply("Honshu.", first_token=1)]) as server:
        asked = model(server, timeouts=Timeouts(notice=0.2))
        told, *text, _ = asked.stream(ASK)
    words = f"{asked.name} has written nothing for 0.2 s; it may be loading or thinking"
    assert (told, "".join(text)) == (Retried(words, "waits for it, up to 300 s"), "Honshu.")


def test_what_a_filter_stops_is_a_reply_that_was_cut() -> None:
    with ScriptedServer(script=[Failure(400, FILTERED, "content_filter", repeats=True)]) as server:
        cut, usage = model(server).stream(ASK)
    assert cut == Cut(CutReason.FILTER, FILTERED.rstrip("."))
    assert isinstance(usage, Usage)
    assert len(server.requests) == 1


def test_a_model_that_only_thinks_says_what_to_set() -> None:
    with ScriptedServer(script=[Raw(sse(chunk(reasoning_content="Honshu."), chunk(finish="stop")))]) as server:
        *_, cut, _ = model(server).stream(ASK)
    assert str(cut) == (
        "wrote nothing: it only thought; set --reasoning-effort none, or turn off the reasoning parser of its server"
    )


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("ALL_PROXY", "socks5://127.0.0.1:9", "names a SOCKS proxy.*: pip install socksio, or unset"),
        ("SSL_CERT_FILE", "nowhere.pem", "certificates that SSL_CERT_FILE.*cannot be read; set it to a file"),
        ("SSL_CERT_FILE", "empty.pem", "certificates that SSL_CERT_FILE.*cannot be read; set it to a file"),
        ("HTTPS_PROXY", "ftp://user:secret@127.0.0.1:9", "the proxy that the environment names cannot be used"),
    ],
)
def test_an_environment_that_cannot_be_used_is_one_line(name, value, words, tmp_path, monkeypatch):
    (tmp_path / "empty.pem").write_text("nothing")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, value)
    with pytest.raises(errors.SetupError, match=words) as caught:
        read(OpenAIModel("m", "https://api.example.invalid/v1").stream(ASK))
    assert "secret" not in str(caught.value)
    with pytest.raises(errors.SetupError, match=words):
        Endpoint("https://api.example.invalid/v1").models()


def test_the_query_of_a_base_url_is_sent_with_each_request_and_azure_gets_the_key_in_its_own_header() -> None:
    with ScriptedServer(script=[Reply("Honshu.", repeats=True)]) as server:
        for query in ("?api-version=2024-10-21", "/?tenant=a&flag="):
            assert read(model(server, query, api_key="sk-key").stream(ASK)) == "Honshu."
    azure, other = server.requests
    assert azure.path == "/v1/chat/completions?api-version=2024-10-21"
    assert (azure.headers["api-key"], azure.authorization) == ("sk-key", None)
    assert other.path == "/v1/chat/completions?tenant=a&flag="
    assert ("api-key" in other.headers, other.authorization) == (False, "Bearer sk-key")


def test_a_redirect_is_followed_with_the_whole_request_but_not_to_another_server() -> None:
    def moved(to: str) -> Raw:
        return Raw(b"", status=301, headers={"location": to})

    with ScriptedServer(script=[moved("/v1/chat/completions?moved=1"), Reply("Honshu.")]) as server:
        assert read(model(server, api_key="sk-key").stream(ASK)) == "Honshu."
        first, second = server.requests
        assert (second.body, second.authorization) == (first.body, "Bearer sk-key")
        server.script[:] = [moved("https://elsewhere.invalid/v1/chat/completions")]
        with pytest.raises(Unreachable, match=r"it redirects to another server: https://elsewhere.invalid/v1/chat"):
            read(model(server, api_key="sk-key", tries=1).stream(ASK))


def test_what_the_operator_sets_reaches_runs_and_requests() -> None:
    with ScriptedServer(script=[Reply("late", head=60, repeats=True)]) as server:
        limits = {"max_seconds": 7.0, "max_tokens": 99}
        choice = Choice(model="scripted", base_url=server.base_url, timeout=1, reasoning_effort="low", limits=limits)
        made = Parts(choice).searchain(Settings(use_ir=False), "default")
        with pytest.raises(ModelTimeout, match="did not begin to answer within 1 s"):
            read(made.model.stream(ASK))
    assert (made.settings.max_seconds, made.settings.max_tokens) == (7.0, 99)
    assert server.requests[0].body["reasoning_effort"] == "low"


@pytest.mark.parametrize("size", [1, 3, 1_000])
@pytest.mark.parametrize("said", ["a < b and [c] <thin", "thought</think>text"])
def test_half_a_tag_is_text_and_an_end_that_comes_unannounced_retracts_what_was(said, size):
    splitter, written = ThoughtSplitter(), ""
    pieces = [piece for at in range(0, len(said), size) for piece in splitter.feed(said[at : at + size])]
    for piece in [*pieces, *splitter.finish()]:
        written = "" if isinstance(piece, Retracted) else written + piece if isinstance(piece, str) else written
    assert written == said.rpartition("</think>")[2]
    assert splitter.ends_unannounced == ("</think>" in said)


def test_a_model_that_begins_with_thoughts_may_also_not_think():
    thinking = ThoughtSplitter(is_thinking=True)
    assert [*thinking.feed("a</think>b"), *thinking.finish()] == [Thought("a"), "b"]
    plain = ThoughtSplitter(is_thinking=True)
    assert [*plain.feed("a chain"), *plain.finish()] == [Thought("a chain"), "a chain"]
