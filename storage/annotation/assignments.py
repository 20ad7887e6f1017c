"""Assignments: items given to annotators by name, without a time limit. They take places as leases do."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from searchain.errors import UsageError
from storage.annotation import items, pseudonyms, tasks
from storage.database import Connection, Database, now


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
                db.execute(
                    "UPDATE annotation_items SET quota = ? WHERE id = ?",
                    (max(quota, tasks.taken(db, item, time.time())), item),
                )
            for name in names:
                task = tasks.find(db, name, item)
                if task is not None and (
                    task.state == "submitted" or task.assigned or (task.state == "skipped" and chosen is None)
                ):
                    had += 1
                elif tasks.has_place(db, name, item, time.time()):
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

    Raises:
        NotFound: there is no such item, or its text was removed.
    """
    with store.writing() as db:
        items.must_be_judgeable(db, item)
        quota: int = db.execute(
            "UPDATE annotation_items SET quota = quota + 1 WHERE id = ? RETURNING quota", (item,)
        ).fetchone()[0]
    return quota


def release(store: Database, chosen: Sequence[str] | None, to: Sequence[str]) -> int:
    """End the assignments of open items but keep their drafts; return the number of ended assignments."""
    with store.writing() as db:
        return sum(
            db.execute(
                "UPDATE annotation_tasks SET assigned = NULL, expires = NULL WHERE annotator = ? AND "
                "item = ? AND state = 'open' AND assigned IS NOT NULL",
                (name, item),
            ).rowcount
            for name in to
            for item in (_ids(db) if chosen is None else chosen)
        )


def _ids(db: Connection) -> list[str]:
    return [id for (id,) in db.execute("SELECT id FROM annotation_items WHERE withdrawn IS NULL ORDER BY shuffle")]


def _give(db: Connection, annotator: str, item: str) -> None:
    db.execute(
        "INSERT INTO annotation_tasks (annotator, item, state, assigned) VALUES (?, ?, 'open', ?) "
        "ON CONFLICT (annotator, item) DO UPDATE SET state = 'open', assigned = excluded.assigned, "
        "expires = NULL",
        (annotator, item, now()),
    )
