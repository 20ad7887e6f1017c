"""All routes of the desk, and the application of the desk alone."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from searchain.errors import StorageError
from storage.annotation import crowd
from storage.annotation.desk import Desk
from storage.database import Database
from ui.desk import pages
from ui.desk.joining import Joining
from ui.desk.judging import Adjudicating, Judging
from ui.desk.manage_page import ManagePage
from ui.desk.managing import Managing
from ui.desk.pages import HOME
from ui.server.access import Access, Who
from ui.server.guard import Guard
from ui.server.plain_page import SignIn
from ui.show.signs import JUDGE
from ui.translation import _

log = logging.getLogger(__name__)

_UPKEEP_SECONDS = 60.0
_PAGES = frozenset(rule.path for rule in pages.RULES if rule.is_page)


def routes(store: Database, access: Access, desk: Desk | None = None) -> list[Route]:
    """Return the routes of pages and actions over ``store``; ``access`` decides who may use them."""
    return [
        *(pages.page(name) for name in ("judge", "adjudicate")),
        pages.files(),
        *Judging(store, access, desk).routes,
        *Adjudicating(store, access).routes,
        *Managing(store, access).routes,
        *ManagePage(store, access).routes,
        *Joining(store, access).routes,
    ]


def app(store: Database, access: Access) -> Starlette:
    """Make the application of the desk alone, without chat, models or index.

    ``access`` decides who may use what is in ``store``.
    """

    async def home(request: Request) -> RedirectResponse:
        return RedirectResponse(HOME, 303)

    @asynccontextmanager
    async def upkeep(app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as group:
            group.start_soon(_expire, store)
            yield
            group.cancel_scope.cancel()

    return Starlette(
        routes=[Route("/", home), *SignIn(access, store, _PAGES).routes, *routes(store, access)],
        middleware=[Middleware(Guard, access=access, rules=pages.RULES)],
        lifespan=upkeep,
    )


async def _expire(store: Database) -> None:
    """Forget at once, and then every minute, who came by crowd links that have ended."""
    while True:
        try:
            await anyio.to_thread.run_sync(crowd.expire, store)
        except StorageError:
            log.exception("who came by crowd links that have ended could not be erased")
        await anyio.sleep(_UPKEEP_SECONDS)


def link(access: Access) -> str:
    """Return the chat's link to the desk, which stands below the list of conversations.

    If people sign in, it is hidden at first; ``ui/page/static/person.js`` shows it to annotators only.
    """
    hidden = "" if access.who is Who.LOCAL else " hidden"
    told = _("Read replies with their passages and say which citations are right. For evaluations.")
    link = Markup('<a id="annotate" href="{}" title="{}"{}>{}</a>')
    return link.format(HOME.lstrip("/"), told, Markup(hidden), _(JUDGE))
