"""The application of the desk alone: its pages, its API and the sign-in page, without chat, models or index."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from storage.database import Database
from ui.desk import pages
from ui.desk.routes import routes
from ui.server.access import Access
from ui.server.guard import Guard
from ui.server.sign_in import SignIn

_PAGES = frozenset(rule.path for rule in pages.RULES if rule.is_page)


def app(store: Database, access: Access) -> Starlette:
    """Make the application over ``store``; ``access`` decides who may use it."""

    async def home(request: Request) -> RedirectResponse:
        return RedirectResponse(pages.HOME, 303)

    return Starlette(
        routes=[Route("/", home), *SignIn(access, store, _PAGES).routes, *routes(store, access)],
        middleware=[Middleware(Guard, access=access, rules=pages.RULES)],
    )
