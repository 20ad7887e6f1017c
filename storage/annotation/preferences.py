"""Preferences between two systems' replies to the same question, shown side by side.

Which reply stands on the left is random. Every preference is kept; an annotator's newest one of a pair counts.
"""

import hashlib
import json
import secrets
import time
from dataclasses import dataclass
from enum import StrEnum

from searchain.annotation.protocol import Item
from searchain.errors import NotFound, UsageError
from storage.annotation import items, pseudonyms
from storage.database import Connection, Database, now

LEASE = 15 * 60.0  # seconds that a pair is kept for somebody who looks at it


class Choice(StrEnum):
    """An annotator's preference within a pair."""

    LEFT = "left"
    RIGHT = "right"
    BOTH = "both"
    """Both are equally good."""
    NEITHER = "neither"
    """Both are equally bad."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two replies, in the places where an annotator sees them."""

    id: str
    left: Item
    right: Item


@dataclass(frozen=True, slots=True)
class Preference:
    """The newest preference of one annotator for one pair."""

    question: str
    annotator: str
    one: str
    other: str
    """The second system in alphabetical order; ``one`` is the first."""
    value: float
    """1: the reply of ``one`` is preferred; 0: the reply of ``other``; 0.5: a tie."""
    seconds: float


def pair(store: Database, one: str, other: str, quota: int) -> tuple[int, int]:
    """Pair the two systems' replies to each shared question; return the numbers of new and of existing pairs.

    Raises:
        UsageError: ``one`` and ``other`` are the same system.
        NotFound: the systems have no question in common.
    """
    if one.casefold() == other.casefold():
        raise UsageError("a system is not compared with itself; name two")
    by_system: dict[str, dict[str, str]] = {one: {}, other: {}}
    for item in items.items(store):
        if item.system in by_system:
            by_system[item.system].setdefault(" ".join(item.question.casefold().split()), item.id)
    shared = by_system[one].keys() & by_system[other].keys()
    if not shared:
        raise NotFound(f"{one!r} and {other!r} have no replies to the same question on the desk")
    added = 0
    with store.writing() as db:
        for question in sorted(shared):
            ids = [by_system[one][question], by_system[other][question]]
            left, right = ids if secrets.randbelow(2) else ids[::-1]
            cursor = db.execute(
                "INSERT INTO annotation_pairs (id, left_item, right_item, quota, created) SELECT ?, ?, ?, ?, ? "
                "WHERE NOT EXISTS (SELECT 1 FROM annotation_pairs WHERE left_item IN (?, ?) AND right_item IN (?, ?))",
                (secrets.token_hex(10), left, right, quota, now(), *ids, *ids),
            )
            added += cursor.rowcount
    return added, len(shared) - added


def next_pair(store: Database, annotator: str) -> tuple[Pair | None, int]:
    """Lease the next pair to ``annotator``, skipping pairs leased to others; return it and the number of pairs left."""
    with store.writing() as db:
        waiting = db.execute(
            """
            SELECT p.id, p.left_item, p.right_item FROM annotation_pairs p
                JOIN annotation_items l ON l.id = p.left_item JOIN annotation_items r ON r.id = p.right_item
            WHERE l.withdrawn IS NULL AND r.withdrawn IS NULL
                AND NOT EXISTS (SELECT 1 FROM annotation_preferences a WHERE a.pair = p.id AND a.annotator = :who)
                AND p.quota > (SELECT count(DISTINCT a.annotator) FROM annotation_preferences a WHERE a.pair = p.id)
                    + (SELECT count(*) FROM annotation_pair_leases e
                        WHERE e.pair = p.id AND e.annotator != :who AND e.expires > :now)""",
            {"who": annotator, "now": time.time()},
        ).fetchall()
        if not waiting:
            return None, 0
        id, left, right = min(waiting, key=lambda row: _order(annotator, row[0]))
        db.execute(
            "INSERT INTO annotation_pair_leases (pair, annotator, expires) VALUES (?, ?, ?) "
            "ON CONFLICT (pair, annotator) DO UPDATE SET expires = excluded.expires",
            (id, annotator, time.time() + LEASE),
        )
        pseudonyms.remember_annotator(db, annotator)
        return Pair(id, items.get(db, left), items.get(db, right)), len(waiting)


def prefer(
    store: Database, annotator: str, pair: str, choice: Choice, *, seconds: float = 0.0, comment: str = ""
) -> None:
    """Store the annotator's preference.

    Raises:
        NotFound: there is no such pair.
        UsageError: the pair was never given to the annotator, or others took its places.
    """
    with store.writing(is_final=True) as db:
        row = db.execute("SELECT quota FROM annotation_pairs WHERE id = ?", (pair,)).fetchone()
        if row is None:
            raise NotFound("there is no such pair, or not any more; go on with the next one")
        if not db.execute(
            "SELECT 1 FROM annotation_pair_leases WHERE pair = ? AND annotator = ?", (pair, annotator)
        ).fetchone():
            raise UsageError("this pair was never given to you; take the next one")
        if _others(db, pair, annotator) >= row[0]:
            raise UsageError("as many annotators as wanted have compared this pair; go on with the next one")
        db.execute(
            "INSERT INTO annotation_preferences (pair, annotator, choice, seconds, comment, created) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (pair, annotator, choice.value, min(max(seconds, 0.0), 86_400.0), comment[:4_000], now()),
        )


def counted(store: Database) -> list[Preference]:
    """Return the newest preferences, by pair."""
    with store.reading() as db:
        rows = db.execute(
            """
            SELECT a.annotator, a.choice, a.seconds, l.system, r.system, l.content
            FROM annotation_preferences a JOIN annotation_pairs p ON p.id = a.pair
                JOIN annotation_items l ON l.id = p.left_item JOIN annotation_items r ON r.id = p.right_item
            WHERE l.withdrawn IS NULL AND r.withdrawn IS NULL AND a.number = (SELECT max(number)
                FROM annotation_preferences WHERE pair = a.pair AND annotator = a.annotator)
            ORDER BY p.number, a.number"""
        ).fetchall()
    found = []
    for annotator, choice, seconds, left, right, content in rows:
        one, other = sorted((left, right))
        value = {Choice.LEFT: 1.0, Choice.RIGHT: 0.0}.get(Choice(choice), 0.5)
        found.append(
            Preference(
                json.loads(content)["question"], annotator, one, other, value if left == one else 1 - value, seconds
            )
        )
    return found


def _others(db: Connection, pair: str, annotator: str) -> int:
    number: int = db.execute(
        "SELECT count(DISTINCT annotator) FROM annotation_preferences WHERE pair = ? AND annotator != ?",
        (pair, annotator),
    ).fetchone()[0]
    return number


def _order(annotator: str, id: str) -> bytes:
    """Return a sort key that gives every annotator a pseudo-random order that never changes."""
    return hashlib.blake2b(f"{annotator.casefold()} {id}".encode(), digest_size=8).digest()
