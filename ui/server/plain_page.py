"""Small pages without Gradio and scripts, one sheet of text each, and the form that signs people in and out."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Protocol
from urllib.parse import parse_qs, quote, urlencode

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from searchain.errors import StorageError
from storage.database import Database
from storage.people import audit, passwords, tokens, users
from ui.html import render
from ui.server.access import SESSION, Access, Person, is_own, session_of
from ui.server.limits import Guesses, network
from ui.translation import N_, _, language

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def home() -> dict[str, str]:
    """Return the link back to the chat, with its text."""
    return {"/": _("Go to the chat")}


def sheet(title: str, main: Markup, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a page with ``main`` under its own content security policy."""
    page = render("server/sheet.html", language=language(), title=title, style=Markup(_STYLE), main=main)
    named = {"content-security-policy": _POLICY, "cache-control": "no-store", **(headers or {})}
    return HTMLResponse(page, status, named)


def told(
    request: Request,
    text: str,
    status: int,
    links: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Respond with ``text``: to a browser as a sheet with ``links`` (address: words), to a program as one line."""
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse(text, status, headers)
    main = render("server/told.html", text=text, links=list((home() if links is None else links).items()))
    return sheet(_("Not here") if status == 404 else _("Not open"), main, status, headers)


async def broken(request: Request, error: Exception) -> Response:
    """Respond to an HTTP error: to a browser with a sheet, to a program with Gradio's JSON."""
    if not isinstance(error, HTTPException):
        raise error
    if "text/html" in request.headers.get("accept", ""):
        text = _(_BROKEN.get(error.status_code, _ELSE))
        return told(request, text, error.status_code, headers=error.headers)
    return JSONResponse({"detail": error.detail}, error.status_code, error.headers)


_ELSE = N_("This did not work. Go back, or begin anew.")
_BROKEN = {
    404: N_("There is no page at this address."),
    405: N_("This address is for programs."),
    403: N_("This is not open to you."),
}


log = logging.getLogger(__name__)

FORMS = SIGN_IN, SIGN_OUT, PASSWORD, OIDC, OIDC_BACK, JOIN = (
    "/sign-in",
    "/sign-out",
    "/sign-in/password",
    "/sign-in/oidc",
    "/sign-in/oidc/back",
    "/join",
)
"""``OIDC`` is where the page sends browsers to a provider, ``OIDC_BACK`` where the provider sends them back, and
``JOIN`` where people of a crowd platform come in."""
AUDIT, PEOPLE = "/audit", "/people"
_BROWSER = "searchain_browser"
"""The cookie of a browser in which a user signed in before: others' guesses cannot lock it out."""
_BROWSER_SECONDS = 365 * 24 * 3600
_BROWSER_ID = re.compile(r"[A-Za-z0-9_-]{32}")
PROXY = (
    "requests come through a proxy that FORWARDED_ALLOW_IPS does not name: all who use it count as one address, for "
    "limits and for guesses of passwords"
)
"""The warning that is logged once."""
_MAX_FORM = 20_000  # bytes


class Provider(Protocol):
    """Another service that says who somebody is."""

    name: str
    address: str

    def routes(self, sign_in: SignIn) -> list[Route]:
        """Return the routes that send a browser there and take it back."""


class SignIn:
    """The routes of the sign-in page. Failed tries are slowed down, per address and per name."""

    def __init__(
        self, access: Access, store: Database, pages: Collection[str] = (), provider: Provider | None = None
    ) -> None:
        """``pages`` are the paths, besides the chat's, to which a signed-in user may be redirected.

        People may sign in with ``provider``, too.
        """
        self._access, self.store, self._pages, self._provider = access, store, pages, provider
        self._guesses = Guesses()
        self._has_warned = False
        self._few = asyncio.Semaphore(2)  # checking a password takes 32 MiB and a whole core
        self.routes = [
            Route(SIGN_IN, self._show, methods=["GET"]),
            Route(SIGN_IN, self._try, methods=["POST"]),
            Route(SIGN_OUT, self._end, methods=["POST"]),
            Route(PASSWORD, self._change, methods=["POST"]),
        ]
        self.routes += provider.routes(self) if provider else []

    async def _show(self, request: Request) -> Response:
        person = self._access.person(request.headers)
        return _signed_in(person) if person and not person.is_visitor else self.form(request)

    def form(
        self,
        request: Request,
        alert: str = "",
        status: int = 200,
        headers: dict[str, str] | None = None,
        *,
        name: str = "",
    ) -> Response:
        """Return the sign-in page with ``alert``, and ``name`` in its field."""
        query = urlencode({key: value for key, value in request.query_params.items() if key in ("c", "to")})
        where = f"?{query}" if query else ""
        page = render("server/sign_in.html", alert=alert, name=name, path=SIGN_IN, provider=self._provider, where=where)
        return sheet(_("Sign in"), page, status, headers)

    async def _try(self, request: Request) -> Response:
        if not is_own(request.headers):
            return PlainTextResponse("Sign in on this site’s own page.", 403)
        form, show = await fields(request), partial(self.form, request)
        if form is None:
            return show(_("That is too long."), 413)
        name, password = form.get("name", ""), form.get("password", "")
        address = network(request.client.host if request.client else "")
        browser = request.cookies.get(_BROWSER, "")
        if wait := self._guesses.begin(address, name, browser, is_shared=self._is_shared(request)):
            seconds = int(wait) + 1
            return show(_too_many(seconds), 429, {"retry-after": str(seconds)}, name=name)
        try:
            async with self._few:
                user = await asyncio.to_thread(users.verify, self.store, name, password)
            if user is None:
                await asyncio.to_thread(audit.failed, self.store, name)
                return show(_("The name or the password is wrong."), 401, name=name)
            cookies = await self._signed_in(address, name, browser, user.name)
        except StorageError as error:
            return show(_("You could not be signed in: {error}.", error=error), 503, name=name)
        return opened(request, self.home(request.query_params), *cookies)

    def home(self, query: Mapping[str, str]) -> str:
        """Return where who signs in goes: to the page or the conversation of ``query``, else to the chat."""
        conversation, to = query.get("c"), query.get("to", "")
        if to.partition("?")[0] in self._pages:
            return to
        return f"/?c={quote(conversation, safe='')}" if conversation else "/"

    async def _change(self, request: Request) -> Response:
        """Change the password of who is signed in, if the present one is right; other sessions end."""
        person = self._access.person(request.headers)
        if person is None or person.is_visitor or person.owner == users.LOCAL:
            return PlainTextResponse("Sign in first.", 401)
        if not is_own(request.headers):
            return PlainTextResponse("Change it on this site’s own page.", 403)
        form, show = await fields(request) or {}, partial(_signed_in, person)
        old, new, again = (form.get(field, "") for field in ("old", "new", "again"))
        if fault := _fault(new, again):
            return show(fault, 400)
        name, address = person.owner, network(request.client.host if request.client else "")
        browser = request.cookies.get(_BROWSER, "")
        if wait := self._guesses.begin(address, name, browser, is_shared=self._is_shared(request)):
            return show(_too_many(int(wait) + 1), 429)
        try:
            async with self._few:
                if await asyncio.to_thread(users.verify, self.store, name, old) is None:
                    return show(_("The present password is wrong."), 400)
                await asyncio.to_thread(users.change, self.store, name, password=new)
            cookies = await self._signed_in(address, name, browser, name)
        except StorageError as error:
            return show(_("The password could not be changed: {error}.", error=error), 503)
        return opened(request, SIGN_IN, *cookies)

    async def _signed_in(self, address: str, name: str, browser: str, user: str) -> tuple[str, str]:
        """Record a right password; return the values of both cookies."""
        browser = browser if _BROWSER_ID.fullmatch(browser) else secrets.token_urlsafe(24)
        self._guesses.succeed(address, name, browser)
        return await asyncio.to_thread(tokens.issue, self.store, user, "session"), browser

    def _is_shared(self, request: Request) -> bool:
        """Return whether the request comes through a proxy that is not trusted, so that its address is shared.

        Uvicorn replaces the address of a trusted proxy by one of the header, whose port is 0 unless it is named there.
        """
        if "x-forwarded-for" not in request.headers and "forwarded" not in request.headers:
            return False
        named, client = ",".join(request.headers.getlist("x-forwarded-for")), request.client
        if client and (client.port == 0 or f"{client.host}:{client.port}" in named.replace("[", "").replace("]", "")):
            return False
        if not self._has_warned:
            self._has_warned = True
            log.warning(PROXY)
        return True

    async def _end(self, request: Request) -> Response:
        if not is_own(request.headers):
            return PlainTextResponse("Sign out on this site’s own page.", 403)
        if session := session_of(request.headers):
            try:
                await asyncio.to_thread(tokens.end, self.store, session)
            except StorageError as error:
                return PlainTextResponse(f"You are still signed in: {error}.", 503)
        answer = RedirectResponse(SIGN_IN, 303)
        answer.delete_cookie(SESSION, httponly=True, samesite="lax")
        return answer


async def fields(request: Request) -> dict[str, str] | None:
    """Return the first value of each field of a form; ``None`` if it is too long."""
    body = await request.body()
    form = parse_qs(body.decode(errors="replace"))
    return {field: values[0] for field, values in form.items()} if len(body) <= _MAX_FORM else None


def _fault(new: str, again: str) -> str:
    """Return in one sentence why the password cannot be ``new``; ``""`` if it can."""
    if new != again:
        return _("The new passwords differ.")
    if len(new) < passwords.SHORT:
        return _("Choose a password of {number} characters or more.", number=passwords.SHORT)
    if len(new) > users.MAX_PASSWORD:
        return _("Choose a password of {number} characters or fewer.", number=users.MAX_PASSWORD)
    return ""


def _too_many(seconds: int) -> str:
    return _("Too many failed tries; wait {seconds} s.", seconds=seconds)


def opened(request: Request, to: str, session: str, browser: str = "") -> Response:
    """Redirect to ``to`` with the cookies of a signed-in browser."""
    answer = RedirectResponse(to, 303)
    for cookie, value, seconds, path in (
        (_BROWSER, browser, _BROWSER_SECONDS, SIGN_IN),
        (SESSION, session, tokens.SESSION_SECONDS, "/"),
    ):
        is_https = request.url.scheme == "https"
        if value:
            answer.set_cookie(cookie, value, seconds, path=path, httponly=True, samesite="lax", secure=is_https)
    return answer


def _signed_in(person: Person, alert: str = "", status: int = 200) -> Response:
    audit = AUDIT if person.may(users.Role.ADMIN) else ""
    pages = {"sign_out": SIGN_OUT, "password": PASSWORD, "audit": audit, "people": PEOPLE}
    named = {"name": person.owner, "may_change": person.owner != users.LOCAL, "shortest": passwords.SHORT}
    page = render("server/signed_in.html", alert=alert, **named, **pages)
    return sheet(_("Sign in"), page, status)
