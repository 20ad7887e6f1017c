"""The desk's JSON routes: role and sender are checked once, here, before anything is done."""

from __future__ import annotations

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
"""Who asks (by the session, never by what is sent), the item (``""`` where the path names none) and the values sent →
what is answered."""


def action(path: str, method: str, access: Access, least: Role, act: Act) -> Route:
    """A route under ``/annotate/api`` for those whose role includes ``least``.

    What changes something must be JSON, which no form of another site can send.
    """

    def handle(person: Person, request: Request, values: dict[str, Any]) -> Any:
        allow(person, least)
        if method != "GET" and not request.headers.get("content-type", "").startswith("application/json"):
            raise UsageError("send JSON, as the desk's own pages do")
        return act(person, request.path_params.get("id", ""), values)

    return json_route(f"{API}/{path}", method, access, handle)


def allow(person: Person, least: Role) -> None:
    """Raises ``UsageError`` for somebody whose role does not include ``least``."""
    if not person.may(least):
        raise UsageError(f"your role does not allow this; ask whoever runs this desk for the role {least}")
