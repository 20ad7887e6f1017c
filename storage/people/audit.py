"""The audit trail: who signed in, shared, exported, deleted and revoked what. It holds names and ids, no text."""

import csv
import io
import logging
import re
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import asdict, astuple, dataclass, fields

from storage.database import Connection, Database, first, insert_row, now

LOCAL = "local"
"""The person at a machine without users, who owns the conversations there; no user may have this name."""
ACTOR: ContextVar[str] = ContextVar("actor", default=LOCAL)
"""Who acts in this request; without a request ``LOCAL``."""

FAILED = "failed to sign in"
MOST_FAILED = 10_000
"""So that nobody who guesses fills the disk."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that somebody did."""

    time: str
    actor: str
    action: str
    subject: str


def note(db: Connection, action: str, subject: str = "", actor: str | None = None) -> None:
    """Add an entry inside the caller's transaction; the actor is by default that of the request."""
    entry = Entry(now(), actor or ACTOR.get(), action, subject)
    insert_row(db, "audit", asdict(entry))
    log.info("%s %s %s", entry.actor, action, subject)


def failed(store: Database, name: str, how: str = "") -> None:
    """Add that somebody failed to sign in as ``name``, which is left out if no user has or had it.

    Another name may be a password in the wrong field. A provider that ``how`` names sends no password; what it says is
    left out if no user can have such a name. The latest ``MOST_FAILED`` are kept.
    """
    with store.writing() as db:
        known = first(db, "SELECT 1 FROM users WHERE name = ? COLLATE NOCASE", name)
        may_be = bool(how) and NAME.fullmatch(name) and name.casefold() != LOCAL
        note(db, FAILED, how, actor=name if known or may_be else "nobody")
        query = """DELETE FROM audit WHERE action = ?1 AND number <=
            (SELECT number FROM audit WHERE action = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)"""
        db.execute(query, (FAILED, MOST_FAILED))


def entries(store: Database, last: int = -1) -> Iterator[Entry]:
    """Yield the ``last`` entries, or all of them, the latest first."""
    for row in store.rows("SELECT time, actor, action, subject FROM audit ORDER BY number DESC LIMIT ?", (last,)):
        yield Entry(*row)


def table(store: Database) -> str:
    """Return all entries as CSV, the latest first."""
    file = io.StringIO()
    rows = csv.writer(file)
    rows.writerow(field.name for field in fields(Entry))
    rows.writerows(map(astuple, entries(store)))
    return file.getvalue()


def drop_older(store: Database, time: str) -> None:
    """Delete the entries from before ``time``."""
    if store.row("SELECT 1 FROM audit WHERE time < ?", (time,)):
        store.write("DELETE FROM audit WHERE time < ?", (time,))


def forget(db: Connection, name: str) -> None:
    """Delete what the user ``name`` did and what was done to the account, inside the caller's transaction."""
    db.execute("DELETE FROM audit WHERE ? COLLATE NOCASE IN (actor, subject)", (name,))
