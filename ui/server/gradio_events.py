"""Checks what a browser posts to Gradio: only events that the page has, and only in the browser's own sessions.

Gradio itself passes any values to its handlers and prints a traceback if they fail.
"""

import json
import re
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any, Literal

from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.access import browser_of
from ui.server.json_routes import Body, error_answer
from ui.server.receiving import repeated

_EVENT = re.compile(r"/gradio_api/(queue/join|run/[^/]+)/?")
_STREAM = re.compile(r"/gradio_api/queue/data/?")
_NO_EVENT = "this is no event of the page; reload it"
_NO_SESSION = "nothing was asked in this session; reload the page"
_HEARTBEAT = re.compile(r"/gradio_api/heartbeat/(?P<session>[^/]+)/?")
_OF_SESSION = re.compile(r"/gradio_api/(cancel|reset|component_server)/?")
_BOUND = 20_000  # sessions and events of which the owner is known


class _Event(Body):
    """An event of the page, as Gradio's scripts send it."""

    fn_index: int
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


class Events:
    """ASGI middleware that refuses events that the page does not have, and those in another's session."""

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
        if not self._is_own(path, scope):
            await error_answer(404, _NO_SESSION)(scope, receive, send)
            return
        if heartbeat := _HEARTBEAT.fullmatch(path):
            try:
                await self._app(scope, receive, send)
            finally:
                self._on_closed(heartbeat["session"])
            return
        is_event = _EVENT.fullmatch(path) is not None
        if not (is_event or _OF_SESSION.fullmatch(path)) or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            body = await Request(scope, receive).body()
        except ClientDisconnect:
            return
        refusal = None
        if is_event and not self._is_of_page(body):
            refusal = error_answer(422, _NO_EVENT)
        elif not all([self._owners.open(id, scope) for id in _named(body)]):
            refusal = error_answer(404, _NO_SESSION)
        await (refusal or self._app)(scope, repeated(BytesIO(body), receive), self._owners.binding(scope, send))

    def _is_own(self, path: str, scope: Scope) -> bool:
        """Return whether the session that a path names is the requester's."""
        if _STREAM.fullmatch(path):
            # of an unknown session Gradio breaks off what it has begun
            session = Request(scope).query_params.get("session_hash", "")
            return session in self._sessions and self._owners.may(session, scope)
        heartbeat = _HEARTBEAT.fullmatch(path)
        return heartbeat is None or self._owners.open(heartbeat["session"], scope)

    def _is_of_page(self, body: bytes) -> bool:
        try:
            event = _Event.model_validate_json(body)
        except ValidationError:
            return False
        return self._inputs.get(event.fn_index) == len(event.data)


def _owner(scope: Scope) -> str:
    return browser_of(Headers(scope=scope))


def _named(body: bytes) -> list[str]:
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        return []
    found = [values.get(name) for name in ("session_hash", "event_id")] if isinstance(values, dict) else []
    return [one for one in found if isinstance(one, str)]
