"""API tokens of users and sessions of browsers; only SHA-256 hashes are stored, safe for random 256-bit values."""

import hashlib
import secrets
import time
from typing import Literal

from storage.database import Connection, Database, insert_row, now
from storage.people import audit

Kind = Literal["api", "session"]
SESSION_SECONDS = 14 * 24 * 3600


def issue(store: Database, user: str, kind: Kind = "api", how: str = "") -> str:
    """Create a token for ``user``, which cannot be shown again. A session ends after two weeks, an API token never.

    ``how`` tells the audit trail in what way a session's user signed in, if it was not by password.
    """
    token = ("sc-" if kind == "api" else "") + secrets.token_urlsafe(32)
    expires = time.time() + SESSION_SECONDS if kind == "session" else None
    with store.writing() as db:
        db.execute("DELETE FROM tokens WHERE expires < ?", (time.time(),))
        row = {"hash": digest(token), "user": user, "kind": kind, "created": now(), "expires": expires}
        insert_row(db, "tokens", row)
        if kind == "session":
            audit.note(db, "signed in", how, actor=user)
        else:
            audit.note(db, "made an API token of", user)
    return token


def holder(store: Database, token: str, kind: Kind) -> str | None:
    """Return the user of the token; ``None`` if the token is unknown, expired or revoked."""
    valid = "SELECT user FROM tokens WHERE hash = ? AND kind = ? AND (expires IS NULL OR expires > ?)"
    row = store.row(valid, (digest(token), kind, time.time()))
    return row[0] if row else None


def end(store: Database, token: str) -> None:
    """Delete one token, when its browser signs out."""
    store.write("DELETE FROM tokens WHERE hash = ?", (digest(token),), is_final=True)


def revoke(store: Database, user: str) -> int:
    """Delete the user's API tokens; return their number."""
    with store.writing(is_final=True) as db:
        audit.note(db, "revoked the API tokens of", user)
        return drop(db, user, kind="api")


def count(store: Database, kind: Kind = "api") -> dict[str, int]:
    """Count the tokens of this kind of each user who has any; sessions that are over do not count."""
    query = "SELECT user, count(*) FROM tokens WHERE kind = ? AND (expires IS NULL OR expires > ?) GROUP BY user"
    return dict(store.rows(query, (kind, time.time())))


def drop(db: Connection, user: str, kind: Kind | None = None) -> int:
    """Delete the user's tokens, of one kind or all, inside the caller's transaction; return their number."""
    query = "DELETE FROM tokens WHERE user = :user AND (:kind IS NULL OR kind = :kind)"
    return db.execute(query, {"user": user, "kind": kind}).rowcount


def digest(token: str) -> str:
    """Hash a token or the secret of a link, as it is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
