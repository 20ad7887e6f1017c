"""What every request and answer must obey: who may talk to a local server, how much, and what a page may do."""

from __future__ import annotations

import re
import secrets
from http.cookies import SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Gradio compiles its HTML templates with `new Function` and has inline scripts and styles; all else stays closed.
_POLICY = "; ".join((
    "default-src 'self'", "script-src 'self' 'unsafe-inline' 'unsafe-eval'", "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:", "font-src 'self' data:", "connect-src 'self'", "media-src 'none'", "object-src 'none'",
    "frame-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"))
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_MAX_BODY = 1_000_000  # bytes: far above the longest question, and nothing is uploaded
_LOCAL_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", re.IGNORECASE)
VISITOR = "searchain_visitor"
"""The cookie that tells visitors of a public page apart."""
_VISITOR_ID = re.compile(r"[A-Za-z0-9_-]{32}")


class Guard:
    """ASGI middleware around Gradio's app.

    With ``is_local`` only this machine's own pages are answered: the Host must name the loopback (a foreign name that
    resolves to it does not count) and an Origin must be the same site. Without it every visitor gets a random id in
    an HttpOnly cookie, which owns what the visitor asks.
    """

    def __init__(self, app: ASGIApp, *, is_local: bool) -> None:
        self._app = app
        self._is_local = is_local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        visitor = None if self._is_local or visitor_of(headers) else secrets.token_urlsafe(24)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    out[name] = value
                if visitor is not None:
                    out.append("set-cookie", f"{VISITOR}={visitor}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000")
            await send(message)

        answer = self._refusal(headers) or self._app
        await answer(scope, _limited(receive), send_guarded)

    def _refusal(self, headers: Headers) -> PlainTextResponse | None:
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > _MAX_BODY:
            return PlainTextResponse("The request is too large.", 413)
        if not self._is_local:
            return None
        host = headers.get("host", "")
        if not _LOCAL_HOST.fullmatch(host):
            return PlainTextResponse("This server answers only to localhost.", 403)
        origin = headers.get("origin")
        if origin not in (None, f"http://{host}", f"https://{host}"):
            return PlainTextResponse("Requests from other sites are refused.", 403)
        return None


def visitor_of(headers: Headers) -> str | None:
    """The visitor's id from the request's cookie, ``None`` when there is no well-formed one."""
    morsel = SimpleCookie(headers.get("cookie", "")).get(VISITOR)
    return morsel.value if morsel is not None and _VISITOR_ID.fullmatch(morsel.value) else None


def _limited(receive: Receive) -> Receive:
    """``receive`` that ends a body without a length once it grows too large."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        return {"type": "http.disconnect"} if received > _MAX_BODY else message

    return limited
