"""Tasks: who has which item, as a lease that ends or as an assignment that does not; and which item comes next.

An item's places are its quota. Taken are those of annotators whose newest word is a label, and those of open tasks that
are assigned or whose lease has not ended. Every change is made in a transaction that began with BEGIN IMMEDIATE: two
annotators, in whichever processes, never take the same place.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storage.annotation.items import PRIME

if TYPE_CHECKING:
    import sqlite_utils

_IS_HELD = "state = 'open' AND (assigned IS NOT NULL OR expires > :now)"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of ``annotation_tasks``."""

    state: str
    assigned: str | None
    expires: float | None
    draft: str | None
    seconds: float

    def is_held(self, at: float) -> bool:
        """Whether the task has a place of its own at that moment, in Unix seconds."""
        return self.state == "open" and (self.assigned is not None or (self.expires or 0.0) > at)


def find(db: sqlite_utils.Database, annotator: str, item: str) -> Row | None:
    row = db.execute(
        "SELECT state, assigned, expires, draft, seconds FROM annotation_tasks WHERE annotator = ? AND item = ?",
        (annotator, item),
    ).fetchone()
    return Row(*row) if row else None


def take(db: sqlite_utils.Database, annotator: str, item: str, at: float, expires: float) -> bool:
    """Give ``annotator`` the item, or renew what they have; whether there was a place.

    A task that was submitted or skipped is left alone: it needs no place.
    """
    task = find(db, annotator, item)
    if task is not None and task.state != "open":
        return True
    if not (task is not None and task.is_held(at)) and not has_place(db, annotator, item, at):
        return False
    db.execute(
        "INSERT INTO annotation_tasks (annotator, item, state, expires) VALUES (?, ?, 'open', ?) "
        "ON CONFLICT (annotator, item) DO UPDATE SET expires = excluded.expires",
        (annotator, item, expires),
    )
    return True


def taken(db: sqlite_utils.Database, item: str, at: float) -> int:
    """How many places of the item are taken."""
    return db.execute(
        f"SELECT done + (SELECT count(*) FROM annotation_tasks t WHERE t.item = i.id AND {_IS_HELD}) "
        "FROM annotation_items i WHERE id = :item",
        {"item": item, "now": at},
    ).fetchone()[0]


def has_place(db: sqlite_utils.Database, annotator: str, item: str, at: float) -> bool:
    """Whether a place of the item is free, leaving out what ``annotator`` has of it."""
    quota, done, others = db.execute(
        f"""
        SELECT quota, done, (SELECT count(*) FROM annotation_tasks t
            WHERE t.item = i.id AND {_IS_HELD} AND annotator != :annotator)
        FROM annotation_items i WHERE id = :item""",
        {"item": item, "annotator": annotator, "now": at},
    ).fetchone()
    own = db.execute(
        "SELECT count(*) FROM annotation_tasks WHERE annotator = ? AND item = ? AND state = 'submitted'",
        (annotator, item),
    ).fetchone()[0]
    return done - own + others < quota


def unfinished(db: sqlite_utils.Database, annotator: str, at: float) -> list[str]:
    """The annotator's own open items that are begun, leased or assigned, those begun last first."""
    return [
        item
        for (item,) in db.execute(
            """
        SELECT t.item FROM annotation_tasks t JOIN annotation_items i ON i.id = t.item
        WHERE annotator = :annotator AND state = 'open' AND withdrawn IS NULL
            AND (draft IS NOT NULL OR assigned IS NOT NULL OR expires > :now)
        ORDER BY draft IS NULL, saved DESC, expires IS NULL, expires DESC, assigned, i.shuffle""",
            {"annotator": annotator, "now": at},
        )
    ]


def candidates(db: sqlite_utils.Database, annotator: str, at: float, limit: int) -> list[str]:
    """The next items of the queue with a free place that the annotator has not had, as many as ``limit``.

    Items that others began come first, so that judgements overlap early; among these and among the others each
    annotator has an order of their own, which looks random and stays.
    """
    factor, offset = order(annotator)
    return [
        item
        for (item,) in db.execute(
            f"""
        WITH held AS (SELECT item, count(*) AS number FROM annotation_tasks
            WHERE {_IS_HELD} AND annotator != :annotator GROUP BY item)
        SELECT i.id FROM annotation_items i INDEXED BY annotation_items_open LEFT JOIN held ON held.item = i.id
        WHERE i.done < i.quota AND i.withdrawn IS NULL AND i.done + coalesce(held.number, 0) < i.quota
            AND i.id NOT IN (SELECT item FROM annotation_tasks WHERE annotator = :annotator
                AND (state != 'open' OR draft IS NOT NULL))
        ORDER BY i.done + coalesce(held.number, 0) = 0, (i.shuffle * :factor + :offset) % {PRIME}
        LIMIT :limit""",
            {"annotator": annotator, "now": at, "factor": factor, "offset": offset, "limit": limit},
        )
    ]


def order(annotator: str) -> tuple[int, int]:
    """Factor and offset that permute the queue for ``annotator``: the same in every process."""
    digest = hashlib.blake2b(annotator.casefold().encode(), digest_size=8).digest()
    return int.from_bytes(digest[:4]) % (PRIME - 1) + 1, int.from_bytes(digest[4:]) % PRIME
