"""What programs may post to Gradio's ``/call/NAME``: the arguments of the two endpoints, and nothing of the page's own.

Gradio calls its handlers with whatever comes, those of the page's events too, and logs what they cannot take.
"""

from __future__ import annotations

import json
import re
from typing import Any

from gradio.route_utils import FnIndexInferError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.api.gradio_endpoints import PARAMETERS

_CALL = re.compile(r"/gradio_api/call/(?P<is_named>v2/)?(?P<name>[^/]+)(/[^/]*)?")
_NONE = f"there is no such endpoint; there are: {', '.join(f'/{name}' for name in PARAMETERS)}"


class Calls:
    """ASGI middleware that refuses in one line what cannot be called."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        call = _CALL.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if call is None:
            await self._app(scope, receive, send)
        elif call["name"] not in PARAMETERS:
            await _refusal(_NONE, 404)(scope, receive, send)
        elif scope["method"] != "POST":
            await self._app(scope, receive, send)
        else:
            try:
                body = await Request(scope, receive).body()
            except ClientDisconnect:
                return
            if fault := _fault(call["name"], bool(call["is_named"]), body):
                await _refusal(fault, 422)(scope, receive, send)
            else:
                await self._app(scope, _again(body, receive), send)


async def no_endpoint(request: Request, error: FnIndexInferError) -> Response:
    """The answer where Gradio finds no handler of the name."""
    return _refusal(_NONE, 404)


def _fault(name: str, is_named: bool, body: bytes) -> str:
    """What is wrong with the arguments; empty when nothing is."""
    parameters = PARAMETERS[name]
    try:
        values: Any = json.loads(body)
    except (ValueError, RecursionError):
        return "the body is not JSON"
    if not isinstance(values, dict):
        return "the body is not a JSON object"
    if is_named:
        given = values.keys() - {"oauth_token"}  # which Gradio takes out by itself
        is_right = given <= set(parameters) and given >= {name for name, is_needed in parameters.items() if is_needed}
        form = "{" + ", ".join(f'"{name}": …' for name in parameters) + "}"
    else:
        data = values.get("data")
        is_right = isinstance(data, list) and len(data) == len(parameters)
        wanted = ", ".join(name if is_needed else f"{name} or null" for name, is_needed in parameters.items())
        form = f'{{"data": [{wanted}]}}'
    return "" if is_right else f"/{name} takes {form}"


def _again(body: bytes, receive: Receive) -> Receive:
    """``receive`` that begins with the body, which was read."""
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
