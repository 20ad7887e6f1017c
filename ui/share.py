"""Sharing from the page: its menu, and the routes that make, list and revoke links and show what is behind one."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from searchain.errors import NotFound, SearChainError
from searchain.escape import escape
from storage import shares
from storage.database import Database
from storage.exports import page
from storage.shares import DAYS, Share
from ui.access import Access, Person, Who, is_own

_SNAPSHOT = "/s/"
_CHOICES = {1: "a day", 7: "a week", 30: "30 days", 365: "a year"}
_GONE = "This link does not work: it has expired, was revoked, or is not complete.\n"
_HERE_ONLY = " This page answers on this machine alone, and so does the link."


def is_link(path: str) -> bool:
    """Whether ``path`` is a snapshot's."""
    return path.startswith(_SNAPSHOT)


def menu(access: Access) -> str:
    """The folded panel; ``ui/static/share.js`` brings it to life."""
    options = "".join(f'<option value="{days}"{" selected" if days == DAYS else ""}>{text}</option>'
                      for days, text in _CHOICES.items())
    return (
        f'<details data-has-visitors="{int(access.who is Who.ANYBODY)}"><summary>Share</summary><div class="sheet">'
        "<p>Whoever has the link can read this conversation as it is now: replies, trees and evidence. Later questions "
        f"do not appear.{escape(_HERE_ONLY) if access.who is Who.LOCAL else ''}</p>"
        f'<p class="make"><label>It works for <select>{options}</select></label> '
        '<button type="button" data-do="make">Make a link</button></p>'
        '<p class="link" hidden><input readonly aria-label="The link"> '
        '<button type="button" data-do="copy">Copy</button></p><p class="said" role="status"></p>'
        '<h3>Your links</h3><ul></ul></div></details>')


class Shares:
    """``/s/TOKEN`` shows a snapshot; ``GET``, ``POST /shares`` and ``DELETE /shares/ID`` are the owner's."""

    def __init__(self, store: Database, access: Access) -> None:
        self._store, self._access = store, access

    @property
    def routes(self) -> list[Route]:
        return [Route(_SNAPSHOT + "{token}", self._show, methods=["GET"]),
                Route("/shares", self._list, methods=["GET"]), Route("/shares", self._make, methods=["POST"]),
                Route("/shares/{id}", self._revoke, methods=["DELETE"])]

    async def _show(self, request: Request) -> Response:
        headers = {"cache-control": "no-store", "x-robots-tag": "noindex, nofollow, noarchive"}
        share = await run_in_threadpool(shares.find, self._store, request.path_params["token"])
        if share is None:
            return PlainTextResponse(_GONE, 404, headers)
        note = ("A read-only copy of a conversation with the SearChain assistant, as it was on "
                f"{share.created[:10]} at {share.created[11:16]} UTC. Its link works until {_day(share.expires)}.")
        pieces = page.write(shares.records(self._store, share), title=share.title, note=note)
        return StreamingResponse((piece.encode() for piece in pieces), media_type="text/html; charset=utf-8",
                                 headers=headers)

    async def _list(self, request: Request) -> Response:
        person = self._access.person(request.headers)
        if not _may(person):
            return _refusal()
        found = await run_in_threadpool(shares.of, self._store, person.owner)
        return JSONResponse([_shown(share) for share in found], headers={"cache-control": "no-store"})

    async def _make(self, request: Request) -> Response:
        person = self._access.person(request.headers)
        if not _may(person) or not is_own(request.headers):
            return _refusal()
        try:
            match json.loads(await request.body()):
                case {"conversation": str(conversation), "days": int(days)} if not isinstance(days, bool):
                    pass
                case _:
                    raise ValueError
        except ValueError:
            return PlainTextResponse("Name the conversation and the days.", 400)
        try:
            token, share = await run_in_threadpool(shares.make, self._store, conversation, owner=person.owner,
                                                   days=days)
        except SearChainError as error:
            return PlainTextResponse(str(error), 404 if isinstance(error, NotFound) else 400)
        return JSONResponse({"path": f"{_SNAPSHOT[1:]}{token}", **_shown(share)}, 201,
                            {"cache-control": "no-store"})

    async def _revoke(self, request: Request) -> Response:
        person = self._access.person(request.headers)
        if not _may(person) or not is_own(request.headers):
            return _refusal()
        try:
            await run_in_threadpool(shares.revoke, self._store, request.path_params["id"], owner=person.owner)
        except SearChainError as error:
            return PlainTextResponse(str(error), 404 if isinstance(error, NotFound) else 400)
        return Response(status_code=204)


def _may(person: Person | None) -> bool:
    return person is not None and not person.is_visitor


def _refusal() -> Response:
    return PlainTextResponse("Only the owner of a conversation may share it, from this page.", 403)


def _shown(share: Share) -> dict[str, str | int]:
    return {**asdict(share), "expires": _day(share.expires)}


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()
