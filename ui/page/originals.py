"""The originals of own documents: the file, a page of it as a picture, and the place of a citation in it."""

from __future__ import annotations

import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import DocumentRefused, NotFound, SearChainError
from storage.collections import access as collections
from storage.collections import documents
from storage.collections.documents import Document
from storage.collections.files import Files
from storage.collections.places import Places
from storage.database import Database
from ui.exports.formats import attachment
from ui.server.access import Access, Person
from ui.server.json_routes import busy, error_answer, json_route
from ui.server.limits import LimitReached, Line

_SANDBOX = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""The content security policy of an original: no scripts run, and nothing is loaded."""
_DRAWN = ("pdf", "picture")
"""The types of documents that are shown page by page."""
_AROUND = 6
"""Number of blocks shown before and after the cited one."""
_KEPT = 32_000_000
"""Most bytes of pictures that are kept."""
_KEPT_PAGES = 1_000
_KEPT_SECONDS = 600.0


class Originals:
    """The routes that show an original to those who may see the document."""

    def __init__(self, store: Database, files: Files, assistant: Assistant, access: Access) -> None:
        self._store, self._files, self._assistant, self._access = store, files, assistant, access
        self._line, self._drawn = Line(), Drawn()
        self.routes: list[Route] = [
            json_route("/turns/{id}/sources/{number:int}/place", "GET", access, self._place, line=self._line),
            Route("/documents/{id}/original", self._original, methods=["GET"]),
            Route("/documents/{id}/pages/{page:int}", self._page, methods=["GET"]),
        ]

    def _place(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        """Return the place of a citation of an own turn; without pages, with the text blocks around it."""
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

    async def _original(self, request: Request) -> Response:
        document = await self._visible(request)
        path = self._files.original(document.sha256) if document else None
        if document is None or path is None or not path.is_file():
            return error_answer(404, "There is no such document.")
        name = document.name.rpartition("/")[2]
        return FileResponse(
            path,
            media_type="application/octet-stream",
            headers={
                "content-disposition": attachment(name),
                "content-security-policy": _SANDBOX,
                "cache-control": "private, no-store",
            },
        )

    async def _page(self, request: Request) -> Response:
        """Return one page of a PDF or one picture, without scripts and links."""
        document = await self._visible(request)
        person = self._access.person(request.headers)
        if document is None or document.type not in _DRAWN or person is None:
            return error_answer(404, "There is no such page.")
        original, page = self._files.original(document.sha256), request.path_params["page"]
        draw = partial(self._drawn.page, original, page, document.type)
        try:
            picture = self._drawn.kept(original, page, document.type)
            if picture is None:
                picture = await self._line.run(request, person.owner, draw)
        except LimitReached as reached:
            return busy(reached)
        if not picture:
            return error_answer(404, "There is no such page, or it cannot be drawn in time.")
        return Response(picture, media_type="image/webp", headers={"cache-control": "private, max-age=3600"})

    async def _visible(self, request: Request) -> Document | None:
        person = self._access.person(request.headers)
        return await run_in_threadpool(self._find, person, request.path_params["id"]) if person else None

    def _find(self, person: Person, id: str) -> Document | None:
        try:
            collections.of_document(self._store, person.owner, id)
            document = documents.get(self._store, id)
        except SearChainError:
            return None
        return document if document.removed is None else None


class Drawn:
    """The pictures of pages that were drawn last, and the pages that cannot be drawn. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pictures: dict[tuple[Path, int, str], tuple[float, bytes]] = {}
        """Page → (time until which it is kept, picture). Pages that cannot be drawn have an empty one."""

    def kept(self, original: Path, page: int, type: str) -> bytes | None:
        """Return the picture of a page, empty if it cannot be drawn; ``None`` if that is not known."""
        with self._lock:
            until, picture = self._pictures.get((original, page, type), (0.0, b""))
        return picture if until > time.monotonic() else None

    def page(self, original: Path, page: int, type: str, stop: threading.Event) -> bytes:
        """Return the picture of a page, drawn if need be; empty if it cannot be drawn."""
        from searchain.documents import page_image

        known = self.kept(original, page, type)  # somebody before in the line may have asked for the same page
        if known is not None:
            return known
        try:
            picture = page_image(original, page, type, stop)
        except (DocumentRefused, OSError):
            picture = b""
        if not stop.is_set():
            with self._lock:
                self._pictures[original, page, type] = time.monotonic() + _KEPT_SECONDS, picture
                while len(self._pictures) > _KEPT_PAGES or sum(len(one) for _, one in self._pictures.values()) > _KEPT:
                    del self._pictures[next(iter(self._pictures))]
        return picture


def _blocks(files: Files, document: Document, start: int, end: int) -> list[dict[str, Any]]:
    """Return the blocks around a citation as plain text, each with the place of its cited words."""
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
            "added": [[first - block.start, last - block.start] for first, last in block.added],
        }
        for block in parsed.blocks[max(0, cited[0] - _AROUND) : cited[-1] + _AROUND + 1]
    ]
