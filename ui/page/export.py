"""Export from the page: a menu of links, and the route behind them, which streams the visitor's own conversations."""

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
"""What the address may choose turns by, as the options of ``assistant.py export`` do."""
_NAME = 26  # characters of an id in the name of a file: all that our own have
_TITLES = {"html": N_("Web page"), "markdown": "Markdown", "csv": N_("Spreadsheet"), "bibtex": "BibTeX"}
"""What people read, by what they call it."""
SCRIPT = """element.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-this]');
  if (!link) return;
  const shown = document.getElementById('reasoning')?.dataset.conversation;
  link.href = link.dataset.this + '?conversation=' + encodeURIComponent(shown || 'none');
});"""
"""A link to this conversation is completed when it is used: until then there may be none."""


def menu() -> Markup:
    """A folded list of formats, each for this conversation or for all of them; those for programs folded in it."""
    rows = [
        {"name": name, "title": _(_TITLES.get(name, name)), "about": _(format.about)}
        for name, format in FORMATS.items()
    ]
    people = [row for name in _TITLES for row in rows if row["name"] == name]
    return render("page/export.html", people=people, researchers=[row for row in rows if row not in people])


class Exports:
    """``GET export/FORMAT?conversation=…``: a file, piece by piece, however large it is."""

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
            first = await run_in_threadpool(next, pieces, "")  # what goes wrong at once is told, not broken off
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
    """What the file is called: one conversation by its id, so that saving several overwrites none."""
    if "conversation" not in conditions:
        return "conversations"
    return f"conversation-{re.sub('[^0-9A-Za-z]', '', conditions['conversation'])[:_NAME]}"


def _encoded(pieces: Iterator[str]) -> Iterator[bytes]:
    for piece in pieces:
        yield piece.encode()
