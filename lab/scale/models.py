"""The Reader and the embedded language model as deployments of Ray Serve, and the HTTP routes to them.

Each process has one core. The Reader takes the passages of one query at a time, as it does without a cluster, so that
its readings are the same. The model is llama.cpp's own server, which serves several requests at a time; what it writes
is passed on as it comes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, Field
from ray import serve
from ray.exceptions import RayActorError, RayTaskError
from ray.serve.exceptions import BackPressureError, DeploymentUnavailableError

from searchain.errors import ReaderError
from searchain.llm.embedded import offered_as
from searchain.reading import remote
from searchain.types import Passage

if TYPE_CHECKING:
    from ray.serve.handle import DeploymentHandle

    from searchain.reading.thresholds import Thresholds
    from searchain.types import Reading

READER, MODEL = "reader", "model"
SLOTS = 2
"""Replies that a process of the model writes at a time."""
READINGS = 2
"""Queries that a process of the Reader has at a time: one is read, and one has arrived."""
DEADLINE = 25.0
"""Seconds in which the Reader must answer; its client waits a little longer."""
MOST = 1_000_000
"""Bytes of a request to the model."""


def bound(shared: dict[str, Any]) -> tuple[Any, ...]:
    """The deployments; ``shared`` are the options of all of them."""
    reader, model = serve.deployment(Reader), serve.deployment(Model)
    return (
        reader.options(name=READER, max_ongoing_requests=READINGS, **shared).bind(),
        model.options(name=MODEL, max_ongoing_requests=SLOTS, **shared).bind(),
    )


class Reader:
    """The embedded Reader, in a process of the cluster."""

    def __init__(self) -> None:
        from searchain.embedded.minilm import embedded_reader
        from searchain.reading.reader import DprReader
        from searchain.reading.thresholds import read_thresholds

        folder = embedded_reader()
        self._reader, self._thresholds = DprReader(folder), read_thresholds(folder)

    def thresholds(self) -> Thresholds:
        return self._thresholds

    def read(self, query: str, passages: Sequence[Passage]) -> list[Reading]:
        return self._reader.read(query, passages)


class Model:
    """The embedded language model behind llama.cpp's server, in a process of the cluster."""

    def __init__(self) -> None:
        import httpx

        from searchain.llm.embedded import EmbeddedModel
        from searchain.llm.served import LlamaServer

        self._model = EmbeddedModel(slots=SLOTS)
        self._model.start()
        server = self._model.server
        assert isinstance(server, LlamaServer)
        key = {"Authorization": f"Bearer {server.key}"}
        self._client = httpx.AsyncClient(base_url=server.address, headers=key, timeout=None, trust_env=False)

    async def complete(self, body: bytes) -> AsyncIterator[tuple[int, str] | bytes]:
        """Pass ``body`` to the chat completions of the server: status and kind of its answer, then what it writes."""
        kind = {"Content-Type": "application/json"}
        async with self._client.stream("POST", "/v1/chat/completions", content=body, headers=kind) as answer:
            yield answer.status_code, answer.headers.get("content-type", "")
            async for piece in answer.aiter_raw():
                yield piece


class Texts(BaseModel):
    title: str = Field(max_length=10_000)
    text: str = Field(max_length=100_000)


class ToRead(BaseModel):
    query: str = Field(max_length=10_000)
    passages: list[Texts] = Field(max_length=remote.MAX_PASSAGES)


def routes(reader: DeploymentHandle, model: DeploymentHandle) -> APIRouter:
    """The addresses that ``RemoteReader`` asks, and those of a chat completion of OpenAI's form."""
    router = APIRouter()

    def asked(method: str, *sent: Any) -> Any:
        try:
            return getattr(reader, method).remote(*sent).result(timeout_s=DEADLINE)
        except BackPressureError:
            raise HTTPException(503, "the Reader is busy; try again later") from None
        except (TimeoutError, RayActorError, DeploymentUnavailableError):
            raise HTTPException(503, "the Reader of the cluster does not answer") from None
        except RayTaskError as error:
            if isinstance(error.cause, ReaderError):
                raise HTTPException(503, str(error.cause)) from None
            raise

    @router.get(remote.THRESHOLDS)
    def thresholds() -> dict[str, float]:
        found = asked("thresholds")
        return {"theta": found.theta, "floor": found.floor}

    @router.post(remote.READ)
    def read(wanted: ToRead) -> dict[str, Any]:
        passages = [Passage(str(number), one.title, one.text) for number, one in enumerate(wanted.passages)]
        return {"readings": [remote.to_json(one) for one in asked("read", wanted.query, passages)]}

    @router.get("/v1/models")
    def models() -> dict[str, Any]:
        return {"object": "list", "data": [{"id": offered_as(), "object": "model", "owned_by": "searchain"}]}

    @router.post("/v1/chat/completions", response_model=None)
    async def complete(request: Request) -> JSONResponse | StreamingResponse:
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > MOST:
                return _failed(413, "the request is too long")
        answer = model.options(stream=True).complete.remote(bytes(body))
        try:
            status, kind = await anext(answer)
        except BackPressureError:
            return _failed(503, "the model of the cluster is busy; try again later")
        except (RayActorError, DeploymentUnavailableError):
            return _failed(503, "the model of the cluster does not answer")

        async def rest() -> AsyncIterator[bytes]:
            try:
                async for piece in answer:
                    yield piece
            finally:
                answer.cancel()  # whoever asked may be gone before the end

        return StreamingResponse(rest(), status_code=status, media_type=kind)

    return router


def _failed(status: int, message: str) -> JSONResponse:
    """An error as OpenAI's clients read it."""
    return JSONResponse({"error": {"message": message, "code": status}}, status_code=status)
