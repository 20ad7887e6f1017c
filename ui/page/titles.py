"""The titles of all searched passages, to browse what can be asked about."""

import threading
from collections.abc import Iterable
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from searchain.language.descriptions import about
from searchain.reply.no_search import Collection
from searchain.setup.index import Behind, State, reached
from searchain.types import Passage
from storage.people.users import Role
from ui.server.access import Access, Person
from ui.server.json_routes import json_route
from ui.translation import _

PAGE = 100
"""Number of titles per request."""
_MAX_WORDS = 200  # characters


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
        number = request.query_params.get("from", "0")
        start = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
        every = self._every()
        found = [(title, asks) for folded, title, asks in every if all(word in folded for word in words)]
        return {
            "titles": [{"title": title, "question": asks} for title, asks in found[start : start + PAGE]],
            "found": len(found),
            "all": len(every),
            "is_more": start + PAGE < len(found),
        }

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
                return {
                    "state": state.value,
                    "said": _building(now.left() if now else None),
                    "share": now and now.share,
                }
            case State.FAILED:
                is_told = self._behind.reason and person.may(Role.ADMIN)  # it names folders of the machine
                said = (
                    _("Searching by words: {reason}", reason=self._behind.reason)
                    if is_told
                    else _("Searching by words")
                )
                return {"state": state.value, "said": said}


def _building(seconds: float | None) -> str:
    if seconds is None:
        return _("Searching by words; by meaning in a few minutes")
    return _("Searching by words; by meaning in about {minutes} min", minutes=max(1, round(seconds / 60)))
