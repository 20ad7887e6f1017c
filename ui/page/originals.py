"""The originals of own documents: the file, a page of it as a picture, and the place of a citation in it."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import DocumentRefused, NotFound, SearChainError
from searchain.types import Passage, Place
from storage.collections import access as collections
from storage.collections import documents
from storage.collections.documents import Document, State
from storage.collections.files import Files
from storage.collections.places import Places
from storage.database import Database
from ui.exports.formats import attachment
from ui.html import render
from ui.server.access import Access, Person
from ui.server.json_routes import busy, error_answer, json_route
from ui.server.limits import LimitReached, Line
from ui.translation import N_, _

_SANDBOX = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""The content security policy of an original: no scripts run, and nothing is loaded."""
_DRAWN = ("pdf", "picture")  # the types of documents that are shown page by page
_AROUND = 6  # number of blocks shown before and after the cited one
_MOST = 300  # most blocks that are shown at once
_KEPT = 32_000_000  # most bytes of pictures that are kept
_KEPT_PAGES = 1_000
_KEPT_SECONDS = 600.0


class Originals:
    """The routes that show an original to those who may see the document."""

    def __init__(self, store: Database, files: Files, assistant: Assistant, access: Access) -> None:
        self._store, self._files, self._assistant, self._access = store, files, assistant, access
        self._line, self._drawn = Line(), Drawn()
        self.routes: list[Route] = [
            json_route("/turns/{id}/sources/{number:int}/place", "GET", access, self._place, line=self._line),
            json_route("/documents/{id}/place", "GET", access, self._found, line=self._line),
            Route("/documents/{id}/original", self._original, methods=["GET"]),
            Route("/documents/{id}/pages/{page:int}", self._page, methods=["GET"]),
        ]

    def _place(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, str]:
        """Return the view of a citation of an own turn."""
        turn = self._assistant.turn(request.path_params["id"], owner=person.owner)
        source = turn.source(request.path_params["number"])
        places = Places(self._store, person.owner)
        place = places(source) if source else None
        if source is None or place is None:
            raise NotFound("this citation comes from no own document")
        return self._view(place, request, places.state(source), source.quote or source.passage.text)

    def _found(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, str]:
        """Return the view of the characters from ``start`` to ``end`` of a document."""
        document = self._find(person, request.path_params["id"])
        if document is None:
            raise NotFound("there is no such document (any more)")
        start, end = (number_of(request, name) for name in ("start", "end"))
        passage = Passage("", "", "", place=Place(document.id, document.sha256, start, end))
        return self._view(Places(self._store, person.owner).of(passage) or {}, request)

    def _view(self, place: dict[str, Any], request: Request, state: str = "", quote: str = "") -> dict[str, str]:
        """Return the name of the document at ``place``, and as HTML one page of it, or the text blocks around it."""
        is_open = place["name"] is not None and not state
        document = documents.find(self._store, place["document"]) if is_open else None
        shown: dict[str, Any] = {"page": 0, "label": place["page_label"] or "", "boxes": [], "blocks": []}
        shown["told"] = "" if document is None or document.state is State.READY else told(document)
        if document is not None and document.pages:
            shown |= _page(place, document.pages, number_of(request, "page"))
        elif document is not None:
            blocks = _blocks(self._files, document, place["start"], place["end"])
            shown |= {"blocks": blocks[:_MOST], "is_more": len(blocks) > _MOST}
        html = render("page/original.html", document=document, state=state, quote=quote, **shown)
        return {"name": place["name"] or _("A document"), "html": html}

    async def _original(self, request: Request) -> Response:
        document = await self._visible(request)
        path = self._files.original(document.sha256) if document else None
        if document is None or path is None or not path.is_file():
            return error_answer(404, "There is no such document.")
        headers = {"content-disposition": attachment(document.name.rpartition("/")[2])}
        headers |= {"content-security-policy": _SANDBOX, "cache-control": "private, no-store"}
        return FileResponse(path, media_type="application/octet-stream", headers=headers)

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


def told(document: Document) -> str:
    """Describe the state of a document and its length: ``ready, 3 pages``."""
    pages = document.pages
    length = _("1 page") if pages == 1 else _("{number} pages", number=pages)
    return ", ".join((_(_STATES[document.state]), *([length] if pages else ())))


_STATES = {
    State.QUEUED: N_("waiting"),
    State.PARSING: N_("reading"),
    State.ENCODING: N_("almost ready; you can ask already"),
    State.READY: N_("ready"),
    State.NO_TEXT: N_("no text"),
    State.ENCRYPTED: N_("protected"),
    State.TOO_LARGE: N_("too large"),
    State.FAILED: N_("not readable"),
}


def number_of(request: Request, name: str) -> int:
    """Return the number ``name`` of the query; 0 without it."""
    number = request.query_params.get(name, "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0


def _page(place: dict[str, Any], pages: int, wanted: int) -> dict[str, Any]:
    """Return the number and the label of the ``wanted`` page, or of the first cited one, and the boxes of its words."""
    regions, label = place["regions"], place["page_label"] or ""
    first = regions[0]["page"] if regions else 1
    page = min(wanted or first, pages)
    return {
        "page": page,
        "label": f" ({label})" if label and page == first and label != str(page) else "",
        "boxes": [box for region in regions if region["page"] == page for box in region["boxes"]],
    }


def _blocks(files: Files, document: Document, start: int, end: int) -> list[dict[str, Any]]:
    """Return the blocks around a citation, or the first ones without it, each as pieces of text with their kinds.

    Words that do not stand there in the original are ``added``, the cited ones ``cited``.
    """
    parsed = files.parsed(document.sha256, document.type or "")
    if parsed is None:
        return []
    cited = [number for number, block in enumerate(parsed.blocks) if block.start < end and start < block.end]
    if end and not cited:
        return []
    first, last = (cited[0], cited[-1]) if cited else (0, _MOST)
    found = []
    for block in parsed.blocks[max(0, first - _AROUND) : last + _AROUND + 1]:
        edges = {block.start, block.end}
        edges |= {max(block.start, min(at, block.end)) for at in (start, end, *chain(*block.added))}
        pieces = [(_kind(at, start, end, block.added), parsed.text[at:to]) for at, to in pairwise(sorted(edges))]
        found.append({"kind": block.kind.value, "pieces": pieces, "has_added": bool(block.added)})
    return found


def _kind(at: int, start: int, end: int, added: Sequence[tuple[int, int]]) -> str:
    if any(first <= at < last for first, last in added):
        return "added cited" if start <= at < end else "added"
    return "cited" if start <= at < end else ""
