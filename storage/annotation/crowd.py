"""Links by which people of a crowd platform come, who each of them is here, and how many replies each may judge.

The platform puts the identity of a person into the link. It is kept beside a user of a random name, under which the
labels stand, until the link ends or somebody erases it. Only the hash of a link's secret is stored.
"""

import secrets
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from searchain.errors import NotFound, UsageError
from storage.annotation import pseudonyms, tasks
from storage.database import Connection, Database, first, insert_row, now
from storage.people import audit, tokens, users
from storage.people.shares import MAX_DAYS

MOST_PEOPLE = 10_000
EXPIRY = "expiry"
_DAY = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Link:
    """A link for several people; its number is not a secret."""

    number: int
    parameter: str
    """The parameter of the address that holds the identity, such as ``PROLIFIC_PID``."""
    people: int
    """How many people may come."""
    replies: int
    """How many replies each of them judges."""
    code: str
    """The completion code; empty: there is none."""
    back: str
    """The address to which people go back at the end; empty: there is none."""
    expires: float
    """When the link ends and the identities are erased, in Unix seconds."""
    closed: str | None
    """When it was closed; ``None`` while people may come."""


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody who came by a link."""

    code: str
    back: str
    share: int
    """How many replies the person judges."""
    closed: str | None
    finished: str | None
    """When ``is_through`` was first noticed; ``None`` before."""
    judged: int
    """How many of the share are submitted."""
    minutes: int
    has_share: bool
    may_go_on: bool

    @property
    def is_through(self) -> bool:
        """Whether the work is done: the share is judged, or part of it and the link is closed or no reply is left."""
        is_over = self.judged >= self.share or self.closed is not None or self.minutes == 0
        return self.judged > 0 and not self.may_go_on and is_over


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a person cannot come."""

    why: str
    """closed; full; removed; done: no reply is left; busy: others hold those that are left."""
    minutes: int = 0
    """After how long to try again."""


_COLUMNS = "number, parameter, people, replies, code, back, expires, closed"


def make(
    store: Database, people: int, replies: int, *, parameter: str, code: str, back: str, days: int
) -> tuple[str, Link]:
    """Make a link; return its secret, which cannot be shown again.

    Raises ``UsageError`` if a value is wrong, there is neither a code nor an address to go back to, or no user.
    """
    if not audit.NAME.fullmatch(parameter) or parameter == "study":
        raise UsageError(f"{parameter!r} is no parameter of a link; use letters, digits and . _ - (and not 'study')")
    if not 1 <= people <= MOST_PEOPLE or not 1 <= replies <= 1000 or not 1 <= days <= MAX_DAYS:
        raise UsageError(f"a link is for 1 to {MOST_PEOPLE:,} people, 1 to 1,000 replies each and 1 to {MAX_DAYS} days")
    if back and (urlsplit(back).scheme != "https" or not urlsplit(back).hostname or not back.isprintable()):
        raise UsageError(f"{back!r} is no address to go back to; it begins with https://")
    if not (code or back) or not code.isprintable() or len(code) > 100:
        raise UsageError("say what people bring back: --code TEXT (up to 100 characters), --back URL, or both")
    if not users.are_there(store):
        raise UsageError("a link needs a desk that others reach; add an admin first: user add NAME --role admin")
    token, expires = secrets.token_urlsafe(32), time.time() + days * _DAY
    with store.writing() as db:
        hash = tokens.digest(token)
        row = {"parameter": parameter, "people": people, "replies": replies, "code": code, "back": back}
        insert_row(db, "crowd_links", {"hash": hash, **row, "created": now(), "expires": expires})
        (link,) = _links(db, "hash = ?", (hash,))
        audit.note(db, "made the crowd link", str(link.number))
    return token, link


def links(store: Database) -> list[dict[str, Any]]:
    """Return every link as JSON values, the latest first, with how many people ``came`` and ``finished``."""
    counts = "count(p.annotator) AS came, count(p.finished) AS finished"
    query = f"""SELECT {_COLUMNS}, l.created, {counts} FROM crowd_links l
        LEFT JOIN crowd_people p ON p.link = number GROUP BY number ORDER BY number DESC"""
    return store.named_rows(query)


def people(store: Database, number: int) -> list[dict[str, Any]]:
    """Return who came by the link, in order: ``identity``, ``annotator``, ``finished``, and what they did.

    Raises ``NotFound`` if there is no such link.
    """
    with store.reading() as db:
        _link(db, number)
    query = """SELECT p.identity, p.annotator, p.created, p.finished, count(CASE state WHEN 'submitted' THEN 1 END) AS
            submitted, count(CASE state WHEN 'skipped' THEN 1 END) AS skipped, total(seconds) AS seconds
        FROM crowd_people p LEFT JOIN annotation_tasks t ON t.annotator = p.annotator
        WHERE link = ? GROUP BY p.annotator ORDER BY p.created"""
    return store.named_rows(query, (number,))


def close(store: Database, number: int) -> None:
    """Let nobody else come by the link; who came can submit what they hold. Raises ``NotFound`` without such a link."""
    with store.writing(is_final=True) as db:
        _link(db, number)
        db.execute("UPDATE crowd_links SET closed = coalesce(closed, ?) WHERE number = ?", (now(), number))
        audit.note(db, "closed the crowd link", str(number))


def forget(store: Database, number: int) -> bool:
    """Close the link, and erase the identities and accounts of who came; labels stay under the random names.

    Returns ``False`` if another program has the database open, so that traces stay in a file beside it until it ends.
    Raises ``NotFound`` if there is no such link.
    """
    close(store, number)
    with store.writing(is_final=True) as db:
        for (name,) in db.execute(
            "SELECT annotator FROM crowd_people WHERE link = ? AND identity IS NOT NULL", (number,)
        ).fetchall():
            users.forget(db, name)
        db.execute("UPDATE crowd_people SET identity = NULL WHERE link = ?", (number,))
    return store.empty_log()


def expire(store: Database) -> None:
    """Forget who came by links that have ended; the audit trail names ``EXPIRY`` as the actor."""
    actor = audit.ACTOR.set(EXPIRY)
    try:
        query = """SELECT DISTINCT number FROM crowd_links JOIN crowd_people ON link = number
            WHERE expires <= ? AND identity IS NOT NULL"""
        for (number,) in store.rows(query, (time.time(),)):
            forget(store, number)
    finally:
        audit.ACTOR.reset(actor)


def find(store: Database, token: str) -> Link | None:
    """Return the link with this secret; ``None`` if there is none, or it has ended."""
    with store.reading() as db:
        return next(iter(_links(db, "hash = ? AND expires > ?", (tokens.digest(token), time.time()))), None)


def is_known(store: Database, link: Link, identity: str) -> bool:
    """Return whether the person came before, by this link or another one."""
    with store.reading() as db:
        return _known(db, link, identity) is not None


def enter(store: Database, link: Link, identity: str) -> str | Refusal:
    """Return the name on the desk of the person with this ``identity``, a new one at the first time.

    Who came by another link with the same parameter is the same person, with the share and the code of that link.
    """
    with store.writing() as db:
        if known := _known(db, link, identity):
            name, may_come = known
            return name if may_come else Refusal("removed")
        (link,) = _links(db, "number = ?", (link.number,))
        if refusal := _refusal(db, link):
            return refusal
        name = f"crowd-{secrets.token_hex(5)}"
        users.admit(db, name)
        pseudonyms.remember_annotator(db, name)
        row = {"annotator": name, "link": link.number, "identity": identity, "created": now()}
        insert_row(db, "crowd_people", row)
        return name


def participant(store: Database, annotator: str) -> Participant | None:
    """Return what is known of an annotator who came by a link; ``None`` if they did not."""
    with store.reading() as db:
        query = """SELECT code, back, replies, closed, finished,
                (SELECT count(*) FROM annotation_tasks t WHERE t.annotator = p.annotator AND state = 'submitted')
            FROM crowd_people p JOIN crowd_links ON number = link WHERE p.annotator = ?"""
        row = first(db, query, annotator)
        at = time.time()
        left = (read(db, annotator, at) for read in (tasks.minutes_left, tasks.has_share, tasks.may_go_on))
        return Participant(*row, *left) if row else None


def finish(store: Database, annotator: str) -> None:
    """Record that the annotator has done what the link asks of them."""
    store.write("UPDATE crowd_people SET finished = coalesce(finished, ?) WHERE annotator = ?", (now(), annotator))


def _refusal(db: Connection, link: Link) -> Refusal | None:
    (came,) = first(db, "SELECT count(*) FROM crowd_people WHERE link = ?", link.number)
    if link.closed or came >= link.people:
        return Refusal("closed" if link.closed else "full")
    at = time.time()
    if tasks.candidates(db, "", at, 1):
        return None
    minutes = tasks.minutes_left(db, "", at)
    return Refusal("busy", minutes) if minutes else Refusal("done")


def _known(db: Connection, link: Link, identity: str) -> tuple[str, bool] | None:
    """Return the person's name on the desk, and whether the account is not removed."""
    query = """SELECT annotator, u.name IS NOT NULL AND u.disabled IS NULL FROM crowd_people p
            JOIN crowd_links l ON l.number = p.link LEFT JOIN users u ON u.name = p.annotator
        WHERE l.parameter = ? AND p.identity = ? ORDER BY p.created LIMIT 1"""
    return first(db, query, link.parameter, identity)


def _link(db: Connection, number: int) -> Link:
    for link in _links(db, "number = ?", (number,)):
        return link
    raise NotFound(f"there is no crowd link {number}", hint="see: python assistant.py annotate crowd list")


def _links(db: Connection, where: str, values: tuple[Any, ...]) -> list[Link]:
    return [Link(*row) for row in db.execute(f"SELECT {_COLUMNS} FROM crowd_links WHERE {where}", values)]
