"""JSON routes of the desk. They check the sender and the role before they act."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from searchain.errors import UsageError
from storage.people.users import Role
from ui.desk.pages import API
from ui.server.access import Access, Person
from ui.server.json_routes import json_route

Act = Callable[[Person, str, dict[str, Any]], Any]
"""Maps the signed-in person, the item (``""`` if the path has no item) and the values to the response's value."""


def action(path: str, method: str, access: Access, least: Role, act: Act) -> Route:
    """Make a route under ``/annotate/api`` for people whose role includes ``least``.

    Requests that change data must be JSON, which a form of another site cannot send.
    """

    def handle(person: Person, request: Request, values: dict[str, Any]) -> Any:
        allow(person, least)
        if method != "GET" and not request.headers.get("content-type", "").startswith("application/json"):
            raise UsageError("send JSON, as the desk's own pages do")
        return act(person, request.path_params.get("id", ""), values)

    return json_route(f"{API}/{path}", method, access, handle)


def allow(person: Person, least: Role) -> None:
    """Raise ``UsageError`` if the person's role does not include ``least``."""
    if not person.may(least):
        raise UsageError(f"your role does not allow this; ask whoever runs this desk for the role {least}")
