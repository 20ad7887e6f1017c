"""Small pages without Gradio, one sheet of text each: sign-in, refusals and missing pages."""

from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from ui.html import render
from ui.translation import N_, _, language

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def home() -> dict[str, str]:
    """Return the link back to the chat, with its text."""
    return {"/": _("Go to the chat")}


def sheet(title: str, main: Markup, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a page with ``main`` under its own content security policy."""
    page = render("server/sheet.html", language=language(), title=title, style=Markup(_STYLE), main=main)
    return HTMLResponse(page, status, {"content-security-policy": _POLICY, **(headers or {})})


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
