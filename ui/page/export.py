"""Export conversations from the page: a menu of links, and the route that streams the visitor's own ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import NotFound, SearChainError
from storage.people.users import Role
from ui.exports.formats import FORMATS, format_named
from ui.html import render
from ui.server.access import Access
from ui.server.rules import Rule
from ui.translation import N_, _

RULES = (Rule("/export", Role.CHAT),)
CONDITIONS = ("conversation", "model", "status", "outcome", "since", "until", "text")
"""Query parameters that select turns, as the options of ``assistant.py export`` do."""
_NAME = 26  # most characters of an id in a file name: as many as our own ids have
_TITLES = {"html": N_("Web page"), "markdown": "Markdown", "csv": N_("Spreadsheet"), "bibtex": "BibTeX"}
"""Formats for people to read, with their names on the page."""
SCRIPT = """element.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-this]');
  if (!link) return;
  const shown = document.getElementById('reasoning')?.dataset.conversation;
  link.href = link.dataset.this + '?conversation=' + encodeURIComponent(shown || 'none');
});"""
"""Completes a link to this conversation when it is clicked, because before that there may be no conversation."""


def menu() -> Markup:
    """Render the menu: each format for this conversation or for all; formats for programs are in a folded part."""
    rows = [
        {"name": name, "title": _(_TITLES.get(name, name)), "about": _(format.about)}
        for name, format in FORMATS.items()
    ]
    people = [row for name in _TITLES for row in rows if row["name"] == name]
    return render("page/export.html", people=people, researchers=[row for row in rows if row not in people])


class Exports:
    """The route ``GET export/FORMAT?conversation=…``: sends a file piece by piece, however large it is."""

    def __init__(self, assistant: Assistant, access: Access) -> None:
        self._assistant, self._access = assistant, access

    @property
    def routes(self) -> list[Route]:
        return [Route("/export/{format}", self._export)]

    async def _export(self, request: Request) -> Response:
        name = request.path_params["format"]
        conditions = {key: value for key, value in request.query_params.items() if key in CONDITIONS}
        person = self._access.person(request.headers)
        if person is None:
            return PlainTextResponse("Your conversations are not open to this browser.", 403)
        try:
            if "conversation" in conditions:
                await run_in_threadpool(self._assistant.choices, conditions["conversation"], owner=person.owner)
            format = format_named(name)
            pieces = format.write(self._assistant.finished(owner=person.owner, **conditions))
            first = await run_in_threadpool(next, pieces, "")  # an error before the first piece is shown as a page
        except NotFound:
            return PlainTextResponse("There is no such conversation.", 404)
        except SearChainError as error:
            return PlainTextResponse(str(error), 400)
        return StreamingResponse(
            _encoded(chain([first], pieces)),
            media_type=f"{format.media_type}; charset=utf-8",
            headers={
                "content-disposition": f'attachment; filename="{_name(conditions)}{format.suffix}"',
                "cache-control": "no-store",
            },
        )


def _name(conditions: dict[str, str]) -> str:
    """Return the name of the file; that of one conversation has its id, so that several can be saved."""
    if "conversation" not in conditions:
        return "conversations"
    return f"conversation-{re.sub('[^0-9A-Za-z]', '', conditions['conversation'])[:_NAME]}"


def _encoded(pieces: Iterator[str]) -> Iterator[bytes]:
    for piece in pieces:
        yield piece.encode()
