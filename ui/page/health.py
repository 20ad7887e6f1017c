"""Whether the server lives and whether it can answer a question now, for watchers: without a session."""

import logging
import threading
import time
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from searchain.errors import SearChainError
from storage.database import Database
from ui.page.own_documents import Library
from ui.server.access import Rule

log = logging.getLogger(__name__)
LIVES, READY = "/healthz", "/readyz"
KEPT_SECONDS = 2.0
RULES = (Rule(LIVES, is_open=True), Rule(READY, is_open=True))


class Health:
    """The routes ``GET /healthz`` (the process answers) and ``GET /readyz`` (a question can be answered; else 503)."""

    def __init__(self, store: Database, prepare: Callable[[], object], library: Library) -> None:
        """``prepare`` loads the parts of a run, or raises a ``SearChainError`` if one is missing."""
        self._store, self._prepare, self._library = store, prepare, library
        self._lock, self._until = threading.Lock(), 0.0
        self._last: str | None = None
        self.routes = [Route(LIVES, _lives), Route(READY, self._tell)]

    async def _tell(self, request: Request) -> PlainTextResponse:
        fault = await run_in_threadpool(self._recent)  # so it also shows whether routes get a thread
        return PlainTextResponse(fault or "ready", 503 if fault else 200)

    def _recent(self) -> str | None:
        """Return what was found in the last seconds: anybody may ask, and each look writes to the disk."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._last = self._fault()
                self._until = time.monotonic() + KEPT_SECONDS
            return self._last

    def _fault(self) -> str | None:
        """Return in one sentence why no question can be answered; the log has what may name files of the machine."""
        try:
            self._store.check_writable()
        except SearChainError as error:
            log.warning("not ready: %s", error)
            return "The database cannot be written."
        try:
            self._prepare()
        except SearChainError as error:
            log.warning("not ready: %s", error)
            return "The model or the search cannot be loaded."
        return None if self._library.is_alive else "The thread that reads documents has ended."


async def _lives(request: Request) -> PlainTextResponse:
    return PlainTextResponse("alive")
