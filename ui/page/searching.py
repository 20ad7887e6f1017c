"""The line of the header that says how the encyclopedia is searched while its index is built."""

from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from searchain.setup.index import Behind, State, reached
from storage.people.users import Role
from ui.server.access import Access, Person
from ui.server.json_routes import json_route
from ui.translation import _


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
