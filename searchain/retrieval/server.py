"""Serve one retriever to several processes over HTTP, by the remote ColBERT protocol (see ``remote``)."""

import math
import socket
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import uvicorn
from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import JSONResponse
from starlette.middleware.trustedhost import TrustedHostMiddleware

from searchain.errors import RetrievalError, SetupError
from searchain.retrieval.base import Retriever, ShardedRetriever
from searchain.retrieval.remote import DEPLOYMENTS, MAX_K, MAX_QUERY_CHARACTERS, MISSING, PATH, SEPARATOR
from searchain.types import Hit

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def create_app(retriever: Retriever, *, hosts: tuple[str, ...] = LOOPBACK, beside: APIRouter | None = None) -> FastAPI:
    """Return the application. It answers only requests to ``hosts``, so no web page can reach it by another host name.

    ``beside`` are further routes.

    A search that fails has status 503 and gives the reason. With ``partial=true`` the available shards are searched,
    and the answer names the others in ``shards_missing``.
    """
    app = FastAPI(title="SearChain retriever", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[f"[{h}]" if ":" in h else h for h in hosts])

    @app.exception_handler(RetrievalError)
    def failed(request: Request, error: RetrievalError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, status_code=503)

    @app.get(PATH)
    def search(query: str = Query(), k: int = Query(10, ge=1), partial: bool = Query(False)) -> dict[str, Any]:
        asked = query[:MAX_QUERY_CHARACTERS], min(k, MAX_K)
        if partial and isinstance(retriever, ShardedRetriever):
            answer = retriever.find(*asked)
            return {"query": query, "topk": to_records(answer.hits), MISSING: answer.missing}
        return {"query": query, "topk": to_records(retriever.search(*asked))}

    if beside is not None:
        app.include_router(beside)

    if isinstance(retriever, ShardedRetriever):

        @app.get(DEPLOYMENTS)
        def deployments() -> dict[str, Any]:
            return {"deployments": [asdict(one) for one in retriever.deployments()]}

    return app


def to_records(hits: list[Hit]) -> list[dict[str, Any]]:
    """Return ``hits`` as records of the protocol; ``prob`` is the softmax of the scores."""
    best = max((hit.score for hit in hits), default=0.0)
    weights = [math.exp(hit.score - best) for hit in hits]
    return [
        {
            "text": SEPARATOR.join(filter(None, (hit.passage.title, hit.passage.text))),
            "pid": hit.passage.id,
            "rank": hit.rank,
            "score": hit.score,
            "prob": weight / sum(weights),
            "title": hit.passage.title,
            "passage": hit.passage.text,
            "url": hit.passage.url,
        }
        for hit, weight in zip(hits, weights, strict=True)
    ]


def serve(
    retriever: Retriever,
    *,
    host: str = "127.0.0.1",
    port: int = 8893,
    is_public: bool = False,
    beside: APIRouter | None = None,
    on_start: Callable[[str], None] = lambda url: None,
) -> None:
    """Serve until interrupted. ``on_start`` receives the URL once the port is open; port 0 takes a free one.

    Raises ``SetupError`` if the host or port cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise SetupError(f"cannot listen on {host} port {port}: {error}; choose another with --port") from None
    app = create_app(retriever, hosts=("*",) if is_public else LOOPBACK, beside=beside)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    on_start(f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}")
    server.run(sockets=[listener])
