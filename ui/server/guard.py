"""The guard of all requests and responses: access, size limits, and the security headers of pages."""

import math
import time
from collections.abc import Sequence
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.access import VISITOR, Access, Person, Rule, Who, is_own, new_visitor, rule_of, visitor_of
from ui.server.limits import LimitReached, Streams, keys_of, network
from ui.server.operating import answered
from ui.server.plain_page import FORMS, SIGN_IN, home, told
from ui.server.receiving import LONG, BodyRefused, Left, Receiving
from ui.translation import ENGLISH, _, language_of, speaking

# Gradio compiles its HTML templates with `new Function` and has inline scripts and styles; all else stays closed.
_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "media-src 'none'",
        "object-src 'none'",
        "frame-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'self'",
        "form-action 'none'",
    )
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_UPLOADS = "/gradio_api/upload"  # and its progress: Gradio keeps what arrives; documents have a route of their own
_UNUSED = tuple(
    f"/gradio_api/{name}"
    for name in ("api/", "call/", "dev/", "vibe-", "undo-vibe-", "process_recording", "stream/", "proxy=", "runs")
)
"""Gradio's own tools and its endpoints for programs, which this page does not have; some of the tools keep a
connection and a thread for ever.
"""
_HEARTBEAT = "/gradio_api/heartbeat/"
_PAGES = 250  # open pages of one owner or address; each keeps a connection
_DESK = "/annotate"  # where those are sent who see the desk alone
_ENGLISH = ("/export", "/s/", "/annotate/export")
"""Paths whose responses are saved or read by programs, and so stay in English."""
_OPEN = ("/gradio_api/startup-events",)  # asked by Gradio itself when it starts; tells nothing


class Guard:
    """ASGI middleware around Gradio's app and the other routes.

    People who must sign in are redirected to the sign-in page; all other paths refuse them. Requests from other sites,
    by their Origin, are refused whatever their cookies. Unless the page answers to any host, the Host header must be a
    name of the loopback address or the public one; another name that resolves to it is refused. Each visitor of a
    public page gets a random ID in an HttpOnly cookie, which owns the visitor's conversations. ``rules`` say which
    paths are open, which role the others need, and which content security policy applies.
    """

    def __init__(self, app: ASGIApp, *, access: Access, rules: Sequence[Rule]) -> None:
        """``rules`` are those of all routes."""
        self._app, self._access, self._rules = app, access, rules
        self._receiving = Receiving()
        self._pages = Streams(_PAGES, "{number} pages {whose} are open, and no more are allowed at once; {end}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers, path = Headers(scope=scope), scope["path"]
        if self._access.is_public_name(headers.get("host", "")):
            scope = {
                **scope,
                "scheme": "https",
            }  # also if the proxy does not say so, for cookies and Gradio's addresses
        is_english = rule_of(path, self._rules).is_api or path.startswith(_ENGLISH)
        with speaking(ENGLISH if is_english else language_of(headers)):
            await self._answer(scope, receive, send, headers, path)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, headers: Headers, path: str) -> None:
        rule, is_form = rule_of(path, self._rules), path in FORMS
        send = self._counted(send, scope, rule)
        is_open = is_form or rule.is_open
        person = None if is_open else self._access.person(headers)
        visitor = None
        if person is None and not is_open and self._access.who is Who.ANYBODY:
            visitor = new_visitor()
            person = visitor_of(visitor)

        guarded = _guarded(send, rule, visitor, is_form=is_form, is_secure=scope.get("scheme") == "https")
        refusal: Response | None = self._refusal(headers, path, rule)
        if refusal is None and not is_open and path not in _OPEN:
            refusal = _closed(Request(scope), person, rule)
        if refusal is None:
            refusal = await self._run(scope, receive, guarded, rule, _keys(scope, person))
        if refusal is not None:
            await _formed(refusal, rule)(scope, receive, guarded)

    def _counted(self, send: Send, scope: Scope, rule: Rule) -> Send:
        """Return a ``send`` that tells the operator of the response."""
        is_known = rule in self._rules or rule.path in ("/", *FORMS)
        counted, begun = rule.path if is_known else "other", time.monotonic()

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                seconds = time.monotonic() - begun
                await answered(self._access.store, scope["method"], counted, scope["path"], message["status"], seconds)
            await send(message)

        return send_counted

    async def _run(
        self, scope: Scope, receive: Receive, send: Send, rule: Rule, keys: Sequence[str]
    ) -> Response | None:
        """Run the app once the body is there; return the refusal of a body, or of one open page more."""
        headers = Headers(scope=scope)
        has_body = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
        is_page = scope["path"].startswith(_HEARTBEAT)
        longest = rule.max_body if has_body else 0
        try:
            with self._pages.one(keys) if is_page else self._receiving.counted(longest, keys):
                if has_body:
                    receive = await self._receiving.whole(receive, longest)
                await self._app(scope, receive, send)
        except BodyRefused as refused:
            return PlainTextResponse(str(refused), refused.status, {"connection": "close"})
        except LimitReached as reached:
            wait = str(math.ceil(reached.wait))
            return PlainTextResponse(str(reached), 429, {"connection": "close", "retry-after": wait})
        except Left:
            pass
        return None

    def _refusal(self, headers: Headers, path: str, rule: Rule) -> PlainTextResponse | None:
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > rule.max_body:
            return PlainTextResponse("The request is too large.", 413)
        if not self._access.answers_to(headers.get("host", "")):
            return PlainTextResponse(f"This server answers only to {self._access.public_url or 'localhost'}.", 403)
        # Gradio lets every site read answers, and browsers send cookies along from other ports and sibling domains
        if not rule.is_api and "origin" in headers and not is_own(headers):
            return PlainTextResponse("Requests from other sites are refused.", 403)
        if path.startswith(_UPLOADS):
            return PlainTextResponse("No files are taken here.", 403)
        if path.startswith(_UNUSED):
            return PlainTextResponse("This page does not use that.", 404)
        return None


def _guarded(send: Send, rule: Rule, visitor: str | None, *, is_form: bool, is_secure: bool) -> Send:
    """Return a ``send`` that adds the headers of ``rule``, and the cookie of a new ``visitor``.

    A response keeps the content security policy that it has.
    """

    async def send_guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            out = MutableHeaders(scope=message)
            policy = out.get("content-security-policy") or rule.policy or _POLICY
            out.update({**_HEADERS, "content-security-policy": policy})
            if is_form:
                # without a referrer a form's origin is "null", and over plain HTTP nothing else says whose it is
                out["referrer-policy"] = "same-origin"
            if visitor is not None:
                cookie = f"{VISITOR}={visitor}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"
                out.append("set-cookie", cookie + ("; Secure" if is_secure else ""))
        await send(message)

    return send_guarded


def _keys(scope: Scope, person: Person | None) -> Sequence[str]:
    """Return by what a request is counted: the user, or the address of a visitor."""
    host = scope["client"][0] if scope.get("client") else ""
    owner = person.owner if person is not None else ""
    return keys_of(owner, network(host) if person is None or person.is_visitor else None)


def _closed(request: Request, person: Person | None, rule: Rule) -> Response | None:
    """Return the refusal or redirect if ``person`` lacks the role of ``rule``; ``None`` if access is allowed."""
    url = request.url
    to = f"{SIGN_IN}?to={quote(f'{url.path}?{url.query}' if url.query else url.path, safe='')}"
    if person is not None:
        if person.may(rule.role):
            return None
        if request.method == "GET" and url.path == "/" and not person.may_chat:
            return RedirectResponse(_DESK, 303)
        if person.is_visitor:
            return told(request, _("Visitors may only chat; sign in for this."), 403, {to: _("Sign in")} | home())
        links = home() | {SIGN_IN: _("Sign in as somebody else")}
        return told(request, _("Your role does not allow this."), 403, links)
    if request.method in ("GET", "HEAD") and url.path == "/":
        return RedirectResponse(SIGN_IN + (f"?{url.query}" if url.query else ""), 303)
    if request.method == "GET" and rule.is_page and url.path == rule.path:
        return RedirectResponse(to, 303)
    return JSONResponse({"error": "Sign in first."}, 401)  # so Gradio and the page's scripts can tell it


def _formed(refusal: Response, rule: Rule) -> Response:
    """Return the refusal in the form that callers of the path expect: JSON as of OpenAI's API, or of the page."""
    if not isinstance(refusal, PlainTextResponse) and not rule.is_api:
        return refusal
    message = bytes(refusal.body).decode()
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    if not rule.is_api and rule.max_body <= LONG:
        return refusal
    kept = {name: refusal.headers[name] for name in ("connection", "retry-after") if name in refusal.headers}
    return JSONResponse({"error": error if rule.is_api else message}, refusal.status_code, kept)
