"""Texts checked over HTTP and MCP: whole and by sentences, with a token, and only against what its user may read."""

import asyncio
import json
from pathlib import Path

import pytest
from mcp import Client

from storage.collections import access
from tests.support import checks
from tests.support.api_site import Site, told
from tests.support.story_runs import StoryPlayer
from ui.api.mcp_tools import Tools
from ui.server.access import Access, Who

TEXT = "Hello! The rent is 900 euros. It is <b>950</b> 950 euros."


@pytest.fixture
def site(tmp_path: Path):
    for served in told(tmp_path, StoryPlayer()):
        served.assistant._make_checker = checks.checker
        access.create(served.store, "ann", "flat")
        access.create(served.store, "bob", "secret")
        yield served


def post(site: Site, values: object, **options):
    return site.raw("/v1/check", json.dumps(values).encode(), **options)


def test_a_text_is_checked_and_stored_also_by_the_tool_of_mcp(site: Site):
    status, found = post(site, {"text": TEXT, "collections": ["flat"]})
    assert status == 200
    assert [one["support"] for one in found["sentences"]] == ["own", "supported", "contradicted"]
    assert found["collections"] == ["flat"]
    (turn,) = site.turns()
    assert (found["turn"], site.assistant.turn(turn, owner="ann").answer) == (turn, found["answer"])
    assert post(site, {"text": TEXT}, token=None)[0] == 401

    async def call():
        async with Client(Tools(site.assistant, Access(Who.LOCAL, site.store)).server()) as client:
            return await client.call_tool("check", {"text": TEXT})

    result = asyncio.run(call())
    assert result.is_error is False
    assert [one["support"] for one in result.structured_content["sentences"]] == ["own", "supported", "contradicted"]
    assert "contradicted (“950”): It is <b>950</b> 950 euros [2]." in result.content[0].text


def test_the_sentences_come_one_by_one(site: Site):
    body = json.dumps({"text": TEXT, "stream": True}).encode()
    _, headers, sent = site.request("/v1/check", "POST", body, Authorization=f"Bearer {site.token}")
    assert headers["content-type"].startswith("text/event-stream")
    *lines, done = [line.removeprefix("data: ") for line in sent.split("\n\n") if line]
    events = [json.loads(line) for line in lines]
    assert done == "[DONE]"
    assert [one["type"] for one in events] == ["sentence"] * 3 + ["result"]
    assert events[2]["sources"][0]["text"] == checks.LEASE.text
    assert events[3]["sentences"][2] == events[2]["sentence"]


@pytest.mark.parametrize(
    ("values", "status", "said"),
    [
        ({"text": "Pets are allowed.", "collections": ["secret"]}, 404, "secret"),
        ({"text": "Pets are allowed.", "collections": ["nowhere"]}, 404, "nowhere"),
        ({"text": "  "}, 400, "the text is empty"),
        ({"words": "Pets are allowed."}, 400, "text is missing"),
        ({"text": "Pets.", "collections": "flat"}, 400, "collections is missing or of a wrong type"),
    ],
)
def test_what_cannot_be_checked_is_refused(site: Site, values, status, said):
    found, answer = post(site, values)
    assert found == status
    assert said in answer["error"]["message"]
