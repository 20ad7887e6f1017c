"""Own documents on the page: its panel, and the routes that take files, tell their states and show the originals."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import anyio
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import DocumentRefused, NotFound, SearChainError, UsageError
from storage.collections import access as collections
from storage.collections import adding, documents, removing
from storage.collections.access import Collection
from storage.collections.access import Role as Part
from storage.collections.documents import Document
from storage.collections.files import MAX_BYTES, Files
from storage.collections.places import Places
from storage.database import Database
from ui.html import render
from ui.server.access import Access, Person
from ui.server.bodies import Body
from ui.server.json_routes import json_route
from ui.server.rules import Rule

log = logging.getLogger(__name__)

RULES = (Rule("/uploads/", max_body=MAX_BYTES + 1),)
"""Whoever uses the page may add files, visitors within their quota; only these requests may be long."""
NAME = "My documents"
"""The collection that the first file makes."""
_SANDBOX = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""Policy of an original: whatever is in it, no script of it runs and nothing is fetched."""
_AROUND = 6
"""Blocks that are shown before and after the cited one."""


@dataclass(frozen=True, slots=True)
class Quota:
    """What one owner may keep."""

    files: int
    bytes: int
    days: float | None = None
    """After so many days a collection goes; ``None``: it stays."""


VISITORS = Quota(files=10, bytes=20_000_000, days=1)
USERS = Quota(files=10_000, bytes=2_000_000_000)


def panel(offered: str) -> Markup:
    """The button and the folded panel, which ``static/documents.js`` fills; ``offered`` is what is searched else."""
    return render("page/documents.html", offered=offered, megabytes=MAX_BYTES // 1_000_000)


class Named(Body):
    """A collection that is to be there; without a name it is called ``NAME``."""

    name: str = ""


class Removal(Body):
    """How a document is removed: found no more, or with everything that came from it."""

    erase: bool = False


class Library:
    """The routes of documents. Who may see what is asked of ``storage.collections.access`` at every request."""

    def __init__(self, store: Database, assistant: Assistant, access: Access) -> None:
        self._store, self._assistant, self._access = store, assistant, access
        self._files, self._worker = Files(store), Worker(store)
        self.routes: list[Route] = [
            json_route("/collections", "GET", access, self._list),
            json_route("/collections", "POST", access, self._create, Named),
            json_route("/documents/{id}", "DELETE", access, self._remove, Removal),
            json_route("/turns/{id}/sources/{number:int}/place", "GET", access, self._place),
            Route("/uploads/{collection}", self._upload, methods=["POST"]),
            Route("/documents/{id}/original", self._original, methods=["GET"]),
            Route("/documents/{id}/pages/{page:int}", self._page, methods=["GET"]),
        ]

    def close(self) -> None:
        """Stop working on documents; what is under way goes on when the page is served again."""
        self._worker.close()

    def _list(self, person: Person, request: Request, values: dict[str, Any]) -> list[dict[str, Any]]:
        return [self._shown(one) for one in collections.every(self._store, person.owner)]

    def _shown(self, one: Collection) -> dict[str, Any]:
        there = documents.of_collection(self._store, one.id)
        return {
            "id": one.id,
            "name": one.name,
            "may_change": one.role.includes(Part.EDITOR),
            "documents": [
                {
                    "id": document.id,
                    "name": document.name,
                    "state": document.state.value,
                    "reason": document.reason,
                    "pages": document.pages,
                    "is_under_way": document.is_under_way,
                }
                for document in there
            ],
        }

    def _create(self, person: Person, request: Request, body: Named) -> dict[str, Any]:
        name = body.name or NAME
        own = [one for one in collections.every(self._store, person.owner) if one.role is Part.OWNER]
        for one in own:
            if one.name == collections.readable_name(name):
                return self._shown(one)
        if len(own) >= 100:
            raise UsageError("you have 100 collections; remove one first")
        return self._shown(collections.create(self._store, person.owner, name))

    def _remove(self, person: Person, request: Request, body: Removal) -> dict[str, Any]:
        id = request.path_params["id"]
        collections.of_document(self._store, person.owner, id, Part.EDITOR)
        gone = [documents.get(self._store, id)]
        if body.erase:
            removing.erase(self._store, gone)
        else:
            removing.remove(self._store, gone)
        return {}

    def _place(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        """Where a citation of an own turn stands, with what is around it where the original has no pages."""
        turn = self._assistant.turn(request.path_params["id"], owner=person.owner)
        source = turn.source(request.path_params["number"])
        places = Places(self._store, person.owner)
        place = places(source) if source else None
        if source is None or place is None:
            raise NotFound("this citation comes from no own document")
        shown = place["name"] is not None and not places.state(source)
        document = documents.find(self._store, place["document"]) if shown else None
        blocks = _blocks(self._files, document, place["start"], place["end"]) if document else []
        return place | {
            "state": places.state(source),
            "pages": document.pages if document else None,
            "has_original": document is not None,
            "blocks": blocks if document and not document.pages else [],
            "quote": source.quote or source.passage.text,
        }

    async def _upload(self, request: Request) -> Response:
        """Take one file as the body of the request, piece by piece; its name is a parameter."""
        person = self._access.person(request.headers)
        if person is None:
            return _said("Sign in again, or allow cookies.", 401)
        if not _is_ours(request):
            return _said("Requests from other sites are refused.", 403)
        stream = request.stream()

        async def piece() -> bytes:
            return await anext(stream, b"")

        def pieces() -> Iterator[bytes]:
            while True:
                found = anyio.from_thread.run(piece)
                if not found:
                    return
                yield found

        try:
            added = await run_in_threadpool(
                self._take, person, request.path_params["collection"], request.query_params.get("name", ""), pieces
            )
        except ClientDisconnect:
            return _said("The file did not arrive whole, or is too large.", 413)
        except SearChainError as error:
            return _said(str(error), 404 if isinstance(error, NotFound) else 400)
        return JSONResponse(added, headers={"cache-control": "no-store"})

    def _take(
        self, person: Person, collection: str, name: str, pieces: Callable[[], Iterator[bytes]]
    ) -> list[dict[str, Any]]:
        """Store what arrives; a zip or a web archive becomes the documents in it."""
        from searchain.documents import files_in

        into = collections.named(self._store, person.owner, collection, Part.EDITOR)
        name = documents.readable_name(name)
        stored = self._files.put(pieces(), self._left(person))
        answers = []
        try:
            for found in files_in(self._files.original(stored.sha256), name):
                try:
                    if found.refused is not None:
                        raise found.refused
                    bytes_ = stored
                    if found.path != self._files.original(stored.sha256):
                        bytes_ = self._files.put_file(found.path, self._left(person))
                    document, is_new = documents.submit(self._store, self._files, into.id, found.name, bytes_)
                    answers.append({"name": document.name, "state": document.state.value, "is_new": is_new})
                except (DocumentRefused, UsageError) as error:
                    state = error.state if isinstance(error, DocumentRefused) else "failed"
                    answers.append({"name": found.name, "state": state, "reason": str(error), "is_new": False})
        finally:
            removing.drop_unused(self._store, self._files, {stored.sha256})
            self._worker.wake(into.id)
        return answers

    def _left(self, person: Person) -> int:
        """How many bytes the next file of this person may have. Raises ``UsageError`` when it may be none."""
        if not person.is_visitor and person.role is None:
            raise UsageError("sign in to add documents")
        quota = VISITORS if person.is_visitor else USERS
        files, used = documents.usage(self._store, person.owner)
        if files >= quota.files or used >= quota.bytes:
            raise UsageError(
                f"you have {files:,} documents with {used / 1e6:,.1f} MB, and {quota.files:,} with "
                f"{quota.bytes / 1e6:,.0f} MB are allowed; remove some first"
            )
        return min(MAX_BYTES, quota.bytes - used)

    async def _original(self, request: Request) -> Response:
        document = await self._visible(request)
        path = self._files.original(document.sha256) if document else None
        if document is None or path is None or not path.is_file():
            return _said("There is no such document.", 404)
        name = document.name.rpartition("/")[2]
        return FileResponse(
            path,
            media_type="application/octet-stream",
            headers={
                "content-disposition": f"attachment; filename*=utf-8''{quote(name)}",
                "content-security-policy": _SANDBOX,
                "cache-control": "private, no-store",
            },
        )

    async def _page(self, request: Request) -> Response:
        """One page of a PDF as a picture; scripts and links of the PDF stay behind."""
        from searchain.documents import page_image

        document = await self._visible(request)
        if document is None or document.type != "pdf":
            return _said("There is no such page.", 404)
        try:
            picture = await run_in_threadpool(
                page_image, self._files.original(document.sha256), request.path_params["page"]
            )
        except (DocumentRefused, OSError):
            return _said("There is no such page.", 404)
        return Response(picture, media_type="image/webp", headers={"cache-control": "private, max-age=3600"})

    async def _visible(self, request: Request) -> Document | None:
        """The document that is asked for, if this person may see it."""
        person = self._access.person(request.headers)
        return await run_in_threadpool(self._find, person, request.path_params["id"]) if person else None

    def _find(self, person: Person, id: str) -> Document | None:
        try:
            collections.of_document(self._store, person.owner, id)
            document = documents.get(self._store, id)
        except SearChainError:
            return None
        return document if document.removed is None else None


class Worker:
    """The thread that reads and encodes documents, one collection after the other."""

    def __init__(self, store: Database) -> None:
        self._store = store
        self._waiting: queue.Queue[str | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="documents", daemon=True)
        self._thread.start()

    def wake(self, collection: str) -> None:
        """There is something to do."""
        self._waiting.put(collection)

    def close(self) -> None:
        """End after the collection that is being worked on."""
        self._waiting.put(None)
        self._thread.join(5.0)

    def _run(self) -> None:
        self._try(lambda: removing.tidy(self._store))
        self._try(self._expire)
        for collection in {document.collection for document in self._under_way()}:
            self._waiting.put(collection)
        while (next_one := self._waiting.get()) is not None:
            self._try(lambda: adding.work(self._store, next_one))
            self._try(self._expire)

    def _under_way(self) -> list[Document]:
        try:
            return documents.under_way(self._store)
        except SearChainError:
            return []

    def _expire(self) -> None:
        """Remove what visitors left."""
        for collection in collections.older_than(self._store, "visitor:", VISITORS.days or 0):
            removing.remove_collection(self._store, collection, with_quotes=True)

    def _try(self, action: Callable[[], object]) -> None:
        try:
            action()
        except SearChainError as error:
            log.warning("documents: %s", error)
        except Exception:
            log.exception("documents")


def _blocks(files: Files, document: Document, start: int, end: int) -> list[dict[str, Any]]:
    """The blocks around a citation as plain text, with the cited words of each."""
    parsed = files.parsed(document.sha256, document.type or "")
    if parsed is None:
        return []
    cited = [number for number, block in enumerate(parsed.blocks) if block.start < end and start < block.end]
    if not cited:
        return []
    return [
        {
            "kind": block.kind.value,
            "text": parsed.text[block.start : block.end],
            "mark": [max(start, block.start) - block.start, min(end, block.end) - block.start]
            if block.start < end and start < block.end
            else None,
        }
        for block in parsed.blocks[max(0, cited[0] - _AROUND) : cited[-1] + _AROUND + 1]
    ]


def _is_ours(request: Request) -> bool:
    """Whether the request comes from this site's own scripts: other sites' forms cannot set this header."""
    from ui.server.access import is_own

    return is_own(request.headers) and request.headers.get("x-searchain") == "upload"


def _said(message: str, status: int) -> JSONResponse:
    return JSONResponse({"error": message}, status, {"cache-control": "no-store"})
