"""The desk's pages: HTML files with their scripts and sheet, which need nothing from elsewhere."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from storage.people.users import Role
from ui.html import render
from ui.server.rules import Rule
from ui.translation import language, script_words

HOME = "/annotate"
API, EXPORT = f"{HOME}/api", f"{HOME}/export"
JUDGE, PREFER, ADJUDICATE, MANAGE, REPORT = (
    HOME,
    f"{HOME}/prefer",
    f"{HOME}/adjudicate",
    f"{HOME}/manage",
    f"{HOME}/report",
)
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
REPORT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Beside the report's own, which names the sum of its only sheet."""
_HERE = Path(__file__).parent / "static"
_KINDS = {".js": "text/javascript", ".css": "text/css"}
_FILES = {file.name: file for file in _HERE.iterdir() if file.suffix in _KINDS}
_THEMES = ("light", "dark")
RULES = (
    Rule(JUDGE, Role.ANNOTATOR, POLICY, is_page=True),
    Rule(PREFER, Role.ANNOTATOR, POLICY, is_page=True),
    Rule(ADJUDICATE, Role.ADJUDICATOR, POLICY, is_page=True),
    Rule(MANAGE, Role.ADMIN, POLICY, is_page=True),
    Rule(REPORT, Role.ADMIN, REPORT_POLICY, is_page=True),
    Rule(f"{API}/adjudicate", Role.ADJUDICATOR, POLICY),
    Rule(f"{API}/manage", Role.ADMIN, POLICY),
    Rule(EXPORT, Role.ADMIN, POLICY),
)
"""What the guard asks of whoever opens the desk. All other paths of the desk are under ``JUDGE``."""


def page(name: str) -> Route:
    """The route of ``templates/NAME.html``, whose ``home`` leads to the chat and ``desk`` to the desk.

    The pages speak the reader's language; what is judged, the guidelines and the examples are English.
    """
    path = HOME if name == "judge" else f"{HOME}/{name}"
    home, desk = ("./", "annotate/") if path == HOME else ("../", "./")

    async def show(request: Request) -> Response:
        theme = request.query_params.get("__theme")
        theme = theme if theme in _THEMES else ""
        return HTMLResponse(
            render(
                f"desk/{name}.html",
                home=home,
                desk=desk,
                theme=theme,
                query=f"?__theme={theme}" if theme else "",
                language=language(),
                words=script_words(language(), "ui/desk/"),
            ),
            headers={"cache-control": "no-store"},
        )

    return Route(path, show, methods=["GET"])


def files() -> Route:
    """The route of scripts and sheets."""

    async def show(request: Request) -> Response:
        file = _FILES.get(request.path_params["name"])
        if file is None:
            return PlainTextResponse("There is no such file.", 404)
        return Response(file.read_bytes(), media_type=_KINDS[file.suffix], headers={"cache-control": "no-cache"})

    return Route(f"{HOME}/static/{{name}}", show, methods=["GET"])
