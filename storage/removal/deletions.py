"""Erases conversations: ten seconds after their owner deleted them, and temporary ones when they are left.

The row of a deleted one is marked at once: nothing lists, finds, exports or shares it any more. It is erased with
``remove`` when its seconds are over, or when this process closes; after a killed process, when the next one starts.
A temporary one is listed, found, exported and shared nowhere from the start; whoever begins one calls ``forget_later``
and ``forget``. Those of a killed process are erased when the next page is served.
"""

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from searchain.errors import NotFound, SearChainError
from storage.database import Database, now
from storage.log import conversations
from storage.people import audit
from storage.removal.delete import Compaction, refuse_running, remove, remove_older

log = logging.getLogger(__name__)

UNDO = 10.0
"""Seconds in which a deletion can be taken back."""
_RETRY = 5.0  # seconds until a failed erasure is tried again, as of a conversation whose run has not stopped yet
_LONG_AGO = "1970-01-01T00:00:00.000+00:00"


@dataclass(frozen=True, slots=True)
class Deleted:
    """A conversation that can still be brought back."""

    id: str
    title: str
    seconds: float
    """How long it can be brought back."""


class Deletions:
    """Deletes conversations of ``store``, and brings them back. Thread-safe."""

    def __init__(self, store: Database, seconds: float = UNDO) -> None:
        """Erase what a killed process left marked; ``seconds`` is how long a deletion can be taken back."""
        self._store, self.seconds = store, seconds
        self._compaction = Compaction(store)
        self._lock = threading.Lock()  # held while something is erased, so that ``close`` waits for it
        self._own: set[str] = set()
        self._is_closed = False
        if store.rows("SELECT 1 FROM conversations WHERE deleted IS NOT NULL LIMIT 1"):
            self._later(0 if self._due() else seconds)

    def delete(self, conversation: str, *, owner: str = "local") -> None:
        """Mark the conversation as deleted, and erase it some seconds later.

        Raises:
            NotFound: there is no such conversation, or another owner has it.
            UsageError: its last question is still being answered.
        """
        with self._store.writing(is_final=True) as db:
            conversations.check(db, conversation, owner)
            for (turn,) in db.execute("SELECT id FROM turns WHERE conversation = ?", (conversation,)).fetchall():
                refuse_running(db, turn)
            db.execute("UPDATE conversations SET deleted = ? WHERE id = ?", (now(), conversation))
        self._own.add(conversation)
        self._later(self.seconds)

    def restore(self, conversation: str, *, owner: str = "local") -> None:
        """Bring the conversation back. Raises ``NotFound`` when its time is over."""
        with self._store.writing(is_final=True) as db:  # decided by the time, so that nothing half erased comes back
            own = "UPDATE conversations SET deleted = NULL WHERE id = ? AND owner = ? AND deleted > ?"
            found = db.execute(own, (conversation, owner, self._limit())).rowcount
        if not found:
            raise NotFound("the conversation is gone for good; it could be brought back for a few seconds only")
        self._own.discard(conversation)

    def forget_later(self, conversation: str) -> None:
        """Erase a temporary conversation when this process closes, unless ``forget`` comes first."""
        self._own.add(conversation)

    def forget(self, conversation: str | None = None) -> None:
        """Erase a temporary conversation, and stop its run first; without an ID, all that another process left.

        Only one process may serve pages over a database at a time.
        """
        if not self._store.rows("SELECT 1 FROM conversations WHERE temporary LIMIT 1"):
            return
        with self._store.writing(is_final=True) as db:
            left = "UPDATE conversations SET deleted = ? WHERE temporary AND id = coalesce(?, id)"
            db.execute(left, (_LONG_AGO, conversation))
            if conversation:
                db.execute("UPDATE runs SET is_stopping = 1 WHERE conversation = ?", (conversation,))
        self._later(0)

    def last(self, *, owner: str = "local") -> Deleted | None:
        """Return the conversation that the owner deleted last, if it can still be brought back."""
        own = "FROM conversations WHERE owner = ? AND deleted > ? ORDER BY deleted DESC"
        row = self._store.row(f"SELECT id, title, deleted {own}", (owner, self._limit()))
        if row is None:
            return None
        id, title, deleted = row
        age = datetime.now(UTC) - datetime.fromisoformat(deleted)
        return Deleted(id, title, max(0.0, self.seconds - age.total_seconds()))

    def older(self, days: float) -> None:
        """Erase everybody's conversations that did not change for ``days``."""
        if remove_older(self._store, days):
            self._compaction.soon()

    def close(self) -> None:
        """Erase what this process was asked to delete, and end its timers."""
        with self._lock:
            self._is_closed = True
            self._erase(lambda: list(self._own))
        self._compaction.close()

    def _limit(self) -> str:
        """Return the time of the newest deletion that cannot be taken back any more."""
        return (datetime.now(UTC) - timedelta(seconds=self.seconds)).isoformat(timespec="milliseconds")

    def _due(self) -> list[str]:
        return [id for (id,) in self._store.rows("SELECT id FROM conversations WHERE deleted <= ?", (self._limit(),))]

    def _later(self, seconds: float) -> None:
        timer = threading.Timer(seconds + 0.05, self._erase_due)
        timer.daemon = True
        timer.start()

    def _erase_due(self) -> None:
        with self._lock:
            if not self._is_closed and not self._erase(self._due):
                self._later(_RETRY)

    def _erase(self, found: Callable[[], Iterable[str]]) -> bool:
        """Erase the conversations that are ``found``; return whether all are gone."""
        try:
            for id in found():
                query = """SELECT t.id, c.owner FROM turns t JOIN conversations c ON c.id = t.conversation
                    WHERE c.id = ? AND (c.deleted IS NOT NULL OR c.temporary)"""
                rows = self._store.rows(query, (id,))
                if rows:  # else another process was faster
                    acting = audit.ACTOR.set(rows[0][1])  # their request has ended
                    try:
                        remove(self._store, [turn for turn, _ in rows])
                    finally:
                        audit.ACTOR.reset(acting)
                    self._compaction.soon()
                self._own.discard(id)
        except SearChainError as error:
            log.warning("a deleted conversation is still in the file: %s", error)
            return False
        return True
