"""``/v1/chat/completions`` and ``/v1/models``: the assistant as a model for clients of OpenAI's API.

Every request carries a token. It starts a run that belongs to the token's user, is stored like any other run, and
goes on when the client disconnects.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from assistant import Assistant
from searchain.errors import SearChainError, UsageError
from searchain.events import ReplyDelta, TracingStarted, Turn, Waiting, fold
from searchain.methods.base import find
from searchain.types import Status
from storage.log.runs import Started
from ui.api import following, openai_body, openai_values
from ui.api.openai_body import Refused
from ui.api.openai_values import Asked
from ui.server.access import Access, Person
from ui.server.limits import LimitReached
from ui.server.rules import Rule

log = logging.getLogger(__name__)

API = "/v1"
RULES = (Rule(f"{API}/", is_open=True, is_api=True),)
"""The API checks tokens itself."""
_REPLACED = "\n\n(This reply could not be used; another one follows.)\n\n"
_REPLIED = (Status.ANSWERED, Status.PARTIAL, Status.NOT_FOUND)
_NO_RETRY = {"x-should-retry": "false"}  # OpenAI's clients would ask again, and each time start a run


class Api:
    """The routes of OpenAI's API, over one assistant and one index."""

    def __init__(
        self, assistant: Assistant, access: Access, index: str = "default", systems: Sequence[str] = ()
    ) -> None:
        """``systems`` names the methods that are offered besides SearChain."""
        self._assistant, self._access, self._index, self._systems = assistant, access, index, systems
        app = Starlette(
            routes=[
                Route("/models", self._models),
                Route("/models/{id:path}", self._model),
                Route("/chat/completions", self._complete, methods=["POST"]),
            ],
            # Starlette hands each handler only errors of its kind, which its types do not say
            exception_handlers={Refused: _refused, HTTPException: _no_route, Exception: _broken},  # type: ignore[dict-item]
        )
        self.routes = [Mount(API, app=app)]

    async def _models(self, request: Request) -> Response:
        self._person(request)
        return JSONResponse({"object": "list", "data": openai_values.models(self._systems)})

    async def _model(self, request: Request) -> Response:
        self._person(request)
        for model in openai_values.models(self._systems):
            if model["id"] == request.path_params["id"]:
                return JSONResponse(model)
        raise self._no_model()

    async def _complete(self, request: Request) -> Response:
        person = self._person(request)
        asked = openai_values.asked(await _body(request))
        host = request.client.host if request.client else None
        started = await asyncio.to_thread(self._start, person, host, asked)
        created = int(time.time())
        if asked.is_streaming:
            return StreamingResponse(
                self._stream(started, person.owner, created, asked),
                media_type="text/event-stream",
                headers={"cache-control": "no-store"},
            )
        turn = Turn()
        async for event in following.events(self._assistant, started.turn, person.owner):
            turn = fold([event] if event else [], turn)
        if turn.status not in _REPLIED:
            raise Refused(_failure(turn), 500, headers=_NO_RETRY)
        return JSONResponse(openai_values.completion(turn, started.turn, started.conversation, created, asked.model))

    def _no_model(self) -> Refused:
        names = ", ".join(model["id"] for model in openai_values.models(self._systems))
        return Refused(f"there is no model of this name; there is {names}", 404, param="model", code="model_not_found")

    def _person(self, request: Request) -> Person:
        person = self._access.program(request.headers)
        if person is None:
            raise Refused(
                "a valid token is needed, as in: Authorization: Bearer TOKEN; "
                "make one with: python assistant.py user token NAME",
                401,
                code="invalid_api_key",
                headers={"www-authenticate": "Bearer"},
            )
        return person

    def _start(self, person: Person, host: str | None, asked: Asked) -> Started:
        if asked.system is not None and asked.system not in self._systems:
            raise self._no_model()
        start = partial(
            self._assistant.start,
            asked.question,
            owner=person.owner,
            index=self._index,
            history=asked.history,
            settings=find(asked.system).settings(is_small=True) if asked.system else None,
        )
        try:
            return self._access.start(person, host, start)
        except UsageError as error:
            raise Refused(str(error), param="messages") from error
        except LimitReached as error:
            raise Refused(
                str(error),
                429,
                code="rate_limit_exceeded",
                headers={"retry-after": str(int(error.wait) + 1), **_NO_RETRY},
            ) from error
        except SearChainError as error:
            raise Refused(str(error), 500, headers=_NO_RETRY) from error

    async def _stream(self, started: Started, owner: str, created: int, asked: Asked) -> AsyncIterator[str]:
        id, turn, sent, begin, model = started.turn, Turn(), 0, 0, asked.model

        def said(text: str) -> str:
            nonlocal sent
            sent += len(text)
            return _sse(openai_values.chunk(id, created, {"content": text}, model=model))

        yield _sse(openai_values.chunk(id, created, {"role": "assistant", "content": ""}, model=model))
        async for event in following.events(self._assistant, id, owner):
            if event is None:
                yield ": still at work\n\n"
                continue
            turn = fold([event], turn)
            if isinstance(event, Waiting):
                yield _sse(openai_values.waiting_chunk(id, created, event.ahead, model))
            elif isinstance(event, ReplyDelta) and event.text:
                yield said(event.text)
            elif isinstance(event, TracingStarted) and sent > begin:
                yield said(_REPLACED)
                begin = sent
        if turn.status not in _REPLIED:
            yield _sse(openai_body.error(_failure(turn), 500))
            return
        if model == openai_values.WITH_SOURCES and (sources := openai_values.sources(turn)):
            yield said(sources)
        yield _sse(openai_values.last_chunk(turn, id, started.conversation, created, begin, model))
        if asked.wants_usage:
            yield _sse(openai_values.usage_chunk(turn, id, created, model))
        yield "data: [DONE]\n\n"


async def _body(request: Request) -> bytes:
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > openai_values.MAX_BODY:
                break
    except ClientDisconnect:
        raise Refused("the body did not arrive whole") from None
    if len(body) > openai_values.MAX_BODY:
        raise Refused(f"the body is larger than {openai_values.MAX_BODY:,} bytes", 413)
    return bytes(body)


def _failure(turn: Turn) -> str:
    return turn.message or f"the run was {turn.status}"


def _sse(values: dict[str, Any]) -> str:
    return f"data: {json.dumps(values)}\n\n"


async def _refused(request: Request, refused: Refused) -> Response:
    return JSONResponse(refused.body, refused.status, refused.headers)


async def _no_route(request: Request, error: HTTPException) -> Response:
    return JSONResponse(
        openai_body.error(f"{request.method} {request.url.path}: {error.detail}", error.status_code),
        error.status_code,
        error.headers,
    )


async def _broken(request: Request, error: Exception) -> Response:
    log.error("the API failed", exc_info=error)
    message = str(error) if isinstance(error, SearChainError) else f"unexpected {type(error).__name__}; ask again"
    return JSONResponse(openai_body.error(message, 500), 500, _NO_RETRY)
