"""The endpoints for programs: the real gradio_client against the real server, and the examples of docs/api.md."""

import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from searchain.events import to_payload
from searchain.turn_json import as_json
from searchain.types import Status
from storage.log import event_log
from storage.people import tokens
from tests.support.served_page import ServedPage, served_page
from tests.support.stories import QUESTION, ending, nintendo, started
from tests.support.story_runs import StoryPlayer, store_run
from ui.server.access import VISITOR, Who

EXAMPLES = re.findall(
    r"```python\n(.*?)```", (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8"), re.DOTALL
)
GIVEN = 'url, token = "http://127.0.0.1:7860/", "sc-…"\n'
NEEDS_TOKEN = (
    "a token is needed: Client(url, headers={'Authorization': 'Bearer TOKEN'}); make one with: "
    "python assistant.py user token NAME"
)


def story(question: str):
    if question == "fail":
        return (*started(question), ending(Status.FAILED, message="no answer from api.example.org; check --base-url"))
    return nintendo(question)


class Site(ServedPage):
    """A served page with tokens of its users."""

    def token(self, name: str) -> str:
        return tokens.issue(self.store, name)


def made(folder: Path, who: Who, per_hour: int = 1_000) -> Iterator[Site]:
    player = StoryPlayer(story)
    rules = {"answers_to_any_host": True, "at_once": 10, "per_hour": per_hour}
    with served_page(folder, who, player=player, exports=True, api=True, **rules) as served:
        yield Site(**vars(served))


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from made(tmp_path_factory.mktemp("local"), Who.LOCAL)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from made(tmp_path_factory.mktemp("shared"), Who.USERS)


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from made(tmp_path_factory.mktemp("public"), Who.ANYBODY, per_hour=2)


@pytest.fixture
def connect() -> Iterator[Callable[..., Client]]:
    opened = []

    def connect(site: Site, token: str | None = None, **headers: str) -> Client:
        given = {"Authorization": f"Bearer {token}"} if token else headers
        opened.append(Client(site.url, headers=given, analytics_enabled=False, verbose=False))
        return opened[-1]

    yield connect
    for client in opened:
        client.close()


def test_ask_streams_the_stored_events_and_ends_with_the_result(local: Site, connect):
    *events, result = connect(local).submit(QUESTION, api_name="/ask")
    stored = event_log.events(local.store, result["turn"])
    assert events == [{"seq": event.seq, **to_payload(event.event)} for event in stored]
    assert result == as_json(
        event_log.turn(local.store, result["turn"]), conversation=result["conversation"], turn_id=result["turn"]
    )
    assert (result["final_answer"], result["question"]) == ("Honshu", QUESTION)


def test_a_conversation_is_continued_and_told(local: Site, connect):
    client = connect(local)
    first = client.predict(QUESTION, api_name="/ask")
    second = client.predict("And who founded it?", conversation=first["conversation"], api_name="/ask")
    assert [exchange.question for exchange in local.player.histories[-1]] == [QUESTION]
    assert client.predict(first["conversation"], api_name="/conversation") == [first, second]


@pytest.mark.parametrize(
    ("endpoint", "given", "message"),
    [
        ("/ask", "", "the question is empty; write one, such as: Who founded Nintendo?"),
        ("/ask", "x" * 5_000, "the question has 5,000 characters; ask it in 4,000 or fewer"),
        ("/ask", "fail", "no answer from api.example.org; check --base-url"),
        ("/conversation", "nowhere", "there is no conversation 'nowhere'"),
        ("/ask", 5, "'question' is no text"),
        ("/conversation", 5, "'conversation' is no text"),
    ],
)
def test_what_is_refused_says_why_in_one_line(local: Site, connect, capfd, endpoint: str, given: object, message: str):
    with pytest.raises(AppError) as caught:
        connect(local).predict(given, api_name=endpoint)
    assert str(caught.value) == message
    assert "Traceback" not in "".join(capfd.readouterr())


def test_only_the_two_endpoints_are_there(local: Site, connect):
    client = connect(local)
    assert list(client.view_api(return_format="dict")["named_endpoints"]) == ["/ask", "/conversation"]
    private = [endpoint for endpoint in client.endpoints.values() if endpoint.api_name not in ("/ask", "/conversation")]
    assert private
    for endpoint in private:
        with pytest.raises(ValueError, match="Invalid function index"):
            client.predict(fn_index=endpoint.fn_index)


def post(site: Site, path: str, body: object) -> tuple[int, dict]:
    status, _, text = site.request(f"/gradio_api/{path}", body=body, content_type="application/json")
    return status, json.loads(text)


@pytest.mark.parametrize(
    "path",
    (
        "call/ask_1 call/ask_1/ call/v2/ask_1 call/stop call/open call/nowhere call/v2/nowhere api/predict run/predict"
    ).split(),
)
def test_no_other_name_is_called(local: Site, capfd, path: str):
    assert post(local, path, {"data": [QUESTION, None, None, ""]}) == (
        404,
        {"error": "there is no such endpoint; there are: /ask, /conversation"},
    )
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("call/ask", {"data": []}, '/ask takes {"data": [question, conversation or null]}'),
        ("call/ask", {"data": "x"}, '/ask takes {"data": [question, conversation or null]}'),
        ("call/conversation", {}, '/conversation takes {"data": [conversation]}'),
        ("call/v2/ask", {}, '/ask takes {"question": …, "conversation": …}'),
        ("call/v2/ask", {"question": "x", "y": 1}, '/ask takes {"question": …, "conversation": …}'),
        ("call/ask", b"{", "the body is not JSON"),
        ("call/ask", b"\xff", "the body is not JSON"),
        ("call/v2/ask", [], "the body is not a JSON object"),
    ],
)
def test_a_call_without_its_arguments_is_told_them(local: Site, capfd, path: str, body: object, message: str):
    assert post(local, path, body) == (422, {"error": message})
    assert "Traceback" not in "".join(capfd.readouterr())


def test_made_up_events_of_the_page_leave_no_traceback(local: Site, capfd):
    with urllib.request.urlopen(f"{local.url}config") as answer:
        handlers = [(one["id"], len(one["inputs"])) for one in json.load(answer)["dependencies"]]
    assert len(handlers) > 8
    odd: list[object] = [None, "x", 5, {"a": 1}, ["x"], "x" * 9_000, "\x00"]
    told = [None, {}, {"index": 0, "value": 5}, {"value": {"text": ["x"]}}, {"turn": 5, "question": "why?"}, 5, "x"]
    joined = refused = 0
    for number, inputs in [*handlers, (-1, 1), (99, 1)]:
        bodies = [
            *({"data": [value] * inputs, "event_data": event} for value, event in zip(odd, told, strict=True)),
            {"data": []},
            {"data": ["x"] * (inputs + 1)},
            {"data": "x"},
            {"data": ["x"] * inputs, "batched": True},
            {"data": ["x"] * inputs, "trigger_id": 10**9},
            {"data": ["x"] * inputs, "trigger_id": "x"},
            {},
        ]
        for place, body in enumerate(bodies):
            session = f"made{number}up{place}"
            status, _ = post(local, "queue/join", body | {"fn_index": number, "session_hash": session})
            assert status in (200, 404, 422)
            refused += status != 200
            if status == 200:
                joined += 1
                with urllib.request.urlopen(f"{local.url}gradio_api/queue/data?session_hash={session}") as answer:
                    assert b"close_stream" in answer.read()
            assert post(local, "run/predict", body | {"fn_index": number})[0] in (200, 404, 422, 500)
    assert joined > 20
    assert refused > 50
    assert "Traceback" not in "".join(capfd.readouterr())


def test_where_people_sign_in_a_token_is_the_key(shared: Site, connect):
    for headers in (
        {},
        {"Authorization": "Bearer sc-wrong"},
        {"Authorization": "Basic YW5uOmNvcnJlY3QgaG9yc2U="},
        {"Authorization": f"Bearer {tokens.issue(shared.store, 'local')}"},
    ):
        with pytest.raises(Exception, match="credentials were not provided"):
            connect(shared, **headers)
    result = connect(shared, shared.token("ann")).predict(QUESTION, api_name="/ask")
    assert event_log.check(shared.store, result["turn"], "ann") == result["conversation"]


def test_a_token_opens_its_users_conversations_alone(shared: Site, connect):
    theirs = store_run(shared.store, owner="bob").conversation
    ann, bob = connect(shared, shared.token("ann")), connect(shared, shared.token("bob"))
    assert len(bob.predict(theirs, api_name="/conversation")) == 1
    for endpoint, given in (("/conversation", [theirs]), ("/ask", ["And?", theirs])):
        with pytest.raises(AppError, match="there is no conversation"):
            ann.predict(*given, api_name=endpoint)


def test_visitors_chat_in_the_browser_alone_and_users_within_their_limits(public: Site, connect):
    visitor = connect(public, Cookie=f"{VISITOR}={'a' * 32}")
    for endpoint, given in (
        ("/ask", QUESTION),
        ("/conversation", store_run(public.store, owner=f"visitor:{'a' * 32}").conversation),
    ):
        with pytest.raises(AppError) as caught:
            visitor.predict(given, api_name=endpoint)
        assert str(caught.value) == NEEDS_TOKEN
    ann = connect(public, public.token("ann"))
    for _ in range(2):
        ann.predict(QUESTION, api_name="/ask")
    with pytest.raises(AppError, match="2 questions an hour are allowed"):
        ann.predict(QUESTION, api_name="/ask")


def test_the_examples_of_the_documentation_run(shared: Site, capsys):
    assert EXAMPLES[0] == GIVEN
    assert len(EXAMPLES) == 7
    names = {"url": shared.url, "token": shared.token("ann")}
    for example in EXAMPLES[1:]:
        exec(example, names)
    names["client"].close()
    said = capsys.readouterr().out
    for part in (
        "Honshu ['Nintendo', 'Kyoto']\n",
        "asks On which island is Kyoto?\n",
        "found Kyoto instead of Tokyo\n",
        "Who painted it? answered Nintendo has its headquarters in Kyoto [1].",
        "https://en.wikipedia.org/wiki/Nintendo",
        "url_citation Nintendo [1]\n",
        "[^",
    ):
        assert part in said
