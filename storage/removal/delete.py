"""Deletes turns with everything derived from them, so that none of their text stays in the file."""

import logging
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from searchain.errors import NotFound, StorageError, UsageError
from storage.annotation import withdrawing
from storage.database import Connection, Database, first, insert_row, now
from storage.log import derived_tables
from storage.log.conversations import is_title_of, title
from storage.people import audit, shares

_AT_ONCE = 50  # turns that ``remove_older`` deletes in one transaction
_OLD = """SELECT t.id FROM turns t JOIN conversations c ON c.id = t.conversation WHERE c.updated < ?
    AND NOT EXISTS (SELECT 1 FROM shares s WHERE s.conversation = c.id AND s.expires > ?)
    AND NOT EXISTS (SELECT 1 FROM runs r JOIN turns o ON o.id = r.turn WHERE o.conversation = c.id)
    AND NOT EXISTS (SELECT 1 FROM annotation_items i JOIN turns o ON o.id = i.turn WHERE o.conversation = c.id
        AND i.withdrawn IS NULL)"""
_PAGES = 100  # pages of the search index that are merged in one transaction: a few milliseconds


def delete(store: Database, turns: Sequence[str], *, with_labels: bool = False) -> bool:
    """Call ``remove`` and ``compact``, and return the result of ``compact``. Raises as ``remove`` does."""
    remove(store, turns, with_labels=with_labels)
    return compact(store)


def remove(store: Database, turns: Sequence[str], *, with_labels: bool = False) -> None:
    """Delete ``turns`` in one transaction and leave a tombstone for each; ``compact`` must follow.

    On the annotation desk, the text of their replies is removed; labels stay unless ``with_labels`` is set.

    Raises:
        UsageError: one of the turns is still being answered.
        NotFound: one of the turns does not exist.
        StorageError: nothing was deleted.
    """
    with store.writing(is_final=True) as db:
        for turn in turns:
            refuse_running(db, turn)
            row = first(db, "SELECT conversation, position, question FROM turns WHERE id = ?", turn)
            if row is None:
                raise NotFound(f"there is no turn {turn}; perhaps somebody has just deleted it")
            conversation, position, question = row
            leave_tombstone(db, "deleted", turn, conversation, position)
            shares.drop(db, turn)
            if item := withdrawing.of_turn(db, turn):
                withdrawing.remove(db, item, with_labels=with_labels)
            passages = passages_of(db, turn)
            for table in (*derived_tables.DERIVED, "changed_citations", "feedback", "events"):
                db.execute(f"DELETE FROM {table} WHERE turn = ?", (turn,))
            db.execute("DELETE FROM turns WHERE id = ?", (turn,))
            drop_unused(db, passages)
            _mend(db, conversation, question)
            audit.note(db, "deleted the turn", turn)
        _note(db, _noted(db) + 1)


def remove_older(store: Database, days: float) -> int:
    """Delete the conversations without a change for ``days``, some at a time; return the number of their turns.

    Entries of the audit trail from before go, too. A conversation stays while a turn is being answered, a reply is on
    the annotation desk, or a shared link works. ``compact`` must follow.
    """
    limit = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
    turns = [turn for (turn,) in store.rows(_OLD, (limit, time.time()))]
    for start in range(0, len(turns), _AT_ONCE):
        remove(store, turns[start : start + _AT_ONCE])
    audit.drop_older(store, limit)
    return len(turns)


def compact(store: Database) -> bool:
    """Take the deleted text out of the search index and the log; rows are overwritten when they are deleted.

    Works in short transactions, between which others write.

    Returns ``False`` if another program has the database open. Traces of the text then stay in a file beside the
    database until the last program closes it.
    """
    with store.reading() as db:
        noted = _noted(db)
    pages = -_PAGES  # negative: begin to merge all parts of the index into one
    while _merge(store, pages):
        pages = _PAGES
    is_clean = store.empty_log()
    if is_clean and noted:
        with store.writing() as db:
            if _noted(db) == noted:  # else another program has deleted something meanwhile
                _note(db, 0)
    return is_clean


def _merge(store: Database, pages: int) -> bool:
    """Merge parts of the search index, writing some ``pages``; return whether there was anything to merge."""
    with store.writing() as db:
        before = db.conn.total_changes
        db.execute("INSERT INTO turns_fts (turns_fts, rank) VALUES ('merge', ?)", (pages,))
        return db.conn.total_changes - before > 1  # SQLite counts the command itself


def is_compact(store: Database) -> bool:
    """Return whether the file was rewritten after the last removal of turns."""
    with store.reading() as db:
        return _noted(db) == 0


def _noted(db: Connection) -> int:
    """Return the number of removals since the file was rewritten; SQLite keeps it in ``user_version``."""
    return first(db, "PRAGMA user_version")[0]


def _note(db: Connection, removals: int) -> None:
    db.execute(f"PRAGMA user_version = {removals % 2**31}")


def refuse_running(db: Connection, turn: str) -> None:
    """Raise ``UsageError`` if the turn is still being answered."""
    if first(db, "SELECT 1 FROM runs WHERE turn = ?", turn):
        raise UsageError(f"turn {turn} is still being answered; wait for it, or stop it first")


def leave_tombstone(db: Connection, what: str, turn: str, conversation: str, position: int) -> None:
    """Record that the turn was deleted or redacted."""
    row = {"time": now(), "what": what, "turn": turn, "conversation": conversation, "position": position}
    insert_row(db, "tombstones", row)


def passages_of(db: Connection, turn: str) -> set[str]:
    """Return the hashes of the passages that the turn's rows name."""
    return {
        hash
        for table in ("nodes", "retrievals", "sources")
        for (hash,) in db.execute(f"SELECT passage FROM {table} WHERE turn = ?", (turn,))
        if hash
    }


def drop_unused(db: Connection, passages: set[str]) -> None:
    """Delete those of ``passages`` that no row names."""
    query = """DELETE FROM passages WHERE hash = :hash
        AND NOT EXISTS (SELECT 1 FROM nodes WHERE passage = :hash)
        AND NOT EXISTS (SELECT 1 FROM retrievals WHERE passage = :hash)
        AND NOT EXISTS (SELECT 1 FROM sources WHERE passage = :hash)"""
    for hash in passages:
        db.execute(query, {"hash": hash})


def _mend(db: Connection, conversation: str, question: str) -> None:
    """Update the conversation's title and time after the turn that asked ``question``, or delete it if it is empty."""
    others = "SELECT question, created FROM turns WHERE conversation = ? ORDER BY position"
    left = db.execute(others, (conversation,)).fetchall()
    if left:
        name = first(db, "SELECT title FROM conversations WHERE id = ?", conversation)[0]
        name = title(left[0][0]) if is_title_of(name, question) else name
        values = (name, left[-1][1], conversation)
        db.execute("UPDATE conversations SET title = ?, updated = ? WHERE id = ?", values)
    else:
        db.execute("DELETE FROM conversations WHERE id = ?", (conversation,))


log = logging.getLogger(__name__)

DELAY = 300.0
"""Seconds from a deletion until the file is rewritten. It is rewritten no more often than that."""


class Compaction:
    """Rewrites the file some time after ``removal.remove``, also for turns that an earlier process removed."""

    def __init__(self, store: Database, delay: float = DELAY) -> None:
        self._store, self._delay = store, delay
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._is_needed = self._is_closed = False
        if not is_compact(store):
            self._begin()

    def soon(self) -> None:
        """Plan a rewrite after a deletion."""
        self._is_needed = True
        self._begin()

    def close(self) -> None:
        """Stop the timer and rewrite the file now if this process has deleted text."""
        with self._lock:
            self._is_closed = True
            if self._timer:
                self._timer.cancel()
        if self._is_needed:
            self._compact()

    def _begin(self) -> None:
        with self._lock:
            if self._timer is None and not self._is_closed:
                self._timer = threading.Timer(self._delay, self._later)
                self._timer.daemon = True
                self._timer.start()

    def _later(self) -> None:
        with self._lock:
            self._timer = None
        if not self._compact():
            self._begin()

    def _compact(self) -> bool:
        self._is_needed = False
        try:
            return compact(self._store)
        except StorageError as error:
            log.warning("deleted text is still in the file: %s", error)
            self._is_needed = True
            return False
