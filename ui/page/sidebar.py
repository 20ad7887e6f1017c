"""The list of the person's own conversations: its frame on the page, and the routes that fill and change it."""

from dataclasses import asdict
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.routing import Route

from assistant import Assistant
from storage.history.listing import FOUND
from storage.history.overview import Entry
from storage.people.users import Role
from ui.desk import routes as desk
from ui.html import render
from ui.server.access import Access, Person, Who
from ui.server.json_routes import Body, json_route
from ui.server.plain_page import SIGN_IN
from ui.translation import language, script_words

PAGE = 50
"""Number of conversations per request."""
_MAX_WORDS = 200  # characters
HEAD = """<script>try {
  if (localStorage.getItem('searchain-nav') === 'folded') document.documentElement.classList.add('nav-folded');
} catch { /* a browser that keeps nothing shows the list */ }</script>"""
"""Folds the list before the page is drawn, if it was folded before."""


def frame(access: Access) -> Markup:
    """Render the list without its conversations, which ``ui/page/static/sidebar.js`` loads.

    Below it are a link to the desk, for annotators, and the person's name, if people sign in. A script asks the server
    for both, because the page is the same for everybody.
    """
    sign_in = "" if access.who is Who.LOCAL else SIGN_IN.lstrip("/")
    return render(
        "page/sidebar.html",
        desk="" if access.store is None else desk.link(access),
        max_words=_MAX_WORDS,
        sign_in=sign_in,
        language=language(),
        words=script_words(language(), "ui/page/"),
    )


class Renamed(Body):
    """The request to give a conversation a new title."""

    title: str = ""


class Sidebar:
    """The routes ``/conversations`` (list, rename, delete) and ``/person``, only for the owner."""

    def __init__(self, assistant: Assistant, access: Access) -> None:
        self._assistant = assistant
        self.routes: list[Route] = [
            json_route("/conversations", "GET", access, self._list),
            json_route("/conversations/{id}", "PATCH", access, self._rename, Renamed),
            json_route("/conversations/{id}", "DELETE", access, self._delete),
            json_route("/person", "GET", access, _person),
        ]

    def _list(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        words = request.query_params.get("words", "")[:_MAX_WORDS]
        entries = self._assistant.overview(
            owner=person.owner, words=words, limit=PAGE, before=request.query_params.get("before")
        )
        return {
            "conversations": [_shown(entry) for entry in entries],
            "is_more": not words.strip() and len(entries) == PAGE,
        }

    def _rename(self, person: Person, request: Request, body: Renamed) -> dict[str, Any]:
        return {"title": self._assistant.rename(request.path_params["id"], body.title, owner=person.owner)}

    def _delete(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        self._assistant.delete(request.path_params["id"], owner=person.owner)
        return {}


def _shown(entry: Entry) -> dict[str, Any]:
    before, *found = entry.found.split(FOUND[0])
    parts = [[before, ""], *(list(reversed(part.partition(FOUND[1])[::2])) for part in found)]
    return asdict(entry) | {"found": parts if found else []}


def _person(person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
    return {"name": "" if person.is_visitor else person.owner, "annotates": person.may(Role.ANNOTATOR)}
