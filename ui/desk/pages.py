"""The pages and JSON routes of the desk.

Pages are HTML with scripts and a style sheet that load nothing from other sites. JSON routes check the sender and the
role before they act.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from searchain.errors import UsageError
from storage.people.users import Role
from ui.html import render
from ui.server.access import Access, Person, Rule
from ui.server.json_routes import json_route
from ui.translation import language, script_words

HOME = "/annotate"
API, EXPORT = f"{HOME}/api", f"{HOME}/export"
JUDGE = HOME
ADJUDICATE, MANAGE, REPORT = (f"{HOME}/{name}" for name in ("adjudicate", "manage", "report"))
_ENDS = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " + _ENDS
REPORT_POLICY = f"default-src 'none'; style-src 'unsafe-inline'; {_ENDS}"
"""The policy of the report's route; the page adds its own, which allows only its one style sheet, by its hash."""
_HERE = Path(__file__).parent / "static"
_KINDS = {".js": "text/javascript", ".css": "text/css"}
_FILES = {file.name: file for file in _HERE.iterdir() if file.suffix in _KINDS}
_THEMES = ("light", "dark")
MOST_SENT = 20_000_000
"""The most bytes of a file that the managing page takes."""
RULES = (
    Rule(JUDGE, Role.ANNOTATOR, POLICY, is_page=True),
    Rule(ADJUDICATE, Role.ADJUDICATOR, POLICY, is_page=True),
    Rule(MANAGE, Role.ADMIN, POLICY, is_page=True, max_body=MOST_SENT),
    Rule(REPORT, Role.ADMIN, REPORT_POLICY, is_page=True),
    Rule(f"{API}/adjudicate", Role.ADJUDICATOR, POLICY),
    Rule(f"{API}/manage", Role.ADMIN, POLICY),
    Rule(EXPORT, Role.ADMIN, POLICY),
)
"""The guard's rules for the desk. Its other paths are under ``JUDGE`` and follow that rule."""


def shown(
    request: Request, name: str, headers: dict[str, str] | None = None, status: int = 200, **values: Any
) -> Response:
    """Return ``templates/NAME.html``, in which ``home`` links to the chat and ``desk`` to the desk.

    The pages are in the reader's language; replies, guidelines and examples are in English.
    """
    theme = request.query_params.get("__theme")
    theme = theme if theme in _THEMES else ""
    home, desk = ("./", "annotate/") if name == "judge" else ("../", "./")
    query, words = f"?__theme={theme}" if theme else "", script_words(language(), "ui/desk/")
    values |= {"home": home, "desk": desk, "theme": theme, "query": query, "language": language(), "words": words}
    page = render(f"desk/{name}.html", **values)
    return HTMLResponse(page, status, {"cache-control": "no-store", **(headers or {})})


def page(name: str) -> Route:
    """Make the route of ``templates/NAME.html``, a page that scripts fill."""

    async def show(request: Request) -> Response:
        return shown(request, name)

    return Route(HOME if name == "judge" else f"{HOME}/{name}", show, methods=["GET"])


def files() -> Route:
    """Make the route of scripts and style sheets."""

    async def show(request: Request) -> Response:
        file = _FILES.get(request.path_params["name"])
        if file is None:
            return PlainTextResponse("There is no such file.", 404)
        return Response(file.read_bytes(), media_type=_KINDS[file.suffix], headers={"cache-control": "no-cache"})

    return Route(f"{HOME}/static/{{name}}", show, methods=["GET"])


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
