"""Everything of the desk that the server answers."""

from __future__ import annotations

from starlette.routing import Route

from storage.annotation.desk import Desk
from storage.database import Database
from ui.access import Access
from ui.desk import pages
from ui.desk.judging import Judging


def routes(store: Database, access: Access, desk: Desk | None = None) -> list[Route]:
    """Pages and actions over ``store``, for those whom ``access`` lets in."""
    return [pages.page("judge"), pages.files(), *Judging(store, access, desk).routes]
