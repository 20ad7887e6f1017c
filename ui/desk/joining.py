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
from ui.server.access import Access, Who, is_own, session_of
from ui.server.limits import Attempts, network
from ui.server.plain_page import JOIN, opened, sheet, told
from ui.translation import N_, _, day

SECRET = "study"
"""The parameter with the link's secret."""
_LONGEST_WAIT = 10.0  # seconds between two new people who come from one address, after the first few
_REFUSED = {
    "unknown": N_("There is no such study, or it has ended. Please return to the page that sent you here."),
    "unnamed": N_(
        "The link does not say who you are ({name} is missing or not valid). Open it on the page that sent you."
    ),
    "closed": N_("This study is closed. Please return to the page that sent you here."),
    "full": N_("This study has all the people that it needs. Please return to the page that sent you here."),
    "done": N_("Nothing is left to judge in this study. Please return to the page that sent you here."),
    "busy": N_("The replies that are left are being judged by others; try again in {minutes} minutes."),
    "removed": N_("You were taken out of this study. Please return to the page that sent you here."),
    "elsewhere": N_("You went on in another browser, or stayed away for long. Open the link of your study again."),
    "begun": N_("You judged {judged} of {share} replies; the code comes at the end. Please go on."),
    "nothing": N_("You judged nothing, so there is no code. Write to whoever runs the study if that is not right."),
    "stopped": N_(
        "You judged {judged} of {share} replies and skipped too many, so there is no code. "
        "Write to whoever runs the study if that is not right."
    ),
}
"""Why somebody cannot come or has no code, in one line."""


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
        found = self._asked(request)
        if isinstance(found, Response):
            return found
        person = self._access.person(request.headers)
        if person and not person.is_visitor and not crowd.participant(self._store, person.owner):
            said = _("You are signed in here as {name}; open the link in a private window.", name=person.owner)
            return told(request, said, 409, {})
        address = network(request.client.host if request.client else "")
        if not crowd.is_known(self._store, *found) and (wait := self._tries.begin(address)):
            seconds = int(wait) + 1
            said = _("Many people come from your address just now; wait {seconds} s, and try again.", seconds=seconds)
            return told(request, said, 429, {}, {"retry-after": str(seconds)})
        name = crowd.enter(self._store, *found)
        if isinstance(name, crowd.Refusal):
            return _refused(request, name.why, minutes=name.minutes)
        with self._store.writing(is_final=True) as db:
            tokens.drop(db, name, "session")  # the person goes on in this browser alone
        return opened(request, HOME, tokens.issue(self._store, name, "session", "by a crowd link"))

    def _asked(self, request: Request) -> tuple[Link, str] | Response:
        link = crowd.find(self._store, request.query_params.get(SECRET, ""))
        if link is None:
            return _refused(request, "unknown", 404)
        identity = request.query_params.get(link.parameter, "")
        if not audit.NAME.fullmatch(identity):
            return _refused(request, "unnamed", 400, name=link.parameter)
        return link, identity

    def _ended(self, request: Request) -> Response:
        """Show the completion code to somebody who has finished, and to others why there is none."""
        person = self._access.person(request.headers)
        if person is None and session_of(request.headers):
            return _refused(request, "elsewhere", 401)
        comer = crowd.participant(self._store, person.owner) if person else None
        if comer is None:
            return _refused(request, "unknown", 404)
        if comer.finished:
            return sheet(_("Thank you"), render("desk/joined.html", comer=comer))
        if comer.may_go_on or comer.is_through:
            why = "begun"
        elif comer.has_share and comer.minutes:
            why = "busy"
        else:
            why = "stopped" if comer.judged else "nothing"
        back = {HOME: _("Back to the desk")}
        return _refused(request, why, 200, back, judged=comer.judged, share=comer.share, minutes=comer.minutes)


def _refused(
    request: Request, why: str, status: int = 410, links: Mapping[str, str] | None = None, **values: object
) -> Response:
    return told(request, _(_REFUSED[why], **values), status, links or {})
