"""Checks POST bodies for Gradio: the arguments of the two endpoints, and the events of the page's scripts.

Gradio itself passes any values to its handlers and prints a traceback if they fail.
"""

import json
import re
from collections.abc import Container, Mapping
from typing import Any, Literal

from gradio.route_utils import FnIndexInferError
from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.api.gradio_endpoints import PARAMETERS
from ui.server.json_routes import Body

_CALL = re.compile(r"/gradio_api/call/(?P<is_named>v2/)?(?P<name>[^/]+)(/[^/]*)?")
_EVENT = re.compile(r"/gradio_api/(queue/join|(run|api)/(?P<name>[^/]+))/?")
_STREAM = re.compile(r"/gradio_api/queue/data/?")
_NONE = f"there is no such endpoint; there are: {', '.join(f'/{name}' for name in PARAMETERS)}"
_NO_EVENT = "this is no event of the page; reload it"
_NO_SESSION = "nothing was asked in this session; reload the page"


def _by_name(name: str) -> type[BaseModel]:
    """Return the model of a body of ``/call/v2/NAME``."""
    fields: dict[str, Any] = {one: (Any, ... if is_needed else None) for one, is_needed in PARAMETERS[name].items()}
    fields["oauth_token"] = (Any, None)  # which Gradio takes out by itself
    return create_model(name, __config__=ConfigDict(extra="forbid"), **fields)


_BY_NAME = {name: _by_name(name) for name in PARAMETERS}


class _ByPosition(Body):
    """The body of ``/call/NAME``."""

    data: list[Any]


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


class Calls:
    """ASGI middleware that answers invalid calls with one line."""

    def __init__(self, app: ASGIApp, inputs: Mapping[int, int], sessions: Container[str]) -> None:
        """``inputs`` maps Gradio's number of each handler to the number of its arguments.

        ``sessions`` holds the session hashes whose events are being streamed.
        """
        self._app, self._inputs, self._sessions = app, inputs, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        call, event = _CALL.fullmatch(path), _EVENT.fullmatch(path)
        if call is not None and call["name"] not in PARAMETERS:
            await _refusal(_NONE, 404)(scope, receive, send)
            return
        if _STREAM.fullmatch(path) and Request(scope).query_params.get("session_hash", "") not in self._sessions:
            await _refusal(_NO_SESSION, 404)(scope, receive, send)  # else Gradio breaks off what it has begun to send
            return
        if (call is None and event is None) or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            body = await Request(scope, receive).body()
        except ClientDisconnect:
            return
        name = event["name"] if event else None
        refusal = _refusal_of_call(call, body) if call else self._refusal_of_event(name, body)
        await (refusal or self._app)(scope, _again(body, receive), send)

    def _refusal_of_event(self, name: str | None, body: bytes) -> Response | None:
        """Return the error response if the body is neither an event of the page nor a call of the endpoint ``name``."""
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
    try:
        if call["is_named"]:
            _BY_NAME[name].model_validate(values)
            is_right = True
        else:
            is_right = len(_ByPosition.model_validate(values).data) == len(parameters)
    except ValidationError:
        is_right = False
    return None if is_right else _refusal(f"/{name} takes {form}", 422)


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
