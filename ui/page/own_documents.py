"""Users' own documents on the page: the panel, and the routes that list, add and remove files."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
from markupsafe import Markup
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import DiskFull, DocumentRefused, NotFound, SearChainError, UsageError
from storage.annotation import crowd
from storage.collections import access, adding, documents, lacking, removing, ticks
from storage.collections import access as collections
from storage.collections.access import Collection, Elsewhere
from storage.collections.access import Role as Part
from storage.collections.documents import State
from storage.collections.files import MAX_BYTES, Files
from storage.database import Database
from storage.log import event_log
from ui.html import render
from ui.page import quotas
from ui.page.originals import Originals, told
from ui.server.access import Access, Person, Rule
from ui.server.json_routes import Body, error_answer, is_upload, json_route
from ui.show.passages import rows
from ui.translation import _

RULES = (Rule("/uploads/", max_body=MAX_BYTES + 1),)
"""Everyone who may use the page may add files, visitors within their quota; only these requests may be long."""
_TAKEN_AT_ONCE = 4  # received files that are stored or unpacked at a time, each in a thread of its own
_OVERTAKEN = 20  # most replies of a collection that are listed because a document says otherwise since
NAME = "My documents"
"""Name of the collection that the first file creates."""


def panel(offered: str) -> Markup:
    """Render the button and the folded panel, which ``static/documents.js`` fills.

    ``offered`` names what can be searched in addition.
    """
    return render("page/documents.html", offered=offered, megabytes=MAX_BYTES // 1_000_000)


def _is_searched(document: documents.Document) -> bool:
    """Return whether a document can be searched or will be; those that cannot are listed first."""
    return document.is_under_way or _is_ready(document)


def _is_ready(document: documents.Document) -> bool:
    return document.state is State.READY


def _judged(tick: ticks.Tick) -> str:
    """Describe how far people's judgements give a collection a tick of its own."""
    if tick.judged < ticks.NEEDED:
        return _("{judged} of {needed} judged; at {needed} the tick is yours", judged=tick.judged, needed=ticks.NEEDED)
    if not tick.ticked:
        return _("{judged} judged; too few of the likely replies were judged, or were right", judged=tick.judged)
    low, high = (round(100 * end) for end in tick.interval)
    numbers = {"right": tick.right, "ticked": tick.ticked, "low": low, "high": high}
    return _("✓ here: {right} of {ticked} were right [{low}, {high}]", **numbers)


class Named(Body):
    """The request for a collection; without a name it gets ``NAME``."""

    name: str = ""


class Removal(Body):
    """The request to remove a document; ``erase`` also removes the quotations from it."""

    erase: bool = False


class Decision(Body):
    """The request that decides whether passages may be sent to a model elsewhere."""

    is_allowed: bool


class Library:
    """The routes of own documents. ``storage.collections.access`` checks each request."""

    def __init__(
        self,
        store: Database,
        assistant: Assistant,
        access: Access,
        *,
        min_free: float = quotas.MIN_FREE,
        keep_days: float | None = None,
    ) -> None:
        """Serve the documents in ``store``.

        Args:
            min_free: gigabytes of the disk that documents leave free.
            keep_days: days after which unchanged conversations are deleted; ``None``: never.
        """
        self.store, self._access, self._assistant = store, access, assistant
        self._files, self._worker = Files(store), Worker(store, quotas.VISITORS.days or 0, self._expire(keep_days))
        self._quotas = quotas.Quotas(store, self._files, min_free)
        self._takers = anyio.CapacityLimiter(_TAKEN_AT_ONCE)
        self.routes: list[Route] = [
            json_route("/collections", "GET", access, self._list),
            json_route("/collections", "POST", access, self._create, Named),
            json_route("/collections/{id}", "PATCH", access, self._decide, Decision),
            json_route("/collections/{id}/judging", "GET", access, self._to_judge),
            json_route("/documents/{id}", "DELETE", access, self._remove, Removal),
            Route("/uploads/{collection}", self._upload, methods=["POST"]),
            *Originals(store, self._files, assistant, access).routes,
        ]

    def _expire(self, days: float | None) -> Callable[[], object]:
        return lambda: None if days is None else self._assistant.deletions.older(days)

    def close(self) -> None:
        """Stop reading and encoding; unfinished documents continue when the page is served again."""
        self._worker.close()

    @property
    def is_alive(self) -> bool:
        """Whether files that are added will be read."""
        return self._worker.is_alive

    def _list(self, person: Person, request: Request, values: dict[str, Any]) -> list[dict[str, Any]]:
        return [self._shown(one, person) for one in collections.every(self.store, person.owner)]

    def _shown(self, one: Collection, person: Person) -> dict[str, Any]:
        may_change = one.role.includes(Part.EDITOR)
        with self.store.reading() as db:
            overtaken = event_log.turns_overtaken(db, one.id, person.owner, _OVERTAKEN)
        there = sorted(documents.of_collection(self.store, one.id), key=_is_searched)
        values: dict[str, Any] = {
            "may_change": may_change,
            "host": self._assistant.elsewhere(),
            "lacking": lacking.count(self.store, one.index, None if may_change else person.owner),
            "changed": [{"conversation": id, "question": question} for id, _, question in overtaken],
        }
        html = render(
            "page/collection.html",
            one=one,
            progress=_("{ready} of {all} ready", ready=sum(map(_is_ready, there)), all=len(there)),
            is_sent=one.elsewhere is Elsewhere.ALLOWED,
            judged=_judged(ticks.tick(self.store, one.id)),
            files=[(file, told(file)) for file in there],
            **values,
        )
        fields = ("id", "name", "state", "reason", "pages", "is_under_way")
        values["documents"] = [{name: getattr(file, name) for name in fields} for file in there]
        return values | {"id": one.id, "name": one.name, "elsewhere": one.elsewhere.value, "html": html}

    def _to_judge(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        """Return a reply of the person's that waits for a judgement, beside its passages; ``{}`` without one."""
        one = collections.named(self.store, person.owner, request.path_params["id"])
        id = ticks.to_judge(self.store, person.owner, one)
        if id is None:
            return {}
        turn = self._assistant.turn(id, owner=person.owner)
        blind = [replace(row, sign=None) for row in rows(turn)]  # what the assistant thinks of it would sway people
        html = render("page/judging.html", answer=turn.final_answer, rows=blind)
        return {"turn": id, "question": turn.question, "html": html}

    def _create(self, person: Person, request: Request, body: Named) -> dict[str, Any]:
        name = body.name or NAME
        own = [one for one in collections.every(self.store, person.owner) if one.role is Part.OWNER]
        for one in own:
            if one.name == collections.readable_name(name):
                return self._shown(one, person)
        if len(own) >= 100:
            raise UsageError("you have 100 collections; remove one first")
        return self._shown(collections.create(self.store, person.owner, name), person)

    def _decide(self, person: Person, request: Request, body: Decision) -> dict[str, Any]:
        id = request.path_params["id"]
        one = collections.named(self.store, person.owner, id, Part.EDITOR)
        collections.decide(self.store, one, Elsewhere.ALLOWED if body.is_allowed else Elsewhere.REFUSED)
        return self._shown(collections.named(self.store, person.owner, one.id), person)

    def _remove(self, person: Person, request: Request, body: Removal) -> dict[str, Any]:
        id = request.path_params["id"]
        collections.of_document(self.store, person.owner, id, Part.EDITOR)
        gone = [documents.get(self.store, id)]
        if body.erase:
            removing.erase(self.store, gone)
        else:
            removing.remove(self.store, gone)
        return {}

    async def _upload(self, request: Request) -> Response:
        """Take one file, the body of the request, which the guard has received; the parameter ``name`` is its name."""
        person = self._access.person(request.headers)
        if person is None:
            return error_answer(401, "Sign in again, or allow cookies.")
        if not is_upload(request):
            return error_answer(403, "Requests from other sites are refused.")
        stream = request.stream()

        def pieces() -> Iterator[bytes]:
            while piece := anyio.from_thread.run(anext, stream, b""):
                yield piece

        into, name = request.path_params["collection"], request.query_params.get("name", "")
        try:
            take = partial(self._take, person, request.client.host if request.client else "", into, name, pieces)
            added = await anyio.to_thread.run_sync(take, limiter=self._takers)
        except ClientDisconnect:
            return error_answer(408, "The file did not arrive whole.")
        except SearChainError as error:
            status = 404 if isinstance(error, NotFound) else 507 if isinstance(error, DiskFull) else 400
            return error_answer(status, str(error))
        return JSONResponse(added, headers={"cache-control": "no-store"})

    def _take(
        self, person: Person, host: str, collection: str, name: str, pieces: Callable[[], Iterator[bytes]]
    ) -> list[dict[str, Any]]:
        """Store a file that ``person`` sends from ``host``; of a zip or a web archive, store the documents in it."""
        from searchain.documents import files_in

        left = partial(self._quotas.left, person, host)
        with self._quotas.storing(person):
            into = collections.named(self.store, person.owner, collection, Part.EDITOR)
            name = documents.readable_name(name)
            stored = self._files.put(pieces(), left())
            original, answers = self._files.original(stored.sha256), []
            try:
                for found in files_in(original, name):
                    try:
                        if found.refused is not None:
                            raise found.refused
                        bytes_ = stored if found.path == original else self._files.put_file(found.path, left())
                        document, is_new = documents.submit(self.store, self._files, into.id, found.name, bytes_)
                        answers.append({"name": document.name, "state": document.state.value, "is_new": is_new})
                    except (DocumentRefused, UsageError) as error:
                        state = error.state if isinstance(error, DocumentRefused) else "failed"
                        answers.append({"name": found.name, "state": state, "reason": str(error), "is_new": False})
            finally:
                removing.drop_unused(self.store, self._files, {stored.sha256})
                self._worker.wake(into.id)
            return answers


log = logging.getLogger(__name__)
STOP_SECONDS = 5.0
"""Seconds for which ``close`` waits for the thread."""
AGAIN_SECONDS = 60.0
"""After this time a collection is tried again that another process works on, or whose encoding failed."""


class Worker:
    """The thread that reads and encodes documents in small steps, the owners in turn."""

    def __init__(self, store: Database, visitor_days: float, also_expire: Callable[[], object] = lambda: None) -> None:
        """Start the thread.

        Each minute it removes visitors' collections of ``visitor_days``, ``also_expire``s, and
        forgets who came by crowd links that have ended.
        """
        self._store, self._visitor_days, self._also_expire = store, visitor_days, also_expire
        self._expires = 0.0
        self._woken, self._is_closed = threading.Event(), False
        self._aside = set[str]()  # the collections with which nothing can be done for now
        self._served = list[str]()  # the owners, the one who had the last turn at the end
        self._thread = threading.Thread(target=self._run, name="documents", daemon=True)
        self._thread.start()

    def wake(self, collection: str) -> None:
        """Tell the thread that ``collection`` has documents to read or encode."""
        self._aside.discard(collection)
        self._woken.set()

    def close(self) -> None:
        """Stop the thread after its present step."""
        self._is_closed = True
        self._woken.set()
        self._thread.join(STOP_SECONDS)

    @property
    def is_alive(self) -> bool:
        """Whether the thread works or waits for work."""
        return self._thread.is_alive()

    def _run(self) -> None:
        self._try(lambda: removing.tidy(self._store))
        while not (self._is_closed or self._store.is_closed):
            self._woken.clear()
            if time.monotonic() >= self._expires:
                self._expires = time.monotonic() + AGAIN_SECONDS
                self._try(self._expire)
                self._try(self._also_expire)
                self._try(lambda: crowd.expire(self._store))
            if self._try(self._take_turn):
                continue
            if not self._woken.wait(AGAIN_SECONDS):
                self._aside.clear()

    def _take_turn(self) -> bool:
        """Take one step for the owner who has waited longest; return whether there was anything to do.

        Files are read before any is encoded, so that all are soon found by words.
        """
        waiting = [one for one in documents.next_up(self._store) if one.collection not in self._aside]
        waiting = [one for one in waiting if one.state is not State.ENCODING] or waiting
        if not waiting:
            return False
        owner_of = access.owners(self._store)
        turns = {owner: turn for turn, owner in enumerate(self._served)}
        chosen = min(waiting, key=lambda one: (turns.get(owner_of.get(one.collection, ""), -1), one.bytes))
        owner = owner_of.get(chosen.collection, "")
        self._served = [*(one for one in self._served if one != owner), owner]
        if not self._try(lambda: adding.step(self._store, chosen.collection)):
            self._aside.add(chosen.collection)
        return True

    def _expire(self) -> None:
        for collection in access.older_than(self._store, "visitor:", self._visitor_days):
            removing.remove_collection(self._store, collection, with_quotes=True)

    def _try(self, action: Callable[[], object]) -> bool:
        """Return what ``action`` returns; ``False`` if it fails, which is logged."""
        try:
            return bool(action())
        except SearChainError as error:
            log.warning("documents: %s", error)
        except Exception:
            log.exception("documents")
        return False
