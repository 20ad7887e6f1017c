"""The states of the server's parts, as routes: the careful model, which may be downloaded, and whether all is ready."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from searchain import settings
from searchain.embedded.assets import CAREFUL, Packaged
from searchain.errors import Cancelled, SearChainError
from searchain.setup import careful
from searchain.setup.progress import GIGABYTE, Report
from storage.database import Database
from storage.people.users import Role
from ui.html import render
from ui.page.own_documents import Library
from ui.server.access import Access, Person, Rule
from ui.server.json_routes import json_route
from ui.translation import N_, _, number

log = logging.getLogger(__name__)

LIVES, READY = "/healthz", "/readyz"
RULES = (Rule("/careful", Role.ADMIN), Rule(LIVES, is_open=True), Rule(READY, is_open=True))
"""Only admins may download the model, because it takes disk and bandwidth of the whole machine."""
_MEGABITS = 50  # of a usual connection, to estimate the time on the button


_USES: dict[settings.Careful, str] = {
    "off": N_("It is not used on this page."),
    "check": N_("It reads the passages again when a reply is not sure."),
    "write": N_("It plans and writes the replies."),
}


def panel(model: Packaged = CAREFUL) -> Markup:
    """Render the careful model's part of the settings form; ``careful.js`` shows it to people who may download."""
    size, minutes = number(model.size / GIGABYTE, 1), max(1, round(model.size * 8 / 1e6 / _MEGABITS / 60))
    return render("page/careful.html", name=model.name, size=size, minutes=minutes, megabits=_MEGABITS)


class Careful:
    """The routes ``/careful``: GET tells the state, POST starts the download, DELETE stops it; one at a time."""

    def __init__(
        self,
        access: Access,
        use: settings.Careful = "check",
        *,
        model: Packaged = CAREFUL,
        fetch: Callable[[Report], None] = careful.fetch,
        is_behind: bool = False,
    ) -> None:
        """Make the routes.

        Args:
            use: what the model does on this page once it is installed.
            fetch: downloads it; it calls its argument now and then, which raises ``Cancelled`` to stop it.
            is_behind: whether the header shows a download, because ``begin`` may start it behind the page.
        """
        self.is_behind = is_behind
        self._use, self._model, self._fetch = use, model, fetch
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_stopped = threading.Event()
        self._error = ""
        self.routes: list[Route] = [
            json_route("/careful", "GET", access, self._tell),
            json_route("/careful", "POST", access, self._begin),
            json_route("/careful", "DELETE", access, self._stop),
        ]

    def begin(self) -> None:
        """Start the download, unless it goes on already."""
        with self._lock:
            if self._is_alive():
                return
            careful.decline(is_declined=False)
            self._error = ""
            self._is_stopped.clear()
            self._thread = threading.Thread(target=self._work, name="careful model", daemon=True)
            self._thread.start()

    def _tell(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        if self._is_alive():
            share = 100 * careful.share(self._model)
            said = _("Downloading: {share} done.", share=f"{share:.0f} %")
            short = _("Fetching a larger model: {share}", share=f"{share:.0f} %")
            return {"state": "fetching", "share": share / 100, "said": said, "short": short}
        try:
            is_there = self._model.find() is not None
        except SearChainError as error:
            return {"state": "failed", "said": str(error)}
        if is_there:
            said = _("It is installed.")
            return {"state": "ready", "said": f"{said} {_(_USES[self._use])}"}
        if self._error:
            return {"state": "failed", "said": self._error}
        needed = careful.gigabytes(self._model)
        said = _("It is not installed; it needs {size} GB of disk space.", size=number(needed, 1))
        return {"state": "absent", "said": said}

    def _begin(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        self.begin()
        return self._tell(person, request, values)

    def _stop(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        if self._is_alive():
            careful.decline()
            self._is_stopped.set()
        return self._tell(person, request, values)

    def _is_alive(self) -> bool:
        is_going = self._thread is not None and self._thread.is_alive()
        return is_going and not self._is_stopped.is_set()

    def _work(self) -> None:
        try:
            self._fetch(self._report)
        except Cancelled:
            pass
        except SearChainError as error:
            self._error = str(error)
        except OSError as error:
            self._error = f"the careful model could not be written ({error.strerror or error}); try again"
        except Exception as error:  # top of the thread: the page must show any error
            log.exception("fetching the careful model failed")
            self._error = f"unexpected {type(error).__name__}; try again"

    def _report(self, what: str) -> None:
        if self._is_stopped.is_set():
            raise Cancelled


KEPT_SECONDS = 2.0


class Health:
    """The routes ``GET /healthz`` (the process answers) and ``GET /readyz`` (a question can be answered; else 503)."""

    def __init__(self, store: Database, prepare: Callable[[], object], library: Library) -> None:
        """``prepare`` loads the parts of a run, or raises a ``SearChainError`` if one is missing."""
        self._store, self._prepare, self._library = store, prepare, library
        self._lock, self._until = threading.Lock(), 0.0
        self._last: str | None = None
        self.routes = [Route(LIVES, _lives), Route(READY, self._tell)]

    async def _tell(self, request: Request) -> PlainTextResponse:
        fault = await run_in_threadpool(self.fault)  # so it also shows whether routes get a thread
        return PlainTextResponse(fault or "ready", 503 if fault else 200)

    def fault(self) -> str | None:
        """Return in one sentence why no question can be answered; what is found is kept for some seconds.

        Anybody may ask, and each look writes to the disk.
        """
        with self._lock:
            if time.monotonic() >= self._until:
                self._last = self._look()
                self._until = time.monotonic() + KEPT_SECONDS
            return self._last

    def _look(self) -> str | None:
        """Look for a fault; the log has what may name files of the machine."""
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
