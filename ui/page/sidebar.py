"""The lists at the side of the page: the person's own conversations, and the titles of all searched passages."""

import threading
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.routing import Route

from assistant import Assistant
from searchain.language.descriptions import about
from searchain.reply.no_search import Collection
from searchain.setup.index import Behind, State, reached
from searchain.types import Passage
from storage.database import Database
from storage.history.listing import FOUND
from storage.history.overview import Entry
from storage.people.users import Role
from ui.desk import routes as desk
from ui.html import render
from ui.page import finding
from ui.page.originals import number_of
from ui.server.access import Access, Person, Who
from ui.server.json_routes import Body, json_route
from ui.server.plain_page import SIGN_IN
from ui.translation import _, language, number, script_words

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
    links = {"desk": "" if access.store is None else desk.link(access)}
    links["sign_in"] = "" if access.who is Who.LOCAL else SIGN_IN.lstrip("/")
    words = script_words(language(), "ui/page/")
    return render("page/sidebar.html", max_words=_MAX_WORDS, language=language(), words=words, **links)


class Changed(Body):
    """The request to change what is named: the title, whether it is pinned, and ``False`` to undo its deletion."""

    title: str | None = None
    pinned: bool | None = None
    deleted: bool | None = None


class Sidebar:
    """The routes ``/conversations`` (list, rename, pin, delete, undo) and ``/person``, only for the owner."""

    def __init__(self, assistant: Assistant, access: Access, documents: Database | None = None) -> None:
        """With ``documents``, the database of own documents, a search finds those, too."""
        self._assistant, self._documents = assistant, documents
        self.routes: list[Route] = [
            json_route("/conversations", "GET", access, self._list),
            json_route("/conversations/{id}", "PATCH", access, self._change, Changed),
            json_route("/conversations/{id}", "DELETE", access, self._delete),
            json_route("/person", "GET", access, _person),
        ]

    def _list(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        words = request.query_params.get("words", "")[:_MAX_WORDS]
        before = request.query_params.get("before")
        entries = self._assistant.overview(owner=person.owner, words=words, limit=PAGE, before=before)
        documents: list[finding.Found] = []
        if self._documents and "documents" in request.query_params:
            documents = finding.find(self._documents, person.owner, words)
        return {
            "conversations": [_shown(entry) for entry in entries],
            "is_more": not words.strip() and sum(not entry.is_pinned for entry in entries) == PAGE,
            "documents": render("page/found.html", found=documents) if documents else "",
            "deleted": asdict(gone) if (gone := self._assistant.deletions.last(owner=person.owner)) else None,
        }

    def _change(self, person: Person, request: Request, body: Changed) -> dict[str, Any]:
        id, owner = request.path_params["id"], person.owner
        if body.deleted is False:
            self._assistant.deletions.restore(id, owner=owner)
        if body.pinned is not None:
            self._assistant.pin(id, body.pinned, owner=owner)
        return {} if body.title is None else {"title": self._assistant.rename(id, body.title, owner=owner)}

    def _delete(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        self._assistant.delete(request.path_params["id"], owner=person.owner)
        return {}


def _shown(entry: Entry) -> dict[str, Any]:
    before, *found = entry.found.split(FOUND[0])
    parts = [[before, ""], *(list(reversed(part.partition(FOUND[1])[::2])) for part in found)]
    return asdict(entry) | {"found": parts if found else []}


def _person(person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
    return {"name": "" if person.is_visitor else person.owner, "annotates": person.may(Role.ANNOTATOR)}


TITLES = 100
"""Number of titles per request."""


class Titles:
    """The route ``GET /titles?words=…&from=N``: the titles with these words, in alphabetical order."""

    def __init__(self, collection: Collection, passages: Iterable[Passage], access: Access) -> None:
        """Make the route; ``passages`` are read once, at the first request."""
        self.collection = collection
        self._passages = passages
        self._lock = threading.Lock()
        self._folded: list[tuple[str, str, str]] | None = None
        self.routes: list[Route] = [json_route("/titles", "GET", access, self._list)]

    def _list(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        words = request.query_params.get("words", "")[:_MAX_WORDS].casefold().split()
        start = number_of(request, "from")
        every = self._every()
        found = [(title, asks) for folded, title, asks in every if all(word in folded for word in words)]
        html = render("page/titles_found.html", titles=found[start : start + TITLES])
        said = _("{all} titles", all=number(len(every)))
        if len(found) < len(every):
            said = _("{found} of {all} titles", found=number(len(found)), all=number(len(every)))
        return {"html": html, "said": said, "is_more": start + TITLES < len(found)}

    def _every(self) -> list[tuple[str, str, str]]:
        """Return each title once, as (title in lower case, title, question about it), sorted."""
        with self._lock:
            if self._folded is None:
                first: dict[str, Passage] = {}
                for passage in self._passages:
                    if passage.title:
                        first.setdefault(passage.title, passage)
                self._folded = sorted((title.casefold(), title, about(one)) for title, one in first.items())
            return self._folded


class Searching:
    """The route ``GET /searching``: how the encyclopedia is searched, and how far the build is."""

    def __init__(self, access: Access, behind: Behind) -> None:
        self._behind = behind
        self.routes: list[Route] = [json_route("/searching", "GET", access, self._tell)]

    def _tell(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        state = self._behind.state()
        match state:
            case State.READY:
                return {"state": state.value, "said": ""}
            case State.BUILDING:
                now = reached()
                seconds = now.left() if now else None
                said = _("Searching by words; by meaning in a few minutes")
                if seconds is not None:
                    minutes = max(1, round(seconds / 60))
                    said = _("Searching by words; by meaning in about {minutes} min", minutes=minutes)
                return {"state": state.value, "said": said, "share": now and now.share}
            case State.FAILED:
                is_told = self._behind.reason and person.may(Role.ADMIN)  # it names folders of the machine
                said = _("Searching by words")
                if is_told:
                    said = _("Searching by words: {reason}", reason=self._behind.reason)
                return {"state": state.value, "said": said}
