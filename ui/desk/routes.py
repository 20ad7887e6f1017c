"""Everything of the desk that the server answers."""

from __future__ import annotations

from markupsafe import Markup
from starlette.routing import Route

from storage.annotation.desk import Desk
from storage.database import Database
from ui.desk import pages
from ui.desk.adjudicating import Adjudicating
from ui.desk.judging import Judging
from ui.desk.managing import Managing
from ui.desk.pages import HOME
from ui.desk.preferring import Preferring
from ui.server.access import Access, Who
from ui.show.signs import JUDGE
from ui.translation import _


def routes(store: Database, access: Access, desk: Desk | None = None) -> list[Route]:
    """Pages and actions over ``store``, for those whom ``access`` lets in."""
    return [
        *(pages.page(name) for name in ("judge", "prefer", "adjudicate", "manage")),
        pages.files(),
        *Judging(store, access, desk).routes,
        *Preferring(store, access).routes,
        *Adjudicating(store, access).routes,
        *Managing(store, access).routes,
    ]


def link(access: Access) -> str:
    """The chat's link to the desk, below the list of conversations.

    The page is the same for all. Where people sign in, ``ui/page/static/annotate.js`` shows the link to annotators.
    """
    hidden = "" if access.who is Who.LOCAL else " hidden"
    told = _("Read replies with their passages and say which citations are right. For evaluations.")
    return Markup('<a id="annotate" href="{}" title="{}"{}>{}</a>').format(
        HOME.lstrip("/"), told, Markup(hidden), _(JUDGE)
    )
