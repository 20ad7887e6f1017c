"""Flags, else the environment, else the embedded model."""

import pytest

from lab.scripted.server import Reply, ScriptedServer
from searchain.errors import SetupError, UsageError
from searchain.llm.base import Form
from searchain.llm.choose import choose_model, host_elsewhere
from searchain.llm.embedded import OFFERED, EmbeddedModel, offered_as
from searchain.types import Message

EMBEDDED = "SmolLM2-135M (embedded)"
SERVER = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("model", "base_url", "env", "name"),
    [
        (None, None, {"OPENAI_API_KEY": "sk-x"}, EMBEDDED),
        ("gpt-x", None, {}, "gpt-x at api.openai.com"),
        (None, None, {"SEARCHAIN_MODEL": "gpt-x"}, "gpt-x at api.openai.com"),
        (None, None, {"SEARCHAIN_MODEL": "qwen", "SEARCHAIN_BASE_URL": SERVER}, "qwen at 127.0.0.1:9"),
        (None, SERVER, {"SEARCHAIN_MODEL": "qwen"}, "qwen at 127.0.0.1:9"),
        ("m", "https://user:secret@example.org/v1", {}, "m at example.org"),
    ],
)
def test_what_was_asked_for_is_used(monkeypatch, model, base_url, env, name):
    for variable, value in env.items():
        monkeypatch.setenv(variable, value)
    assert choose_model(model, base_url).name == name


@pytest.mark.parametrize(
    ("base_url", "host"),
    [
        ("http://127.0.0.1:8000/v1", None),
        ("http://127.8.9.1/v1", None),
        ("http://localhost:11434/v1", None),
        ("http://[::1]:8000/v1", None),
        ("http://127.0.0.1.example.org/v1", "127.0.0.1.example.org"),
        ("http://localhost.example.org:8000/v1", "localhost.example.org:8000"),
        ("http://192.168.1.20:8000/v1", "192.168.1.20:8000"),
    ],
)
def test_only_loopback_is_this_machine(base_url: str, host: str | None) -> None:
    assert host_elsewhere("qwen", base_url) == host


def test_a_server_with_one_model_needs_no_model_name_and_gets_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    with ScriptedServer(script=[Reply("Honshu.")], models=["only"], key="sk-x") as server:
        model = choose_model(base_url=server.base_url)
        assert next(model.stream([Message("user", "Where is Kyoto?")])) == "Honsh"
    assert model.name == f"only at {server.base_url.split('/')[2]}"


@pytest.mark.parametrize(("models", "what"), [(["a", "b"], r"several models \(a, b\)"), ([], "no model")])
def test_a_server_with_several_models_or_none_asks_for_a_choice(models: list[str], what: str) -> None:
    message = rf"^the server at 127.0.0.1:\d+ offers {what}; choose one with --model or SEARCHAIN_MODEL$"
    with ScriptedServer(models=models) as server, pytest.raises(UsageError, match=message):
        choose_model(base_url=server.base_url)


def test_the_embedded_model_of_a_cluster_is_used_as_that_of_this_process() -> None:
    with ScriptedServer(script=[Reply("Honshu.")], models=[offered_as()]) as server:
        model = choose_model(base_url=server.base_url)
        assert isinstance(model, EmbeddedModel)
        model.start()
        next(model.stream([Message("user", "Where is Kyoto?")], form=Form.CHAIN))
        model.close()
    asked = server.requests[-1].body
    assert {"grammar", "lora", "logit_bias"} <= asked.keys()
    assert model.name == f"{EMBEDDED} at {server.base_url.split('/')[2]}"


def test_a_cluster_of_another_version_is_refused() -> None:
    message = "^the embedded model at 127.0.0.1:9 belongs to another version of this program; install the same one"
    with pytest.raises(SetupError, match=message):
        choose_model(f"{OFFERED}0", SERVER)
