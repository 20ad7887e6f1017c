"""All routes of the desk."""

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
    """Return the routes of pages and actions over ``store``; ``access`` decides who may use them."""
    return [
        *(pages.page(name) for name in ("judge", "prefer", "adjudicate", "manage")),
        pages.files(),
        *Judging(store, access, desk).routes,
        *Preferring(store, access).routes,
        *Adjudicating(store, access).routes,
        *Managing(store, access).routes,
    ]


def link(access: Access) -> str:
    """Return the chat's link to the desk, which stands below the list of conversations.

    If people sign in, it is hidden at first; ``ui/page/static/annotate.js`` shows it to annotators only.
    """
    hidden = "" if access.who is Who.LOCAL else " hidden"
    told = _("Read replies with their passages and say which citations are right. For evaluations.")
    return Markup('<a id="annotate" href="{}" title="{}"{}>{}</a>').format(
        HOME.lstrip("/"), told, Markup(hidden), _(JUDGE)
    )
