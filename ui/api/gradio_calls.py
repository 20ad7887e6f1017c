"""Checks POST bodies for Gradio: the arguments of the two endpoints, and the events of the page's scripts.

Gradio itself passes any values to its handlers and prints a traceback if they fail.
"""

import json
import re
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Literal

import gradio as gr
from gradio.route_utils import FnIndexInferError
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant import Assistant
from searchain.errors import SearChainError
from searchain.events import Turn, fold, to_payload
from searchain.turn_json import as_json
from storage.people.users import Role
from ui.api.following import REPLIED
from ui.server.access import Access, Person, browser_of
from ui.server.json_routes import Body

PARAMETERS = {"ask": {"question": True, "conversation": False}, "conversation": {"conversation": True}}
"""The parameters of each endpoint in order, with whether each is required."""
_CALL = re.compile(r"/gradio_api/call/(?P<is_named>v2/)?(?P<name>[^/]+)(/[^/]*)?")
_EVENT = re.compile(r"/gradio_api/(queue/join|(run|api)/(?P<name>[^/]+))/?")
_STREAM = re.compile(r"/gradio_api/queue/data/?")
_NONE = f"there is no such endpoint; there are: {', '.join(f'/{name}' for name in PARAMETERS)}"
_NO_EVENT = "this is no event of the page; reload it"
_NO_SESSION = "nothing was asked in this session; reload the page"
_HEARTBEAT = re.compile(r"/gradio_api/heartbeat/(?P<session>[^/]+)/?")
_RESULT = re.compile(r"/gradio_api/call/(v2/)?[^/]+/(?P<event>[^/]+)/?")
_OF_SESSION = re.compile(r"/gradio_api/(cancel|reset|component_server)/?")
_BOUND = 20_000
"""Sessions and events of which the owner is known."""


class _Event(Body):
    """An event of the page, as Gradio's scripts and ``gradio_client`` send it."""

    fn_index: int | None = None
    data: list[Any]
    event_data: dict[str, Any] | None = None
    trigger_id: int | None = None
    session_hash: str | None = None
    event_id: str | None = None
    simple_format: Literal[False] = False
    batched: Literal[False] | None = False


class Owners:
    """The browser that opened each session of Gradio, and called each event: only it may go on with it."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}

    def may(self, id: str, scope: Scope) -> bool:
        """Return whether no other browser opened ``id``."""
        return self._owners.get(id, _owner(scope)) == _owner(scope)

    def open(self, id: str, scope: Scope) -> bool:
        """Return ``may``; if none had opened ``id``, the request's browser has now."""
        opened = self._owners.pop(id, _owner(scope))
        self._owners[id] = opened  # at the end: those that were not used for longest are forgotten
        while len(self._owners) > _BOUND:
            del self._owners[next(iter(self._owners))]
        return opened == _owner(scope)

    def binding(self, scope: Scope, send: Send) -> Send:
        """Return a ``send`` that notes whose the event in the response is."""

        async def bind(message: Message) -> None:
            with suppress(ValueError, KeyError, TypeError):
                if body := message.get("body"):
                    self.open(json.loads(body)["event_id"], scope)
            await send(message)

        return bind


class Calls:
    """ASGI middleware that answers invalid calls, and calls in another's session, with one line."""

    def __init__(
        self, app: ASGIApp, inputs: Mapping[int, int], sessions: Container[str], on_closed: Callable[[str], None]
    ) -> None:
        """``inputs`` maps Gradio's number of each handler to the number of its arguments.

        ``sessions`` holds the session hashes whose events are being streamed. ``on_closed`` is called with the session
        hash of each page that was closed.
        """
        self._app, self._inputs, self._sessions, self._on_closed = app, inputs, sessions, on_closed
        self._owners = Owners()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        call, event = _CALL.fullmatch(path), _EVENT.fullmatch(path)
        if call is not None and call["name"] not in PARAMETERS:
            await _refusal(_NONE, 404)(scope, receive, send)
            return
        if not self._is_own(path, scope):
            await _refusal(_NO_SESSION, 404)(scope, receive, send)
            return
        if heartbeat := _HEARTBEAT.fullmatch(path):
            try:
                await self._app(scope, receive, send)
            finally:
                self._on_closed(heartbeat["session"])
            return
        of_session = _OF_SESSION.fullmatch(path)
        if (call is None and event is None and of_session is None) or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            body = await Request(scope, receive).body()
        except ClientDisconnect:
            return
        refusal = self._refusal_of(call, event, body)
        if refusal is None and not all([self._owners.open(id, scope) for id in _named(body)]):
            refusal = _refusal(_NO_SESSION, 404)
        await (refusal or self._app)(scope, _again(body, receive), self._owners.binding(scope, send))

    def _refusal_of(self, call: re.Match[str] | None, event: re.Match[str] | None, body: bytes) -> Response | None:
        """Return the error response to a body that is not that of its call or event."""
        if call:
            return _refusal_of_call(call, body)
        return self._refusal_of_event(event["name"], body) if event else None

    def _is_own(self, path: str, scope: Scope) -> bool:
        """Return whether what a path names, a session or an event, is the requester's."""
        if _STREAM.fullmatch(path):
            session = Request(scope).query_params.get(
                "session_hash", ""
            )  # unknown: Gradio breaks off what it has begun
            return session in self._sessions and self._owners.may(session, scope)
        if heartbeat := _HEARTBEAT.fullmatch(path):
            return self._owners.open(heartbeat["session"], scope)
        result = _RESULT.fullmatch(path)
        return result is None or self._owners.may(result["event"], scope)

    def _refusal_of_event(self, name: str | None, body: bytes) -> Response | None:
        try:
            event = _Event.model_validate_json(body)
        except ValidationError:
            return _refusal(_NO_EVENT, 422)
        if event.fn_index is not None:
            wanted = self._inputs.get(event.fn_index)
        elif name in PARAMETERS:
            wanted = len(PARAMETERS[name])
        else:
            return _refusal(_NONE, 404)
        return None if wanted == len(event.data) else _refusal(_NO_EVENT, 422)


async def no_endpoint(request: Request, error: FnIndexInferError) -> Response:
    """Return the error response for a call that names no handler."""
    return _refusal(_NONE, 404)


def _refusal_of_call(call: re.Match[str], body: bytes) -> Response | None:
    """Return the error response if the arguments of a call are wrong."""
    name, parameters = call["name"], PARAMETERS[call["name"]]
    try:
        values: Any = json.loads(body)
    except (ValueError, RecursionError):
        return _refusal("the body is not JSON", 422)
    if not isinstance(values, dict):
        return _refusal("the body is not a JSON object", 422)
    if call["is_named"]:
        form = "{" + ", ".join(f'"{name}": …' for name in parameters) + "}"
    else:
        wanted = ", ".join(name if is_needed else f"{name} or null" for name, is_needed in parameters.items())
        form = f'{{"data": [{wanted}]}}'
    if call["is_named"]:
        given = values.keys() - {"oauth_token"}  # which Gradio takes out by itself
        is_right = {name for name, is_needed in parameters.items() if is_needed} <= given <= parameters.keys()
    else:
        data = values.get("data")
        is_right = isinstance(data, list) and len(data) == len(parameters)
    return None if is_right else _refusal(f"/{name} takes {form}", 422)


def _owner(scope: Scope) -> str:
    return browser_of(Headers(scope=scope))


def _named(body: bytes) -> list[str]:
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        return []
    found = [values.get(name) for name in ("session_hash", "event_id")] if isinstance(values, dict) else []
    return [one for one in found if isinstance(one, str)]


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that repeats the body, which has already been read."""
    is_given = False

    async def again() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _refusal(message: str, status: int) -> Response:
    return JSONResponse({"error": message}, status)


class Endpoints:
    """The functions that become endpoints. They serve the local person, or users with a token."""

    def __init__(self, assistant: Assistant, index: str, access: Access) -> None:
        self._assistant, self._index, self._access = assistant, index, access

    def add(self) -> None:
        """Register the endpoints in the enclosing ``gr.Blocks``."""
        for function, name in ((self.ask, "ask"), (self.conversation, "conversation")):
            gr.api(function, api_name=name, concurrency_limit=None)

    def ask(self, question: str, request: gr.Request, conversation: str | None = None) -> Iterator[dict[str, Any]]:
        """Answer a question: first the run's events as they come, each with its ``seq``, last the result.

        An event has a ``type``; the result is the object that ``ask --json`` prints. ``conversation`` continues one.
        The run goes on when the client leaves.
        """
        person = self._person(request)
        _check(question=question, conversation="" if conversation is None else conversation)
        try:
            started = self._access.start(
                person,
                request.client.host if request.client else None,
                partial(
                    self._assistant.start, question, conversation=conversation, owner=person.owner, index=self._index
                ),
            )
            turn = Turn()
            for stored in self._assistant.follow(started.turn, owner=person.owner):
                turn = fold([stored.event], turn)
                yield {"seq": stored.seq, **to_payload(stored.event)}
        except SearChainError as error:
            raise _refused(str(error)) from error
        if turn.status not in REPLIED:
            raise _refused(turn.message or f"the run was {turn.status}")
        place_of = self._assistant.place_of(owner=person.owner)
        yield as_json(turn, conversation=started.conversation, turn_id=started.turn, place_of=place_of)

    def conversation(self, conversation: str, request: gr.Request) -> list[dict[str, Any]]:
        """The turns of a conversation in order, each as ``ask --json`` prints it; a running one has no status yet."""
        person = self._person(request)
        _check(conversation=conversation)
        try:
            turns = self._assistant.turns(conversation, owner=person.owner)
        except SearChainError as error:
            raise _refused(str(error)) from error
        place_of = self._assistant.place_of(owner=person.owner)
        return [as_json(turn, conversation=conversation, turn_id=id, place_of=place_of) for id, turn in turns]

    def _person(self, request: gr.Request) -> Person:
        person = self._access.person(request.headers)
        if person is None or not person.may(Role.CHAT):
            raise _refused(
                "a token is needed: Client(url, headers={'Authorization': 'Bearer TOKEN'}); make one with: "
                "python assistant.py user token NAME"
            )
        return person


def _check(**given: Any) -> None:
    for name, value in given.items():
        if not isinstance(value, str):
            raise _refused(f"{name!r} is no text")


def _refused(message: str) -> gr.Error:
    return gr.Error(message, print_exception=False)  # it is the client's to read, not the operator's
