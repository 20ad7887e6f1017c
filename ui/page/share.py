"""Share a conversation: the menu, and the routes that create, list and revoke links and show a snapshot."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from searchain.errors import DiskFull, SearChainError
from storage.database import Database
from storage.log.runs import Started
from storage.people import shares
from storage.people.shares import DAYS, Share
from storage.people.users import Role
from storage.removal import delete
from ui.exports import html_page
from ui.html import render
from ui.page import continuing, quotas
from ui.server.access import Access, Person, Rule, Who, is_own
from ui.server.json_routes import Body, json_route
from ui.server.limits import LimitReached
from ui.server.plain_page import told
from ui.translation import N_, _, language_of, speaking

_SNAPSHOT = "/s/"
_POLICY = f"{html_page.POLICY}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
RULES = (Rule("/shares", Role.CHAT), Rule(_SNAPSHOT, policy=_POLICY, is_open=True))
"""Who may share; a snapshot needs no sign-in, because its link is the key."""
_CHOICES = {1: N_("a day"), 7: N_("a week"), 30: N_("30 days"), 365: N_("a year")}
_GONE = N_("This link does not work: it has expired, was revoked, or is not complete.")


def menu(access: Access) -> Markup:
    """Render the folded panel; ``ui/page/static/share.js`` handles it."""
    choices, has_visitors = list(_CHOICES.items()), int(access.who is Who.ANYBODY)
    is_here_only = not (access.answers_to_any_host or access.public_url)
    return render(
        "page/share.html", has_visitors=has_visitors, is_here_only=is_here_only, choices=choices, default=DAYS
    )


class Wanted(Body):
    """The request for a link, and how many days it works."""

    conversation: str = ""
    days: int = DAYS


class Shares:
    """The routes ``/s/TOKEN`` (a snapshot, which ``POST`` copies for who may chat), ``/shares`` and ``/shares/ID``."""

    def __init__(
        self, store: Database, access: Access, home: int | None = None, *, min_free: float = quotas.MIN_FREE
    ) -> None:
        """Serve links to the conversations in ``store``.

        Args:
            home: a number in each link, by which a proxy finds this process among several.
            min_free: gigabytes of the disk that copies leave free.
        """
        self._store, self._query = store, "" if home is None else f"?home={home}"
        self._min_free = min_free
        self._access = access
        self._base = f"{access.public_url}/" if access.public_url else ""
        self.routes: list[Route] = [
            Route(_SNAPSHOT + "{token}", self._show, methods=["GET"]),
            Route(_SNAPSHOT + "{token}", self._continue, methods=["POST"]),
            json_route("/shares", "GET", access, self._list),
            json_route("/shares", "POST", access, self._make, Wanted),
            json_route("/shares/{id}", "DELETE", access, self._revoke),
        ]

    async def _show(self, request: Request) -> Response:
        headers = {"cache-control": "no-store", "x-robots-tag": "noindex, nofollow, noarchive"}
        share = await run_in_threadpool(shares.find, self._store, request.path_params["token"])
        if share is None:
            with speaking(language_of(request.headers)):
                return told(request, _(_GONE), 404, headers=headers)
        note = (
            "A read-only copy of a conversation with the SearChain assistant, as it was on "
            f"{share.created[:10]} at {share.created[11:16]} UTC. Its link works until {_day(share.expires)}."
        )
        with speaking(language_of(request.headers)):
            act = render("page/continue.html") if self._who_may_copy(request) else ""
        pieces = html_page.write(shares.records(self._store, share), title=share.title, note=note, act=act)
        return StreamingResponse(map(str.encode, pieces), media_type="text/html; charset=utf-8", headers=headers)

    async def _continue(self, request: Request) -> Response:
        """Copy the snapshot into a conversation of whoever sends its form, and open that."""
        with speaking(language_of(request.headers)):
            person = self._who_may_copy(request)
            if person is None or not is_own(request.headers):
                return told(request, _("Your role does not allow this."), 403)
            host = request.client.host if request.client else None
            try:
                copied = await run_in_threadpool(self._copied, request.path_params["token"], person, host)
            except SearChainError as error:
                status = 507 if isinstance(error, DiskFull) else 503 if isinstance(error, LimitReached) else 500
                return told(request, _("The conversation was not copied: {error}.", error=error), status)
            return RedirectResponse(f"/?c={copied}", 303) if copied else told(request, _(_GONE), 404)

    def _who_may_copy(self, request: Request) -> Person | None:
        """Return the person who may chat; ``None`` among several processes, whose people have their own database."""
        person = self._access.person(request.headers)
        return person if person and person.may(Role.CHAT) and not self._query else None

    def _copied(self, token: str, person: Person, host: str | None) -> str | None:
        """Return the ID of the copy; ``None`` if the link does not work. A new copy counts as a question."""
        share = shares.find(self._store, token)
        if share is None:
            return None
        if known := continuing.copied(self._store, share, person.owner):
            return known
        quotas.free_space(self._store, self._min_free, "conversation is copied")
        turns: list[str] = []

        def copy() -> Started:
            conversation, copies = continuing.copy(self._store, share, person.owner)
            turns.extend(copies)
            return Started(conversation, copies[-1])

        copied = self._access.start(person, host, copy).conversation
        if shares.find(self._store, token) is None:  # it was redacted or withdrawn meanwhile
            delete.remove(self._store, turns)
            return None
        return copied

    def _list(self, person: Person, request: Request, values: dict[str, Any]) -> list[dict[str, Any]]:
        return [_shown(share) for share in shares.shares_of(self._store, person.owner)]

    def _make(self, person: Person, request: Request, body: Wanted) -> dict[str, Any]:
        token, share = shares.make(self._store, body.conversation, owner=person.owner, days=body.days)
        return {"path": f"{self._base}{_SNAPSHOT[1:]}{token}{self._query}", **_shown(share)}

    def _revoke(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        shares.revoke(self._store, request.path_params["id"], owner=person.owner)
        return {}


def _shown(share: Share) -> dict[str, Any]:
    return {**asdict(share), "expires": _day(share.expires)}


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()
