"""The identity of requests: the person at the machine, a signed-in user, a visitor, or a program with a token."""

import hashlib
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import Enum
from functools import partial
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from searchain.errors import NotFound, UsageError
from storage.database import Database
from storage.log import runs
from storage.log.runs import Started
from storage.people import audit, tokens, users
from storage.people.users import LOCAL, Role
from ui.server.limits import Budgets, Limits, Streams, keys_of, network

VISITOR = "searchain_visitor"
"""The cookie that identifies a visitor of a public page."""
SESSION = "searchain_session"
"""The cookie with the session of a signed-in user."""
_STREAMS = 8  # windows of one user, visitor or address that show runs: all share the server's threads
VISITORS_OWN = "visitor:"
"""How the owners begin that visitors are stored as; a user's name has no colon."""
_LOCAL_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", re.IGNORECASE)
_PUBLIC_HOST = re.compile(r"[A-Za-z0-9.-]+(:\d+)?|\[[0-9A-Fa-f:]+\](:\d+)?")
_VISITOR_ID = re.compile(r"[A-Za-z0-9_-]{32}")


class Who(Enum):
    """The people who may use the page."""

    LOCAL = "the person at this machine"
    USERS = "users who signed in"
    ANYBODY = "anybody; users may sign in"


@dataclass(frozen=True, slots=True)
class Person:
    """The sender of a request, who owns the conversations that it starts."""

    owner: str
    role: Role | None
    """``None`` for visitors, who may only chat."""
    may_chat: bool = True
    """``False`` for annotators and adjudicators who may only use the desk."""

    @property
    def is_visitor(self) -> bool:
        """Whether the person is identified only by a cookie."""
        return self.owner.startswith(VISITORS_OWN)

    def may(self, least: Role | None) -> bool:
        """Return whether this person has the rights of the role ``least``; ``None`` means the right to use the page."""
        if not self.may_chat and least in (None, Role.CHAT):
            return False
        return least is None or (self.role is not None and self.role.includes(least))


class Access:
    """Identifies the sender of each request."""

    def __init__(
        self,
        who: Who = Who.LOCAL,
        store: Database | None = None,
        *,
        answers_to_any_host: bool | None = None,
        public_url: str | None = None,
        at_once: int | None = None,
        per_hour: int | None = None,
        tokens_per_day: int | None = None,
    ) -> None:
        """``store`` has the users and tokens; without it there are no users.

        By default a page for only the local person answers only to the names of the loopback address, so that other
        sites cannot reach it through the browser. A shared page answers to any name; with ``public_url``, the address
        that a proxy with TLS gives it, only to that one and the local ones. A person has ``at_once`` runs and begins
        ``per_hour``. ``tokens_per_day`` is the budget of users who have none of their own. Raises ``UsageError`` if
        ``public_url`` is not ``https://`` with a name alone, or nobody has a budget.
        """
        if tokens_per_day and who is Who.LOCAL:
            raise UsageError(
                "--tokens-per-day is the budget of users, and none ask here; add users (`user add NAME`), for mcp also "
                "--http, or leave it out"
            )
        self.who, self.store = who, store
        self.public_url = public_url and public_url.rstrip("/")
        self._public_host = _public_host(self.public_url) if self.public_url else None
        self.answers_to_any_host = who is not Who.LOCAL if answers_to_any_host is None else answers_to_any_host
        self._budgets, self._limits = Budgets(store, tokens_per_day) if store else None, None
        if store and (at_once or per_hour):
            self._limits = Limits(at_once=at_once, per_hour=per_hour, is_going=partial(runs.is_going, store))
        self._streams = Streams(_STREAMS)

    def is_public_name(self, host: str) -> bool:
        """Return whether ``host`` is that of the public address."""
        return self._public_host is not None and host.lower().removesuffix(":443") == self._public_host

    def answers_to(self, host: str) -> bool:
        """Return whether requests with this Host header are answered."""
        is_any = self.answers_to_any_host and self._public_host is None
        return is_any or self.is_public_name(host) or _LOCAL_HOST.fullmatch(host) is not None

    def person(self, headers: Mapping[str, str]) -> Person | None:
        """Identify the sender by cookies or token; return ``None`` if a required session or token is missing.

        What the request changes is noted in the audit trail under this name.
        """
        person = self._person(headers)
        audit.ACTOR.set(person.owner if person else "nobody")
        return person

    def _person(self, headers: Mapping[str, str]) -> Person | None:
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
        """Return the user of the request's API token; ``None`` without a valid token. Noted as ``person`` is."""
        person = self._program(headers)
        if person:
            audit.ACTOR.set(person.owner)
        return person

    def _program(self, headers: Mapping[str, str]) -> Person | None:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or self.store is None:
            return None
        name = tokens.holder(self.store, token.strip(), "api")
        if name == LOCAL:  # a token of the machine's person is no key to a page that others reach
            return Person(LOCAL, Role.ADMIN) if self.who is Who.LOCAL else None
        return _user(self.store, name) if name else None

    def start(self, person: Person, host: str | None, start: Callable[[], Started]) -> Started:
        """Call ``start()`` if the limits of this person and of ``host`` allow another run.

        Raises:
            LimitReached: they have too many runs, or the user's budget of tokens is spent, or may be by runs at work.
        """
        if self._limits:
            start = partial(self._limits.start, keys_of_person(person, host), start)
        return self._budgets.start(person.owner, start) if self._budgets else start()

    def watching(self, person: Person, host: str | None) -> AbstractContextManager[None]:
        """Count a stream of this person from ``host`` in the block. Raises ``LimitReached`` if there are too many."""
        return nullcontext() if self.who is Who.LOCAL else self._streams.one(keys_of_person(person, host))


def _public_host(url: str) -> str:
    try:
        scheme, host, *others = urlsplit(url)
    except ValueError:  # such as [ without ]
        scheme, host, others = "", "", []
    if scheme != "https" or not _PUBLIC_HOST.fullmatch(host) or any(others):
        advice = "write https:// and the name by which others reach this page, without a path"
        raise UsageError(f"{url!r} is no public address; {advice}")
    return host.lower().removesuffix(":443")


def new_visitor() -> str:
    """Return a random ID for a visitor's cookie."""
    return secrets.token_urlsafe(24)


def _user(store: Database, name: str) -> Person | None:
    try:
        user = users.get(store, name)
    except NotFound:
        return None
    return Person(user.name, user.role, user.may_chat)


def visitor_of(id: str) -> Person:
    """Return the visitor with this cookie. Only its hash is stored, so that a reader of the file cannot use it."""
    return Person(VISITORS_OWN + hashlib.sha256(id.encode()).hexdigest(), None)


def is_own(headers: Mapping[str, str]) -> bool:
    """Return whether the request comes from this site's pages; one without such headers is not from a browser."""
    if site := headers.get("sec-fetch-site"):
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or origin in (f"http://{headers.get('host')}", f"https://{headers.get('host')}")


def keys_of_person(person: Person, host: str | None) -> list[str]:
    """Return the keys that limits count for ``person`` at ``host``, the strictest last."""
    # a visitor who drops the cookie is another one, so their address counts too; a user cannot do that
    return keys_of(person.owner, network(host or "") if person.is_visitor else None)


def session_of(headers: Mapping[str, str]) -> str | None:
    """Return the token in the session cookie."""
    return _cookies(headers).get(SESSION)


def browser_of(headers: Mapping[str, str]) -> str:
    """Return what the sender's browser or program is known by, hashed; it stays the same when a user is removed."""
    cookies = _cookies(headers)
    known = cookies.get(SESSION) or headers.get("authorization") or cookies.get(VISITOR) or ""
    return hashlib.sha256(known.encode()).hexdigest()


def _cookies(headers: Mapping[str, str]) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule for requests whose path begins with ``path``; the rule with the longest path applies."""

    path: str
    role: Role | None = None
    """The least role; ``None`` for everybody who may use the page, also visitors."""
    policy: str | None = None
    """The content security policy of responses without their own; ``None`` for the chat page's."""
    is_open: bool = False
    """Whether the guard lets everybody in because the route checks tokens or links itself."""
    is_page: bool = False
    """Whether people open ``path`` itself in a browser, so that they are redirected to the sign-in page."""
    is_api: bool = False
    """Whether programs of any origin may call it; errors then have the form of OpenAI's API."""
    max_body: int = 1_000_000
    """The most bytes of a request, far more than the longest question needs."""


def rule_of(path: str, rules: Sequence[Rule]) -> Rule:
    """Return the rule for ``path``; if none fits, as for ``OPTIONS *``, one that requires the right to use the page."""
    found = (rule for rule in rules if path.startswith(rule.path))
    return max(found, key=lambda rule: len(rule.path), default=Rule(path))
