"""The MCP server: the package's real client over standard input and output, and over HTTP, over a scripted model."""

import asyncio
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from assistant import Assistant
from searchain.types import Status
from searchain.version import VERSION
from storage.collections import access as collections
from storage.database import Database
from storage.people import tokens, users
from tests.support.applications import serving  # noqa: F401
from tests.support.browser import free_port
from tests.support.scripted_chat import open_assistant
from tests.support.stories import QUESTION
from ui.api import mcp_tools
from ui.api.mcp_tools import Tools
from ui.server.access import Access, Who

ROOT = Path(__file__).parents[3]
STEPS = [
    "≠ the article disagrees: In which city does Nintendo have its headquarters? → Osaka ≠ Kyoto [Nintendo]",
    "= same in the article: On which Japanese island is Osaka? → Honshu [Kyoto]",
    "↻ the article says otherwise: In which city does Nintendo have its headquarters? → Kyoto [Nintendo]",
    "= same in the article: On which Japanese island is Kyoto? → Honshu [Kyoto]",
]
PROGRAM = [sys.executable, "-m", "tests.support.scripted_mcp"]


def check_answer(result):
    """The answer with its citations, as an object and as text."""
    assert result.is_error is False
    found = result.structured_content
    assert (found["final_answer"], found["outcome"], found["probability"]) == ("Honshu", "supported", 0.95)
    for sentence in found["sentences"]:
        assert found["answer"][sentence["start"] : sentence["end"]] == sentence["text"]
    assert [(sentence["citations"], sentence["support"]) for sentence in found["sentences"]][0][0] == [1]
    assert [(one["number"], one["title"], one["quote"]) for one in found["sources"]] == [
        (1, "Nintendo", "Kyoto"),
        (2, "Kyoto", "Honshu"),
    ]
    text = result.content[0].text
    assert text.startswith(found["answer"])
    for line in ("✓ Supported", "[1] Nintendo", "“Kyoto”", f"turn {found['turn']}", found["conversation"]):
        assert line in text
    return found


def run(work):
    return asyncio.run(asyncio.wait_for(work, 60))


def test_over_standard_input_and_output(tmp_path):
    async def talk():
        command, *args = *PROGRAM, "--db", str(tmp_path / "chat.db")
        async with Client(stdio_client(StdioServerParameters(command=command, args=args, cwd=ROOT))) as client:
            listed = (await client.list_tools()).tools
            assert (client.server_info.name, client.server_info.version) == ("searchain", VERSION)
            assert [tool.name for tool in listed] == ["ask", "check", "search", "open_source"]
            assert all(tool.output_schema and tool.annotations.read_only_hint for tool in listed)
            steps = []

            async def tell(progress, total, message):
                assert progress == len(steps) + 1
                steps.append(message)

            found = check_answer(await client.call_tool("ask", {"question": QUESTION}, progress_callback=tell))
            assert steps[0].startswith("model a scripted model")
            assert [step for step in steps if "→" in step] == STEPS
            opened = await client.call_tool("open_source", {"turn": found["turn"], "number": 2})
            whole = opened.structured_content
            assert whole["text"][whole["start"] : whole["end"]] == whole["quote"] == "Honshu"
            assert whole["text"] in opened.content[0].text
            passages = (await client.call_tool("search", {"query": "Kyoto island", "k": 2})).structured_content
            assert [one["title"] for one in passages["passages"]][:1] == ["Kyoto"]
            again = await client.call_tool("ask", {"question": QUESTION, "conversation": found["conversation"]})
            assert again.structured_content["conversation"] == found["conversation"]
            for tool, given, words in (
                ("ask", {"question": " "}, "the question is empty; write one, such as: Who founded Nintendo?"),
                ("ask", {"question": "Who?", "conversation": "nobody's"}, "there is no conversation"),
                ("ask", {"question": "Who?", "collections": ["mine"]}, "there is no collection 'mine'"),
                ("search", {"query": ""}, "the question is empty"),
                ("open_source", {"turn": found["turn"], "number": 9}, "the answer has no citation [9]"),
                ("open_source", {"turn": "01X", "number": 1}, "there is no turn"),
            ):
                refused = await client.call_tool(tool, given)
                assert refused.is_error
                assert refused.content[0].text.startswith(words)

    run(talk())


def test_nothing_but_messages_on_standard_output(tmp_path):
    about = {"name": "a test", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}
    ask = {"name": "ask", "arguments": {"question": QUESTION}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": ask},
    ]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    program = subprocess.Popen([*PROGRAM, "--db", str(tmp_path / "chat.db")], cwd=ROOT, text=True, **pipes)
    for message in messages:
        program.stdin.write(json.dumps(message) + "\n")
    program.stdin.flush()
    lines = []
    while not lines or lines[-1].get("id") != 2:
        lines.append(json.loads(program.stdout.readline()))
    program.stdin.close()
    rest, errors = program.stdout.read(), program.stderr.read()
    assert (program.wait(20), rest) == (0, "")
    assert "a library that greets" in errors
    assert "a model that thinks aloud" in errors
    assert {line["jsonrpc"] for line in lines} == {"2.0"}
    assert lines[-1]["result"]["structuredContent"]["final_answer"] == "Honshu"


@dataclass
class Site:
    """The tools over HTTP."""

    url: str
    store: Database
    assistant: Assistant

    def client(self, token=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return Client(streamable_http_client(self.url, http_client=httpx2.AsyncClient(headers=headers, timeout=60)))


@pytest.fixture(params=[Who.USERS])
def shared(store, request, serving):
    assistant = open_assistant(db=store.path)
    access = Access(request.param, store, at_once=1)
    for name in ("ann", "ben") if request.param is Who.USERS else ():
        users.add(store, users.new(name, "chat", "correct horse"))
    yield Site(f"{serving(mcp_tools.app(Tools(assistant, access).server(), access))}/mcp", store, assistant)
    assistant.close()


@pytest.mark.parametrize("shared", [Who.LOCAL], indirect=True)
def test_over_http_for_the_person_at_this_machine(shared):
    async def talk():
        async with shared.client() as client:
            return check_answer(await client.call_tool("ask", {"question": QUESTION}))

    found = run(talk())
    assert shared.assistant.turn(found["turn"]).final_answer == "Honshu"
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
        assert httpx.post(shared.url, json=body, headers=headers).status_code == 403


def test_over_http_each_token_sees_its_own(shared):
    ann, ben = tokens.issue(shared.store, "ann"), tokens.issue(shared.store, "ben")
    collections.create(shared.store, "ann", "papers")

    async def talk():
        async with shared.client(ann) as client:
            found = check_answer(await client.call_tool("ask", {"question": QUESTION}))
            both = await asyncio.gather(*(client.call_tool("ask", {"question": QUESTION}) for _ in range(2)))
            (refused,) = [one for one in both if one.is_error]
            assert "at once" in refused.content[0].text or "already" in refused.content[0].text
            users.allow(shared.store, "ann", 10)
            refused = await client.call_tool("ask", {"question": QUESTION})
            assert refused.content[0].text.startswith("your budget of 10 tokens a day is spent; ask again after 00:00")
        async with shared.client(ben) as client:
            for tool, given in (
                ("open_source", {"turn": found["turn"], "number": 1}),
                ("ask", {"question": "Who?", "conversation": found["conversation"]}),
                ("search", {"query": "Kyoto", "collections": ["papers"]}),
            ):
                refused = await client.call_tool(tool, given)
                assert refused.is_error
                assert refused.content[0].text.startswith("there is no ")
        return found

    found = run(talk())
    assert shared.assistant.turn(found["turn"], owner="ann").final_answer == "Honshu"
    for headers in ({}, {"Authorization": "Bearer sc-nonsense"}):
        answer = httpx.post(shared.url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert answer.json()["error"].startswith("a valid token is needed")


def test_whoever_cancels_stops_the_run(shared):
    token = tokens.issue(shared.store, "ann")

    async def talk():
        async with shared.client(token) as client:
            asked = asyncio.create_task(client.call_tool("ask", {"question": QUESTION}))
            while not shared.assistant.overview(owner="ann"):
                await asyncio.sleep(0.02)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            (conversation,) = shared.assistant.overview(owner="ann")
            while (turn := shared.assistant.turns(conversation.id, owner="ann")[0][1]).status is None:
                await asyncio.sleep(0.02)
            return turn.status

    assert run(talk()) is Status.STOPPED


def test_under_a_public_name_no_other_one_is_answered(store):
    users.add(store, users.new("ann", "chat", "correct horse"))
    token, port = tokens.issue(store, "ann"), free_port()
    options = ["--http", "--port", str(port), "--public-url", "https://chat.example.org", "--db", store.path]
    out = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    program = subprocess.Popen([*PROGRAM, *options], cwd=ROOT, text=True, **out)
    try:
        while " · " not in (line := program.stdout.readline()):
            assert line
        assert line.endswith(" · https://chat.example.org/mcp\n")
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
        client = httpx.Client(transport=httpx.HTTPTransport(retries=50), trust_env=False, headers=headers)
        asked = [
            client.post(f"http://127.0.0.1:{port}/mcp", json=body, headers={"Host": host}).status_code
            for host in ("chat.example.org", f"127.0.0.1:{port}", "evil.example")
        ]
        assert asked == [200, 200, 403]
    finally:
        program.terminate()
        program.wait(20)
