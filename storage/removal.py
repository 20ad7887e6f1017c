"""Deleting: turns with everything made from them, so that nothing of their text stays in the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from searchain.errors import UsageError
from storage import shares, tables
from storage.annotation import withdrawing
from storage.conversations import title
from storage.database import Database, now

if TYPE_CHECKING:
    import sqlite_utils


def delete(store: Database, turns: Sequence[str], *, with_labels: bool = False) -> bool:
    """Delete ``turns`` in one transaction, leave a tombstone for each, and rewrite the file; see ``compact``.

    What people said of a turn's reply on the annotation desk stays, without the text, unless ``with_labels``.

    Raises:
        UsageError: one of them is still being answered.
        StorageError: nothing was deleted.
    """
    with store.writing() as db:
        for turn in turns:
            refuse_running(db, turn)
            conversation, position, question = db.execute(
                "SELECT conversation, position, question FROM turns WHERE id = ?", (turn,)).fetchone()
            bury(db, "deleted", turn, conversation, position)
            shares.drop(db, turn)
            if item := withdrawing.of_turn(db, turn):
                withdrawing.remove(db, item, with_labels=with_labels)
            passages = passages_of(db, turn)
            for table in (*tables.DERIVED, "feedback", "events"):
                db.execute(f"DELETE FROM {table} WHERE turn = ?", (turn,))
            db.execute("DELETE FROM turns WHERE id = ?", (turn,))
            drop_unused(db, passages)
            _mend(db, conversation, question)
    return compact(store)


def compact(store: Database) -> bool:
    """Rewrite the file without what was deleted.

    Returns whether that was all: ``False`` when another program has the database open; then traces of the text stay
    beside the file until the last one closes it.
    """
    with store.writing() as db:
        db.execute("INSERT INTO turns_fts (turns_fts) VALUES ('optimize')")  # else the index keeps words it dropped
    return store.vacuum()


def refuse_running(db: sqlite_utils.Database, turn: str) -> None:
    """Raises ``UsageError`` when the turn is still being answered."""
    if db.execute("SELECT 1 FROM runs WHERE turn = ?", (turn,)).fetchone():
        raise UsageError(f"turn {turn} is still being answered; wait for it, or stop it first")


def bury(db: sqlite_utils.Database, what: str, turn: str, conversation: str, position: int) -> None:
    """Leave a tombstone."""
    db.execute("INSERT INTO tombstones (time, what, turn, conversation, position) VALUES (?, ?, ?, ?, ?)",
               (now(), what, turn, conversation, position))


def passages_of(db: sqlite_utils.Database, turn: str) -> set[str]:
    """The passages that the turn's rows name."""
    return {hash for table in ("nodes", "retrievals", "sources")
            for (hash,) in db.execute(f"SELECT passage FROM {table} WHERE turn = ?", (turn,)) if hash}


def drop_unused(db: sqlite_utils.Database, passages: set[str]) -> None:
    """Delete those of ``passages`` that no row names any more."""
    for hash in passages:
        db.execute("""DELETE FROM passages WHERE hash = :hash
            AND NOT EXISTS (SELECT 1 FROM nodes WHERE passage = :hash)
            AND NOT EXISTS (SELECT 1 FROM retrievals WHERE passage = :hash)
            AND NOT EXISTS (SELECT 1 FROM sources WHERE passage = :hash)""", {"hash": hash})


def _mend(db: sqlite_utils.Database, conversation: str, question: str) -> None:
    """The conversation without the turn that asked ``question``, which was perhaps its title."""
    left = db.execute("SELECT question, created FROM turns WHERE conversation = ? ORDER BY position",
                      (conversation,)).fetchall()
    if left:
        db.execute("UPDATE conversations SET title = iif(title = ?, ?, title), updated = ? WHERE id = ?",
                   (title(question), title(left[0][0]), left[-1][1], conversation))
    else:
        db.execute("DELETE FROM conversations WHERE id = ?", (conversation,))
