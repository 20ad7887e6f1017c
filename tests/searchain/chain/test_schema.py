"""A capable model is asked for JSON of one schema; servers take it, refuse it, or pass it over."""

import json
import re

import pytest

from lab.scripted.server import Deciding, Failure, Reply, ScriptedServer
from searchain.events import fold
from searchain.llm.grammars import INFORMED
from searchain.llm.openai import OpenAIModel
from searchain.types import Outcome
from tests.support.fakes import CITY, toy_searchain

TAGS = "[Answer]: Kyoto\n[Final Content]: Nintendo is headquartered in Kyoto [{key}]."
SENTENCE = {"text": "Nintendo is headquartered in Kyoto.", "keys": ["KEY"]}
JSON = json.dumps({"steps": [], "answer": "Kyoto", "sentences": [SENTENCE], "reply": None})


def written(request, text):
    key = re.search(r"^\[(k\d+)\] Nintendo:", request.body["messages"][-1]["content"], re.M)[1]
    return Reply(text.replace("KEY", key).replace("{key}", key))


def takes(request):
    assert request.body["response_format"]["json_schema"]["schema"] == INFORMED
    return written(request, JSON)


def refuses(request):
    if "response_format" in request.body:
        return Failure(400, "'response_format' of type 'json_schema' is not supported with this model")
    return written(request, TAGS)


SERVERS = {
    "takes it": (takes, 1),
    "refuses it": (refuses, 2),
    "passes it over": (lambda request: written(request, TAGS), 1),
    "fences it": (lambda request: written(request, f"```json\n{JSON}\n```"), 1),
}


@pytest.mark.parametrize(("decide", "requests"), SERVERS.values(), ids=SERVERS)
def test_each_kind_of_server_gives_the_same_reply(decide, requests):
    with ScriptedServer(script=[Deciding(decide, repeats=True)]) as server:
        chain = toy_searchain(reply="model")
        chain.model = OpenAIModel("scripted", server.base_url)
        turns = [fold(chain.stream(CITY)) for _ in range(2)]
    assert len(server.requests) == requests + 1  # a refusal is remembered
    for turn in turns:
        assert (turn.final_answer, turn.outcome) == ("Kyoto", Outcome.SUPPORTED)
        assert turn.answer == "Nintendo is headquartered in Kyoto [1]."
        assert "{" not in "".join(turn.chains)
