"""``/v1/chat/completions``, ``/v1/responses`` and ``/v1/models``: the assistant as a model for OpenAI's clients.

``/v1/check`` holds a text against documents.

Every request carries a token. It starts a run that belongs to the token's user and is stored like any other run. The
run stops when the client disconnects.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send
from ulid import ULID

from assistant import Assistant
from searchain.errors import NotFound, SearChainError, UsageError
from searchain.events import Turn, fold
from searchain.methods.base import find
from searchain.types import ENDED, Exchange, Status
from storage.collections.places import Places
from storage.log.runs import Started
from ui.api import following, openai_body, openai_values
from ui.api.openai_body import Asked, Refused
from ui.api.openai_values import Completion, Form, Report
from ui.server.access import Access, Person, Rule
from ui.server.limits import LimitReached

log = logging.getLogger(__name__)

API = "/v1"
RULES = (Rule(f"{API}/", is_open=True, is_api=True, max_body=openai_body.MAX_BODY),)
"""The API checks tokens itself."""
_NO_RETRY = {"x-should-retry": "false"}  # OpenAI's clients would ask again, and each time start a run
_MAX_HISTORY = 10  # exchanges: a follow-up is about the last ones


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
                Route("/responses", self._respond, methods=["POST"]),
                Route("/check", self._check, methods=["POST"]),
            ],
            # Starlette hands each handler only errors of its kind, which its types do not say
            exception_handlers={Refused: _refused, HTTPException: _no_route, Exception: _broken},  # type: ignore[dict-item]
        )
        self.routes = [Mount(API, app=app)]

    async def _models(self, request: Request) -> Response:
        return JSONResponse({"object": "list", "data": self._offered(self._person(request).owner)})

    async def _model(self, request: Request) -> Response:
        owner = self._person(request).owner
        for model in self._offered(owner):
            if model["id"] == request.path_params["id"]:
                return JSONResponse(model)
        raise self._no_model(owner)

    async def _complete(self, request: Request) -> Response:
        return await self._answer(request, "messages", lambda asked, started, places: Completion(asked, started))

    async def _respond(self, request: Request) -> Response:
        return await self._answer(request, "input", openai_values.Response)

    async def _check(self, request: Request) -> Response:
        person, asked = self._person(request), openai_body.read_check(await request.body())

        def run() -> Callable[[], Started]:
            index = self._assistant.index_for(asked.collections, None, owner=person.owner) or self._index
            return partial(self._assistant.check, asked.text, owner=person.owner, index=index)

        started = await self._started(request, person, run, "text")
        report = Report(started, self._assistant.place_of(owner=person.owner))
        return await self._sent(request, report, started.turn, person.owner, asked.stream)

    async def _answer(self, request: Request, field: str, make: Callable[[Asked, Started, Places], Form]) -> Response:
        person = self._person(request)
        asked, places = openai_body.asked(await request.body(), field), self._assistant.place_of(owner=person.owner)
        if (reply := openai_body.task_reply(asked.question)) is not None:
            form = make(asked, Started("", str(ULID())), places)
            turn = Turn(answer=reply, status=Status.ANSWERED)
            if asked.stream:
                return Response(form.begin() + form.text(reply) + form.end(turn), media_type="text/event-stream")
            return JSONResponse(form.whole(turn))
        started = await self._started(request, person, lambda: self._question(person, asked), field)
        form = make(asked, started, places)
        return await self._sent(request, form, started.turn, person.owner, bool(asked.stream))

    async def _sent(self, request: Request, form: Form, turn: str, owner: str, is_streaming: bool) -> Response:
        """Send a run in its ``form``; it stops if the client leaves."""
        stop = partial(self._assistant.stop, turn, owner=owner)
        if is_streaming:
            return _Stream(self._stream(form, turn, owner), stop)
        ended = await _unless_left(request, self._end(turn, owner), stop)
        if ended.status not in ENDED:
            raise Refused(_failure(ended), 500, headers=_NO_RETRY)
        return JSONResponse(await asyncio.to_thread(form.whole, ended))

    def _offered(self, owner: str) -> list[dict[str, Any]]:
        return openai_values.models([*self._systems, *self._assistant.collections(owner=owner)])

    def _no_model(self, owner: str) -> Refused:
        names = ", ".join(model["id"] for model in self._offered(owner))
        return Refused(f"there is no model of this name; there is {names}", 404, param="model", code="model_not_found")

    def _person(self, request: Request) -> Person:
        person = self._access.program(request.headers)
        if person is None:
            headers = {"www-authenticate": "Bearer"}
            raise Refused(following.NEEDS_TOKEN, 401, code="invalid_api_key", headers=headers)
        return person

    async def _started(
        self, request: Request, person: Person, make: Callable[[], Callable[[], Started]], field: str
    ) -> Started:
        """Start a run; what forbids it is refused in the form of the API. ``field`` holds what was asked.

        Raises ``Refused`` if the run could not be started.
        """
        host = request.client.host if request.client else None
        try:
            return await asyncio.to_thread(lambda: self._access.start(person, host, make()))
        except NotFound as error:
            raise Refused(str(error), 404, code="not_found") from error
        except UsageError as error:
            raise Refused(str(error), param=field) from error
        except LimitReached as error:
            headers = {"retry-after": str(int(error.wait) + 1), **_NO_RETRY}
            raise Refused(str(error), 429, code="rate_limit_exceeded", headers=headers) from error
        except SearChainError as error:
            raise Refused(str(error), 500, headers=_NO_RETRY) from error

    def _question(self, person: Person, asked: Asked) -> Callable[[], Started]:
        conversation, history = self._continued(asked, person.owner)
        return partial(
            self._assistant.start,
            asked.question,
            conversation=conversation,
            owner=person.owner,
            index=self._index_of(asked, conversation, person.owner),
            history=history,
            settings=find(asked.name).settings(is_small=True) if asked.name in self._systems else None,
        )

    def _continued(self, asked: Asked, owner: str) -> tuple[str | None, Sequence[Exchange] | None]:
        """Return the conversation that a request continues, and the history unless it is that conversation's own."""
        if named := asked.metadata.conversation or asked.conversation:
            return named, None
        if asked.previous:
            conversation, after = self._assistant.place(asked.previous, owner=owner)
            if after is None:
                return conversation, None
            return None, self._assistant.history(conversation, owner=owner, before=after)
        history = asked.history
        found = self._assistant.continued(history, owner=owner)
        if found and found[1] == len(history):
            return found[0], None
        return found and found[0], history[-_MAX_HISTORY:]

    def _index_of(self, asked: Asked, conversation: str | None, owner: str) -> str:
        named = [asked.name] if asked.name and asked.name not in self._systems else []
        try:
            self._assistant.searched(named, owner=owner)
        except NotFound as error:
            raise self._no_model(owner) from error
        collections = [*named, *filter(None, [asked.metadata.collection])]
        return self._assistant.index_for(collections, conversation, owner=owner) or self._index

    async def _end(self, turn: str, owner: str) -> Turn:
        folded = Turn()
        async for event in following.events(self._assistant, turn, owner):
            folded = fold([event] if event else [], folded)
        return folded

    async def _stream(self, form: Form, id: str, owner: str) -> AsyncIterator[str]:
        turn = Turn()
        yield form.begin()
        async for event in following.events(self._assistant, id, owner):
            turn = fold([event] if event else [], turn)
            if told := await asyncio.to_thread(form.told, event, turn):
                yield told
        if turn.status in ENDED:
            yield await asyncio.to_thread(form.end, turn)
        else:
            yield form.failed(_failure(turn))


class _Stream(StreamingResponse):
    """The server-sent events of a run, which stops if the client leaves before their end."""

    def __init__(self, events: AsyncIterator[str], stop: Callable[[], None]) -> None:
        super().__init__(events, media_type="text/event-stream", headers={"cache-control": "no-store"})
        self._stop, self._is_whole = stop, False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            if not self._is_whole:
                self._stop()

    async def stream_response(self, send: Send) -> None:
        await super().stream_response(send)
        self._is_whole = True


async def _unless_left(request: Request, work: Coroutine[Any, Any, Turn], stop: Callable[[], None]) -> Turn:
    """Return the result of ``work``; call ``stop`` if the client leaves before it. The run then ends, and the work."""

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        stop()

    left = asyncio.create_task(watch())
    try:
        return await work
    except asyncio.CancelledError:
        stop()
        raise
    finally:
        left.cancel()


def _failure(turn: Turn) -> str:
    return turn.message or f"the run was {turn.status}"


async def _refused(request: Request, refused: Refused) -> Response:
    return JSONResponse(refused.body, refused.status, refused.headers)


async def _no_route(request: Request, error: HTTPException) -> Response:
    body = openai_body.error(f"{request.method} {request.url.path}: {error.detail}", error.status_code)
    return JSONResponse(body, error.status_code, error.headers)


async def _broken(request: Request, error: Exception) -> Response:
    log.error("the API failed", exc_info=error)
    message = str(error) if isinstance(error, SearChainError) else f"unexpected {type(error).__name__}; ask again"
    return JSONResponse(openai_body.error(message, 500), 500, _NO_RETRY)
