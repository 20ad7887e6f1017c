"""Small pages beside Gradio's, one sheet of text each: signing in, and what is refused or gone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from ui.html import render

HOME = {"/": "Go to the chat"}
"""The link back, for the pages of this module."""
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def sheet(title: str, main: Markup, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A page with ``main`` under a policy of its own."""
    page = render("server/sheet.html", title=title, style=Markup(_STYLE), main=main)
    return HTMLResponse(page, status, {"content-security-policy": _POLICY, **(headers or {})})


def told(
    request: Request, text: str, status: int, links: Mapping[str, str] = HOME, headers: Mapping[str, str] | None = None
) -> Response:
    """``text`` for whoever asked: a sheet with ``links`` (address: words) for a person, a line for a program."""
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse(text, status, headers)
    main = render("server/told.html", text=text, links=list(links.items()))
    return sheet("Not here" if status == 404 else "Not open", main, status, headers)


async def broken(request: Request, error: Exception) -> Response:
    """What is not there, or not allowed: a sheet for a person, for a program the JSON that it knows."""
    if not isinstance(error, HTTPException):
        raise error
    if "text/html" in request.headers.get("accept", ""):
        text = _BROKEN.get(error.status_code, "This did not work. Go back, or begin anew.")
        return told(request, text, error.status_code, headers=error.headers)
    return JSONResponse({"detail": error.detail}, error.status_code, error.headers)


_BROKEN = {
    404: "There is no page at this address.",
    405: "This address is for programs.",
    403: "This is not open to you.",
}
