"""The page ``/people`` for admins: the users with what they use, and a form for each that sets role and budget.

It is plain HTML and works without scripts.
"""

import re
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from searchain.errors import NotFound, SearChainError, UsageError
from storage.database import Database, now
from storage.log import spending
from storage.people import tokens, users
from storage.people.users import Role
from ui.html import render
from ui.server.access import Access, Person, Rule, is_own
from ui.server.plain_page import PEOPLE, fields, sheet, told
from ui.translation import _, number

RULES = (Rule(PEOPLE, Role.ADMIN, is_page=True),)
_MEGABYTE = 1_000_000
_NUMBER = re.compile(r"[0-9]{1,15}|[0-9]{1,3}([.,\s])[0-9]{3}(?:\1[0-9]{3}){0,3}")
"""Digits, or all of them in groups of three with the same sign between."""


class PeoplePage:
    """The route of the page; the guard lets admins alone in."""

    def __init__(self, store: Database, access: Access) -> None:
        self._store, self._access = store, access
        self.routes = [Route(PEOPLE, self._show, methods=["GET"]), Route(PEOPLE, self._try, methods=["POST"])]

    async def _show(self, request: Request) -> Response:
        return await run_in_threadpool(self._shown)

    async def _try(self, request: Request) -> Response:
        person = self._access.person(request.headers)
        if person is None or not is_own(request.headers):
            return told(request, _("This is not open to you."), 403)
        form = await fields(request)
        if form is None:
            return await run_in_threadpool(self._shown, _("That is too long."), 413)
        try:
            await run_in_threadpool(self._change, person, form)
        except SearChainError as error:
            return await run_in_threadpool(self._shown, str(error), 400)
        return RedirectResponse(PEOPLE, 303)

    def _change(self, person: Person, form: dict[str, str]) -> None:
        """Give a user the role and the budget of the form.

        Raises ``UsageError`` if a value is wrong, the form is out of date, or an admin would lose the own role.
        """
        name, role, budget = form.get("name", ""), form.get("role", ""), form.get("budget", "").strip()
        try:
            user = users.get(self._store, name)
        except NotFound:
            raise UsageError(_("There is no user {name}; reload the page.", name=name)) from None
        if form.get("before") != f"{user.role} {user.budget or ''}":
            raise UsageError(_("{name} was changed meanwhile; reload the page.", name=user.name))
        if role not in list(Role):
            raise UsageError(_("There is no role {role}; reload the page.", role=role))
        allowed = int("".join(filter(str.isdecimal, budget))) if _NUMBER.fullmatch(budget) else 0
        if budget and not allowed:
            raise UsageError(
                _("The budget of {name} is a number of tokens, or empty for that of everybody.", name=user.name)
            )
        if user.name == person.owner and role != user.role:
            raise UsageError(_("Another admin changes your role, so that you do not shut yourself out."))
        if role != user.role:
            users.change(self._store, user.name, role=Role(role))
        if (allowed or None) != user.budget:
            users.allow(self._store, user.name, allowed or None)

    def _shown(self, alert: str = "", status: int = 200) -> Response:
        named = {"people": self._people(), "roles": list(Role), "alert": alert, "path": PEOPLE, "number": number}
        page = render("server/people.html", **named)
        return sheet(_("People"), page, status)

    def _people(self) -> list[dict[str, Any]]:
        spent = spending.of_day(self._store, now()[:10])
        sessions, programs = tokens.count(self._store, "session"), tokens.count(self._store)
        query = """SELECT c.owner, total(d.bytes) FROM documents d JOIN collections c ON c.id = d.collection
            WHERE d.removed IS NULL GROUP BY c.owner"""
        stored = dict(self._store.rows(query))
        return [
            {
                "user": user,
                "spent": spent.get(user.name, 0),
                "megabytes": stored.get(user.name, 0) / _MEGABYTE,
                "sessions": sessions.get(user.name, 0),
                "programs": programs.get(user.name, 0),
            }
            for user in users.every(self._store)
            if not user.disabled
        ]
