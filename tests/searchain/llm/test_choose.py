"""Flags, else the environment, else the embedded model."""

import pytest

from searchain.errors import UsageError
from searchain.llm.choose import choose_model
from searchain.llm.scripted_server import Reply, ScriptedServer
from searchain.types import Message

EMBEDDED = "SmolLM2-135M (embedded)"
SERVER = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("model", "base_url", "env", "name"),
    [
        (None, None, {}, EMBEDDED),
        (None, None, {"OPENAI_API_KEY": "sk-x"}, EMBEDDED),
        ("gpt-x", None, {}, "gpt-x at api.openai.com"),
        ("qwen", SERVER, {}, "qwen at 127.0.0.1:9"),
        (None, None, {"SEARCHAIN_MODEL": "gpt-x"}, "gpt-x at api.openai.com"),
        (None, None, {"SEARCHAIN_MODEL": "qwen", "SEARCHAIN_BASE_URL": SERVER}, "qwen at 127.0.0.1:9"),
        ("llama", None, {"SEARCHAIN_MODEL": "qwen", "SEARCHAIN_BASE_URL": SERVER}, "llama at 127.0.0.1:9"),
        (None, SERVER, {"SEARCHAIN_MODEL": "qwen"}, "qwen at 127.0.0.1:9"),
        ("m", "https://user:secret@example.org/v1", {}, "m at example.org"),
    ],
)
def test_what_was_asked_for_is_used(model: str | None, base_url: str | None, env: dict[str, str], name: str) -> None:
    assert choose_model(model, base_url, env).name == name


def test_a_server_with_one_model_needs_no_model_name_and_gets_the_key() -> None:
    with ScriptedServer(script=[Reply("Honshu.")], models=["only"], key="sk-x") as server:
        model = choose_model(base_url=server.base_url, env={"OPENAI_API_KEY": "sk-x"})
        assert next(model.stream([Message("user", "Where is Kyoto?")])) == "Honsh"
    assert model.name == f"only at {server.base_url.split('/')[2]}"


@pytest.mark.parametrize(("models", "what"), [(["a", "b"], r"several models \(a, b\)"), ([], "no model")])
def test_a_server_with_several_models_or_none_asks_for_a_choice(models: list[str], what: str) -> None:
    message = rf"^the server at 127.0.0.1:\d+ offers {what}; choose one with --model or SEARCHAIN_MODEL$"
    with ScriptedServer(models=models) as server, pytest.raises(UsageError, match=message):
        choose_model(base_url=server.base_url, env={})
