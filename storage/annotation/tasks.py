"""Tasks: which annotator has which item, by a lease with an end or by an assignment, and which item comes next.

An item has as many places as its quota. A place is taken by submitted labels, or by an open task that is assigned or
whose lease has not ended. Every change is made in a transaction that began with BEGIN IMMEDIATE, so that two
annotators never take the same place, whichever processes they use.
"""

import hashlib
import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

from searchain.errors import UsageError
from storage.annotation import items, pseudonyms
from storage.annotation.items import PRIME
from storage.database import Connection, Database, first, now

LEASE = 15 * 60.0
"""Seconds for which a lease keeps an item after the annotator's last action on it."""
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
        """Return whether the task holds a place at the time ``at``, in Unix seconds."""
        return self.state == "open" and (self.assigned is not None or (self.expires or 0.0) > at)


def find(db: Connection, annotator: str, item: str) -> Row | None:
    own = "FROM annotation_tasks WHERE annotator = ? AND item = ?"
    row = first(db, f"SELECT state, assigned, expires, draft, seconds {own}", annotator, item)
    return Row(*row) if row else None


def take(db: Connection, annotator: str, item: str, at: float, expires: float) -> bool:
    """Lease the item to ``annotator``, or renew their lease; return ``False`` if no place is free.

    A submitted or skipped task is not changed, because it needs no place.
    """
    task = find(db, annotator, item)
    if task is not None and task.state != "open":
        return True
    if not (task is not None and task.is_held(at)) and not may_have(db, annotator, item, at):
        return False
    query = """INSERT INTO annotation_tasks (annotator, item, state, expires) VALUES (?, ?, 'open', ?)
        ON CONFLICT (annotator, item) DO UPDATE SET expires = excluded.expires"""
    db.execute(query, (annotator, item, expires))
    return True


def has_place(db: Connection, annotator: str, item: str, at: float) -> bool:
    """Return whether a place of the item is free, apart from the annotator's own."""
    query = f"""SELECT quota > done
            - (SELECT count(*) FROM annotation_tasks
                WHERE item = i.id AND annotator = :annotator AND state = 'submitted')
            + (SELECT count(*) FROM annotation_tasks WHERE item = i.id AND annotator != :annotator AND {_IS_HELD})
        FROM annotation_items i WHERE id = :item"""
    (is_free,) = db.execute(query, {"item": item, "annotator": annotator, "now": at}).fetchone()
    return bool(is_free)


def may_have(db: Connection, annotator: str, item: str, at: float) -> bool:
    """Return whether the annotator may get or keep an item that they do not hold: a place and their share allow it."""
    return has_place(db, annotator, item, at) and has_share(db, annotator, at, item)


def has_share(db: Connection, annotator: str, at: float, item: str = "") -> bool:
    """Return whether the annotator may get another reply: who came by a crowd link gets as many as it says.

    Skipped ones are replaced, but no more than as many again. A draft counts while it is held or its item has a free
    place, a lease that is over counts nothing, and neither does ``item``, the one to be had. A closed link gives only
    an ``item`` that the annotator had before.
    """
    query = f"""WITH counted AS (SELECT state FROM annotation_tasks t JOIN annotation_items i ON i.id = t.item
            WHERE annotator = :annotator AND item != :item AND (state != 'open' OR (withdrawn IS NULL AND ({_IS_HELD}
                OR (draft IS NOT NULL AND quota > done + (SELECT count(*) FROM annotation_tasks
                    WHERE item = i.id AND annotator != :annotator AND {_IS_HELD}))))))
        SELECT (l.closed IS NULL OR EXISTS (SELECT 1 FROM annotation_tasks
                WHERE annotator = :annotator AND item = :item))
            AND l.replies > (SELECT count(*) FROM counted WHERE state != 'skipped')
            AND 2 * l.replies > (SELECT count(*) FROM counted)
        FROM crowd_people p JOIN crowd_links l ON l.number = p.link WHERE p.annotator = :annotator"""
    row = db.execute(query, {"annotator": annotator, "item": item, "now": at}).fetchone()
    return row is None or bool(row[0])


def may_go_on(db: Connection, annotator: str, at: float) -> bool:
    """Return whether the desk can give the annotator a reply now, one of their own or a next one."""
    for item in unfinished(db, annotator, at):
        if (task := find(db, annotator, item)) and (task.is_held(at) or may_have(db, annotator, item, at)):
            return True
    return has_share(db, annotator, at) and bool(candidates(db, annotator, at, 1))


def minutes_left(db: Connection, annotator: str, at: float) -> int:
    """Return in how many minutes a place may be free for the annotator, if others hold all of them now.

    0: no reply that the annotator did not submit or skip is below its quota.
    """
    query = """SELECT count(*), min(t.expires) FROM annotation_items i LEFT JOIN annotation_tasks t
            ON t.item = i.id AND t.state = 'open' AND t.assigned IS NULL AND t.expires > :now
        WHERE i.done < i.quota AND i.withdrawn IS NULL
            AND i.id NOT IN (SELECT item FROM annotation_tasks WHERE annotator = :annotator AND state != 'open')"""
    number, ends = db.execute(query, {"annotator": annotator, "now": at}).fetchone()
    return math.ceil(((ends or at + LEASE) - at) / 60) if number else 0


def unfinished(db: Connection, annotator: str, at: float) -> list[str]:
    """Return the annotator's open items that are begun, leased or assigned; those saved last come first."""
    query = """SELECT t.item FROM annotation_tasks t JOIN annotation_items i ON i.id = t.item
        WHERE annotator = :annotator AND state = 'open' AND withdrawn IS NULL
            AND (draft IS NOT NULL OR assigned IS NOT NULL OR expires > :now)
        ORDER BY draft IS NULL, saved DESC, expires IS NULL, expires DESC, assigned, i.shuffle"""
    rows = db.execute(query, {"annotator": annotator, "now": at})
    return [item for (item,) in rows]


def candidates(db: Connection, annotator: str, at: float, limit: int) -> list[str]:
    """Return up to ``limit`` next items of the queue that have a free place and that the annotator has not had.

    Items begun by others come first, so that several annotators judge the same items early. Within both groups each
    annotator has their own pseudo-random order, which never changes.
    """
    factor, offset = order(annotator)
    query = f"""WITH held AS (SELECT item, count(*) AS number FROM annotation_tasks
            WHERE {_IS_HELD} AND annotator != :annotator GROUP BY item)
        SELECT i.id FROM annotation_items i INDEXED BY annotation_items_open LEFT JOIN held ON held.item = i.id
        WHERE i.done < i.quota AND i.withdrawn IS NULL AND i.done + coalesce(held.number, 0) < i.quota
            AND i.id NOT IN (SELECT item FROM annotation_tasks WHERE annotator = :annotator
                AND (state != 'open' OR draft IS NOT NULL))
        ORDER BY i.done + coalesce(held.number, 0) = 0, (i.shuffle * :factor + :offset) % {PRIME}
        LIMIT :limit"""
    rows = db.execute(query, {"annotator": annotator, "now": at, "factor": factor, "offset": offset, "limit": limit})
    return [item for (item,) in rows]


def order(annotator: str) -> tuple[int, int]:
    """Return the factor and the offset that permute the queue for ``annotator``, the same in every process."""
    digest = hashlib.blake2b(annotator.casefold().encode(), digest_size=8).digest()
    return int.from_bytes(digest[:4]) % (PRIME - 1) + 1, int.from_bytes(digest[4:]) % PRIME


@dataclass(frozen=True, slots=True)
class Assigned:
    """Counts of assigned and unassigned items over all annotators."""

    given: int
    had: int
    """Items that the annotator had been assigned or had judged before."""
    full: int
    """Items without a free place."""


def assign(store: Database, chosen: Sequence[str] | None, to: Sequence[str], *, quota: int | None = None) -> Assigned:
    """Assign the ``chosen`` items, or all, to each of the annotators ``to``, in one transaction.

    ``quota`` becomes the number of annotators who shall judge each item, but never less than the places already taken.
    If all items are assigned, each annotator's skipped items are left out; a chosen item is assigned even if skipped.

    Raises:
        NotFound: there is no such item or user, or the item's text was removed.
        UsageError: a user may not annotate, or a chosen item has no free place.
    """
    names = [pseudonyms.entitled(store, name) for name in to]
    given = had = full = 0
    with store.writing() as db:
        for item in _ids(db) if chosen is None else chosen:
            items.must_be_judgeable(db, item)
            if quota is not None:
                query = f"""UPDATE annotation_items SET quota = max(:quota, done +
                    (SELECT count(*) FROM annotation_tasks WHERE item = :item AND {_IS_HELD})) WHERE id = :item"""
                db.execute(query, {"quota": quota, "item": item, "now": time.time()})
            for name in names:
                task = find(db, name, item)
                if task is not None and (
                    task.state == "submitted" or task.assigned or (task.state == "skipped" and chosen is None)
                ):
                    had += 1
                elif has_place(db, name, item, time.time()):
                    _give(db, name, item)
                    given += 1
                elif chosen is not None:
                    raise UsageError(
                        f"as many annotators as wanted have item {item} already, and none is free for "
                        f"{name}; raise the number with --quota. Nothing was assigned"
                    )
                else:
                    full += 1
        for name in names:
            pseudonyms.remember_annotator(db, name)
    return Assigned(given, had, full)


def one_more(store: Database, item: str) -> int:
    """Raise the item's quota by one annotator; return the new quota.

    Raises ``NotFound`` if there is no such item, or its text was removed.
    """
    with store.writing() as db:
        items.must_be_judgeable(db, item)
        quota: int = first(db, "UPDATE annotation_items SET quota = quota + 1 WHERE id = ? RETURNING quota", item)[0]
    return quota


def release(store: Database, chosen: Sequence[str] | None, to: Sequence[str]) -> int:
    """End the assignments of open items but keep their drafts; return the number of ended assignments."""
    with store.writing() as db:
        free = "UPDATE annotation_tasks SET assigned = NULL, expires = NULL WHERE annotator = ? AND item = ?"
        held = "state = 'open' AND assigned IS NOT NULL"
        every = itertools.product(to, _ids(db) if chosen is None else chosen)
        return sum(db.execute(f"{free} AND {held}", pair).rowcount for pair in every)


def _ids(db: Connection) -> list[str]:
    return [id for (id,) in db.execute("SELECT id FROM annotation_items WHERE withdrawn IS NULL ORDER BY shuffle")]


def _give(db: Connection, annotator: str, item: str) -> None:
    query = """INSERT INTO annotation_tasks (annotator, item, state, assigned) VALUES (?, ?, 'open', ?)
        ON CONFLICT (annotator, item) DO UPDATE SET state = 'open', assigned = excluded.assigned, expires = NULL"""
    db.execute(query, (annotator, item, now()))
