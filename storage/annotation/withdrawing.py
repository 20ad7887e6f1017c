"""Text off the desk: when a turn is deleted or redacted, and when somebody removes a reply.

What people said stays, without the text: limits and answers, but no comments, which quote what they are about. All of
it happens inside the caller's transaction; ``storage.removal.delete.compact`` takes it out of the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from searchain.annotation import covering
from storage.annotation import items
from storage.database import now

if TYPE_CHECKING:
    import sqlite_utils

_COMMENTED = ("annotation_labels", "annotation_gold")


def of_turn(db: sqlite_utils.Database, turn: str) -> str | None:
    """The item that was made from ``turn``."""
    row = db.execute("SELECT id FROM annotation_items WHERE turn = ?", (turn,)).fetchone()
    return row[0] if row else None


def remove(db: sqlite_utils.Database, item: str, *, with_labels: bool) -> None:
    """Take the item off the desk: its text, or with everything that people said of it.

    Raises:
        NotFound: there is no such item.
    """
    frozen = items.get(db, item)
    if with_labels:
        for table in (*_COMMENTED, "annotation_tasks"):
            db.execute(f"DELETE FROM {table} WHERE item = ?", (item,))
        db.execute("DELETE FROM annotation_items WHERE id = ?", (item,))
        return
    _rewrite(db, item, covering.withdrawn(frozen))
    _recomment(db, item, lambda comment: "")
    db.execute("UPDATE annotation_items SET withdrawn = coalesce(withdrawn, ?) WHERE id = ?", (now(), item))


def redact(db: sqlite_utils.Database, item: str, cover: Callable[[str], str], *, with_labels: bool) -> int:
    """Cover in the item, in comments and in drafts what ``cover`` finds, keeping lengths; the item can still be
    judged. Returns how many stored texts changed; with ``with_labels`` an item that changes is removed instead."""
    frozen = items.get(db, item)
    after = covering.rewritten(frozen, cover)
    if after != frozen:
        _rewrite(db, item, after)
    changed = (after != frozen) + _recomment(db, item, cover)
    if changed and with_labels:
        remove(db, item, with_labels=True)
    return changed


def _rewrite(db: sqlite_utils.Database, item: str, after: items.Item) -> None:
    db.execute(
        "UPDATE annotation_items SET content = ?, system = ?, model = ? WHERE id = ?",
        (items.encoded(after), after.system, after.model, item),
    )


def _recomment(db: sqlite_utils.Database, item: str, change: Callable[[str], str]) -> int:
    changed = 0
    for table in _COMMENTED:
        for number, comment in db.execute(f"SELECT number, comment FROM {table} WHERE item = ?", (item,)).fetchall():
            if (after := change(comment)) != comment:
                db.execute(f"UPDATE {table} SET comment = ? WHERE number = ?", (after, number))
                changed += 1
    for annotator, text in db.execute(
        "SELECT annotator, draft FROM annotation_tasks WHERE item = ? AND draft IS NOT NULL", (item,)
    ).fetchall():
        draft = json.loads(text)
        if (after := change(draft["comment"])) != draft["comment"]:
            db.execute(
                "UPDATE annotation_tasks SET draft = ? WHERE annotator = ? AND item = ?",
                (json.dumps({**draft, "comment": after}, ensure_ascii=False), annotator, item),
            )
            changed += 1
    return changed
