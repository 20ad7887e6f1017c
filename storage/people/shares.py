"""Read-only snapshots of conversations. Each has a link that expires and can be revoked.

A snapshot lists the finished turns at the time it was made. Their logs never change, so no text is copied. Anybody with
the secret of the link may read them; only its SHA-256 hash is stored. When a turn is deleted or redacted, all snapshots
that contain it are deleted.
"""

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ulid import ULID

from searchain.errors import NotFound, UsageError
from storage.database import Connection, Database, first, insert_row, now
from storage.history import finished_turns
from storage.history.finished_turns import Record
from storage.history.selection import Selection
from storage.log import conversations
from storage.people import audit
from storage.people.tokens import digest

DAYS = 30
"""Days until a link expires, by default."""
MAX_DAYS = 365
_DAY = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Share:
    """A snapshot whose link has not expired; its ID is not a secret."""

    id: str
    conversation: str
    title: str
    """The conversation's title when the snapshot was made."""
    created: str
    expires: float
    """When the link expires, in Unix seconds."""
    turns: int


def make(store: Database, conversation: str, *, owner: str | None, days: int = DAYS) -> tuple[str, Share]:
    """Make a snapshot of the conversation; return its link's secret, which cannot be shown again, and the snapshot.

    A turn that is still being answered is left out. ``owner`` ``None`` is the person at the machine.

    Raises:
        NotFound: there is no such conversation, or another owner has it.
        UsageError: no turn of it is finished, or ``days`` is not from 1 to ``MAX_DAYS``.
    """
    if not 1 <= days <= MAX_DAYS:
        raise UsageError(f"a link works for 1 to {MAX_DAYS} days, not {days}; choose another time")
    token, id = secrets.token_urlsafe(32), str(ULID())
    with store.writing() as db:
        db.execute("DELETE FROM shares WHERE expires <= ?", (time.time(),))
        conversations.check(db, conversation, owner)
        is_temporary, name = first(db, "SELECT temporary, title FROM conversations WHERE id = ?", conversation)
        if is_temporary:
            raise UsageError("a temporary conversation is not shared; ask in a new conversation")
        row = {"id": id, "hash": digest(token), "conversation": conversation, "title": name, "created": now()}
        insert_row(db, "shares", row | {"expires": time.time() + days * _DAY})
        answered = "SELECT ?, id FROM turns WHERE conversation = ? AND status IS NOT NULL"
        if not db.execute(f"INSERT INTO shared_turns (share, turn) {answered}", (id, conversation)).rowcount:
            raise UsageError("no question of this conversation is answered yet; share it when one is")
        audit.note(db, "shared", f"{conversation} by link {id}")
        return token, next(_shares(db, "s.id = ?", (id,)))


def shares_of(store: Database, owner: str | None) -> list[Share]:
    """Return snapshots of the owner's conversations (``None``: of all owners), the latest first."""
    where = "(:owner IS NULL OR c.owner = :owner) AND s.expires > :now"
    with store.reading() as db:
        return list(_shares(db, where, {"owner": owner, "now": time.time()}))


def revoke(store: Database, id: str, *, owner: str | None) -> None:
    """Revoke the link now. Raises ``NotFound`` if there is no such snapshot, or another owner has it."""
    with store.writing(is_final=True) as db:
        query = """DELETE FROM shares WHERE id = :id AND (:owner IS NULL
            OR conversation IN (SELECT id FROM conversations WHERE owner = :owner))"""
        gone = db.execute(query, {"id": id, "owner": owner}).rowcount
        if not gone:
            raise NotFound(f"there is no shared link {id!r}", hint="see: python assistant.py logs shares")
        audit.note(db, "ended the link", id)


def find(store: Database, token: str) -> Share | None:
    """Return the snapshot of a link's secret; ``None`` if the secret is unknown, expired or revoked."""
    with store.reading() as db:
        return next(_shares(db, "s.hash = ? AND s.expires > ?", (digest(token), time.time())), None)


def records(store: Database, share: Share) -> Iterator[Record]:
    """Yield the turns of the snapshot. Raises ``StorageError`` if a turn cannot be read."""
    for record in finished_turns.records(store, Selection(share=share.id)):
        yield replace(record, title=share.title)


def drop(db: Connection, turn: str) -> None:
    """Delete the snapshots that contain the turn, inside the caller's transaction."""
    db.execute("DELETE FROM shares WHERE id IN (SELECT share FROM shared_turns WHERE turn = ?)", (turn,))


def drop_owner(db: Connection, owner: str) -> None:
    """Delete the snapshots of the owner's conversations, inside the caller's transaction."""
    db.execute("DELETE FROM shares WHERE conversation IN (SELECT id FROM conversations WHERE owner = ?)", (owner,))


def _shares(db: Connection, where: str, values: Sequence[Any] | dict[str, Any]) -> Iterator[Share]:
    query = f"""SELECT s.id, s.conversation, s.title, s.created, s.expires,
        (SELECT count(*) FROM shared_turns WHERE share = s.id) AS turns
        FROM shares s JOIN conversations c ON c.id = s.conversation
        WHERE {conversations.KEPT} AND {where} ORDER BY s.id DESC"""
    for row in db.query(query, values):
        yield Share(**row)
