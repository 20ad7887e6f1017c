"""Exports from the page: a menu of links, and the route that streams the visitor's own conversations."""

from itertools import chain
from pathlib import Path

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import NotFound, SearChainError
from storage.people.users import Role
from ui.exports.formats import EVERYTHING, FORMATS, Format, attachment, encoded, file_name, format_named, unmarked
from ui.html import render
from ui.server.access import Access, Rule
from ui.translation import N_, _

RULES = (Rule("/export", Role.CHAT),)
CONDITIONS = ("conversation", "model", "status", "outcome", "since", "until", "text")
"""Query parameters that select turns, as the options of ``assistant.py export`` do."""
_TITLES = {
    "word": "Word",
    "html": N_("Web page"),
    "proof": N_("Proof"),
    "markdown": "Markdown",
    "spreadsheet": N_("Spreadsheet"),
    "bibtex": "BibTeX",
}
"""Formats for people to read, with their names on the page."""
_TOLD = ("word", "html", "markdown", "spreadsheet")
"""Formats that say how far each reply can be believed, unless the query says ``marks=none``."""
SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def menu() -> Markup:
    """Render the menu: each format for this conversation or for all; formats for programs are in a folded part."""
    rows = [{"name": name, "title": _(_TITLES.get(name, name)), "about": _(one.about)} for name, one in FORMATS.items()]
    people = [row for name in _TITLES for row in rows if row["name"] == name]
    return render("page/export.html", people=people, researchers=[row for row in rows if row not in people])


class Exports:
    """The route ``GET export/FORMAT?conversation=…``: sends a file piece by piece, however large it is."""

    def __init__(self, assistant: Assistant, access: Access) -> None:
        self._assistant, self._access = assistant, access
        self.routes = [Route("/export/{format}", self._export)]

    async def _export(self, request: Request) -> Response:
        name = request.path_params["format"]
        conditions = {key: value for key, value in request.query_params.items() if key in CONDITIONS}
        person = self._access.person(request.headers)
        if person is None:
            return PlainTextResponse("Your conversations are not open to this browser.", 403)
        try:
            format = format_named(name)
            file = await run_in_threadpool(self._name, format, conditions.get("conversation"), person.owner)
            turns = self._assistant.finished(owner=person.owner, **conditions)
            is_unmarked = request.query_params.get("marks") == "none" and name in _TOLD
            documents = self._assistant.place_of(owner=person.owner).document
            pieces = format.pieces(map(unmarked, turns) if is_unmarked else turns, documents)
            first = await run_in_threadpool(next, pieces, "")  # an error before the first piece is shown as a page
        except NotFound:
            return PlainTextResponse("There is no such conversation.", 404)
        except SearChainError as error:
            return PlainTextResponse(str(error), 400)
        kind = f"{format.media_type}{'; charset=utf-8' if format.media_type.startswith('text/') else ''}"
        headers = {"content-disposition": attachment(file), "cache-control": "no-store"}
        return StreamingResponse(encoded(chain([first], pieces)), media_type=kind, headers=headers)

    def _name(self, format: Format, conversation: str | None, owner: str) -> str:
        """Return the name of the file: the title and date of one conversation, or that of all of them today.

        Raises ``NotFound`` if there is no such conversation, or it is another owner's.
        """
        if conversation is None:
            return file_name(EVERYTHING, format.suffix)
        found = self._assistant.conversation(conversation, owner=owner)
        return file_name(found.title, format.suffix, found.updated)
