"""The page ``/join``: people of a crowd platform come in by a link, and take their completion code at the end.

It is plain HTML and works without scripts. The first request changes nothing, because programs that preview links make
it, too.
"""

import time
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from storage.annotation import crowd
from storage.annotation.crowd import Link
from storage.database import Database
from storage.people import audit, tokens
from ui.desk.pages import HOME
from ui.html import render
from ui.server.access import Access, Who, is_own
from ui.server.limits import Attempts, network
from ui.server.plain_page import JOIN, opened, sheet, told
from ui.translation import N_, _, day

SECRET = "study"
"""The parameter with the link's secret."""
_LONGEST_WAIT = 10.0
"""Seconds between two people who come from one address, after the first few."""
_REFUSED = {
    "unknown": N_("There is no such study, or it has ended. Please return to the page that sent you here."),
    "unnamed": N_("The link does not say who you are ({name} is missing or odd). Open it on the page that sent you."),
    "closed": N_("This study is closed. Please return to the page that sent you here."),
    "full": N_("This study has all the people that it needs. Please return to the page that sent you here."),
    "done": N_("Nothing is left to judge in this study. Please return to the page that sent you here."),
}
"""Why somebody cannot come, in one line."""


class Joining:
    """The route of the page."""

    def __init__(self, store: Database, access: Access) -> None:
        self._store, self._access, self._tries = store, access, Attempts(_LONGEST_WAIT)
        self.routes = [Route(JOIN, self._shown, methods=["GET"]), Route(JOIN, self._entered, methods=["POST"])]

    def _shown(self, request: Request) -> Response:
        if SECRET not in request.query_params:
            return self._ended(request)
        found = self._asked(request)
        if isinstance(found, Response):
            return found
        link, _identity = found
        until = day(time.strftime("%Y-%m-%d", time.gmtime(link.expires)))
        page = render("desk/join.html", link=link, where=f"{JOIN}?{request.url.query}", until=until)
        return sheet(_("A study"), page)

    def _entered(self, request: Request) -> Response:
        if not is_own(request.headers) or self._access.who is Who.LOCAL:
            return told(request, _("This is not open to you."), 403, {})
        if wait := self._tries.begin(network(request.client.host if request.client else "")):
            seconds = int(wait) + 1
            said = _("Many people come from your address just now; wait {seconds} s, and try again.", seconds=seconds)
            return told(request, said, 429, {}, {"retry-after": str(seconds)})
        found = self._asked(request)
        if isinstance(found, Response):
            return found
        name = crowd.enter(self._store, *found)
        if name is None:  # others came meanwhile
            return _refused(request, "full")
        with self._store.writing(is_final=True) as db:
            tokens.drop(db, name, "session")  # the person goes on in this browser alone
        return opened(request, HOME, tokens.issue(self._store, name, "session", "by a crowd link"))

    def _asked(self, request: Request) -> tuple[Link, str] | Response:
        """Return the link and the identity of the request, or the refusal."""
        crowd.expire(self._store)
        link = crowd.find(self._store, request.query_params.get(SECRET, ""))
        if link is None:
            return _refused(request, "unknown", 404)
        identity = request.query_params.get(link.parameter, "")
        if not audit.NAME.fullmatch(identity):
            return _refused(request, "unnamed", 400, name=link.parameter)
        with self._store.reading() as db:
            why = crowd.refusal(db, link, identity)
        return _refused(request, why) if why else (link, identity)

    def _ended(self, request: Request) -> Response:
        """Show the completion code to somebody who is through."""
        person = self._access.person(request.headers)
        comer = crowd.participant(self._store, person.owner) if person else None
        if comer is None:
            return _refused(request, "unknown", 404)
        if comer.finished is None:
            return _refused(request, "done", 200, {HOME: _("Back to the desk")})
        return sheet(_("Thank you"), render("desk/joined.html", comer=comer))


def _refused(
    request: Request, why: str, status: int = 410, links: Mapping[str, str] | None = None, **values: str
) -> Response:
    return told(request, _(_REFUSED[why], **values), status, links or {})
