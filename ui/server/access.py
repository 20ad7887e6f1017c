"""Who is asking: the person at the machine, a user who signed in, a visitor, or a program with a token."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import Enum
from http.cookies import CookieError, SimpleCookie

from searchain.errors import NotFound
from storage.database import Database
from storage.log.runs import Started
from storage.people import tokens, users
from storage.people.users import LOCAL, Role
from ui.server.limits import Limits, Streams, keys_of, network

VISITOR = "searchain_visitor"
"""The cookie that tells visitors of a public page apart."""
SESSION = "searchain_session"
"""The cookie of a user who signed in."""
_STREAMS = 8  # windows of one user, visitor or address that show runs: all share the server's threads
_VISITOR_PREFIX = "visitor:"  # a user's name has no colon
_VISITOR_ID = re.compile(r"[A-Za-z0-9_-]{32}")


class Who(Enum):
    """Who may use the page."""

    LOCAL = "the person at this machine"
    USERS = "users who signed in"
    ANYBODY = "anybody; users may sign in"


@dataclass(frozen=True, slots=True)
class Person:
    """Who a request is from: the owner of what it asks."""

    owner: str
    role: Role | None
    """``None`` for visitors: they may chat, and nothing else."""
    may_chat: bool = True
    """``False`` for annotators who see the desk alone."""

    @property
    def is_visitor(self) -> bool:
        """Whether only a cookie tells who it is."""
        return self.owner.startswith(_VISITOR_PREFIX)

    def may(self, least: Role | None) -> bool:
        """Whether this person may do what needs the role ``least``; ``None``: what everybody may who uses the page."""
        if not self.may_chat and least in (None, Role.CHAT):
            return False
        return least is None or (self.role is not None and self.role.includes(least))


class Access:
    """Tells who a request is from, on the server and for each request anew."""

    def __init__(
        self,
        who: Who = Who.LOCAL,
        store: Database | None = None,
        *,
        answers_to_any_host: bool | None = None,
        limits: Limits | None = None,
    ) -> None:
        """``store`` has the users and tokens; without it there are none.

        By default a page for the local person alone answers only to the loopback's own names, which keeps other
        sites from reaching it through the browser; a page that is shared has other names.
        """
        self.who, self.store = who, store
        self.answers_to_any_host = who is not Who.LOCAL if answers_to_any_host is None else answers_to_any_host
        self._limits = limits
        self._streams = Streams(_STREAMS)

    def person(self, headers: Mapping[str, str]) -> Person | None:
        """Who the request is from, by its cookies or its token; ``None`` when it has neither and needs one."""
        if self.who is Who.LOCAL:
            return Person(LOCAL, Role.ADMIN)
        cookies = _cookies(headers)
        if SESSION in cookies and self.store and (name := tokens.holder(self.store, cookies[SESSION], "session")):
            return _user(self.store, name)
        if program := self.program(headers):
            return program
        visitor = cookies.get(VISITOR, "")
        return visitor_of(visitor) if self.who is Who.ANYBODY and _VISITOR_ID.fullmatch(visitor) else None

    def program(self, headers: Mapping[str, str]) -> Person | None:
        """Whose API token the request bears; ``None`` when it bears none that is valid."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or self.store is None:
            return None
        name = tokens.holder(self.store, token.strip(), "api")
        if name == LOCAL:  # a token of the machine's person is no key to a page that others reach
            return Person(LOCAL, Role.ADMIN) if self.who is Who.LOCAL else None
        return _user(self.store, name) if name else None

    def start(self, person: Person, host: str | None, start: Callable[[], Started]) -> Started:
        """``start()`` within what this person, asking from ``host``, may ask.

        Raises:
            LimitReached: they ask too much.
        """
        return start() if self._limits is None else self._limits.start(_keys(person, host), start)

    def watching(self, person: Person, host: str | None) -> AbstractContextManager[None]:
        """A block in which this person, from ``host``, watches a run. Raises ``LimitReached``: they watch too many."""
        return nullcontext() if self.who is Who.LOCAL else self._streams.one(_keys(person, host))


def new_visitor() -> str:
    """An id for a visitor's cookie."""
    return secrets.token_urlsafe(24)


def _user(store: Database, name: str) -> Person | None:
    try:
        user = users.get(store, name)
    except NotFound:
        return None
    return Person(user.name, user.role, user.may_chat)


def visitor_of(id: str) -> Person:
    """The visitor with this cookie. What is stored is its digest, so that whoever reads the file is not the visitor."""
    return Person(_VISITOR_PREFIX + hashlib.sha256(id.encode()).hexdigest(), None)


def is_own(headers: Mapping[str, str]) -> bool:
    """Whether the request comes from this site's own pages: browsers say so, and what says nothing is not a browser."""
    if site := headers.get("sec-fetch-site"):
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or origin in (f"http://{headers.get('host')}", f"https://{headers.get('host')}")


def _keys(person: Person, host: str | None) -> list[str]:
    # a visitor who drops the cookie is another one, so their address counts too; a user cannot do that
    return keys_of(person.owner, network(host or "") if person.is_visitor else None)


def session_of(headers: Mapping[str, str]) -> str | None:
    """The secret in the session cookie."""
    return _cookies(headers).get(SESSION)


def _cookies(headers: Mapping[str, str]) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}
