"""The real client against servers that imitate the documented wire formats of ten kinds of endpoint."""

import pytest

from lab.scripted.server import ScriptedServer
from searchain.errors import ContextTooLong, UnknownModel, WrongKey
from searchain.events import fold
from searchain.llm.base import Cut, CutReason, Retried, Thought
from searchain.llm.openai import OpenAIModel, Timeouts
from searchain.types import Message, Status, Usage
from tests.support.behaviours import Cautious
from tests.support.fakes import QUESTION, around
from tests.support.server_profiles import CONTEXT, KEY, PROFILES, THOUGHTS, Profile

ASK = [Message("user", QUESTION)]
every = pytest.mark.parametrize("profile", PROFILES, ids=[one.name for one in PROFILES])


def serving(profile: Profile) -> ScriptedServer:
    return ScriptedServer(script=profile.script(), models=(profile.model, "x"))


def model(profile: Profile, server: ScriptedServer, key: str | None = KEY, name: str = "") -> OpenAIModel:
    return OpenAIModel(name or profile.model, server.base_url, key, timeouts=Timeouts(first_token=5, stall=5))


@every
def test_a_question_is_answered_and_its_cost_known(profile: Profile) -> None:
    with serving(profile) as server:
        chosen = model(profile, server, KEY if profile.has_key else None)
        searchain = around(chosen, probability=Cautious(), first_call="plan", max_seconds=60, max_tokens=1_000_000)
        turn = fold(searchain.stream(QUESTION))
        assert (turn.status, turn.final_answer) == (Status.ANSWERED, "Honshu"), turn.message
        assert "moon" not in turn.answer
        assert turn.usage.completion_tokens > 20
        assert not any("moon" in node.query for node in turn.nodes)
        if profile.thoughts == THOUGHTS:
            assert "What is the moon made of?" in turn.thoughts
        refusals = [set(profile.rejects) & set(request.body) for request in server.requests]
        assert sum(map(bool, refusals)) == len(profile.rejects)  # each is left out from then on


@every
def test_a_reply_that_reaches_its_limit_says_so(profile: Profile) -> None:
    with serving(profile) as server:
        told = list(model(profile, server).stream(ASK, max_tokens=4))
    usage = told[-1]
    assert isinstance(usage, Usage)
    assert usage.prompt_tokens >= 100 or "stream_options" in profile.rejects
    if profile.counts_thoughts:  # the model thought the limit away, so it was asked again without
        assert [one.action for one in told if isinstance(one, Retried)] == ["asked again without that limit"]
        assert "".join(one for one in told if isinstance(one, str)).endswith("Honshu\n")
    else:
        assert [one.reason for one in told if isinstance(one, Cut)] == [CutReason.LENGTH]
        assert 0 < len("".join(one for one in told if isinstance(one, str)).strip()) <= 32
    if profile.thoughts == THOUGHTS:
        assert "".join(one.text for one in told if isinstance(one, Thought)).strip() == THOUGHTS


@every
@pytest.mark.parametrize(
    ("kind", "error"),
    [("key", WrongKey), ("model", UnknownModel), ("context", ContextTooLong)],
    ids=lambda one: str(one),
)
def test_an_error_names_its_cause(profile: Profile, kind: str, error: type[Exception]) -> None:
    if kind not in profile.messages:
        pytest.skip("asks for no key")
    asked = [Message("user", "x" * (CONTEXT + 1))] if kind == "context" else ASK
    with serving(profile) as server, pytest.raises(error) as caught:
        list(model(profile, server, "sk-wrong" if kind == "key" else KEY, "x" if kind == "model" else "").stream(asked))
    assert "sk-wrong" not in str(caught.value)
    assert "\n" not in str(caught.value)
