"""The append-only history of labels. Each submit, skip and undo adds a version; the newest version counts."""

import json
from dataclasses import dataclass
from typing import Any

from searchain.annotation import units
from searchain.annotation.labels import labels_from_json, without_comment
from searchain.annotation.protocol import GUIDELINES, Labels
from storage.annotation import items
from storage.database import Connection, Database, first, insert_row, now


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the history."""

    item: str
    annotator: str
    version: int
    """The version in this annotator's history of the item, from 1."""
    action: str
    """submitted, skipped (the comment is the reason) or undone (the entry before it no longer counts)."""
    guidelines: str
    labels: Labels | None
    """``None`` unless the action is ``submitted``."""
    seconds: float
    comment: str
    created: str


@dataclass(frozen=True, slots=True)
class Judgement(units.Judgement):
    """The newest labels of one annotator, with the item that they judge."""

    version: int = 0
    guidelines: str = ""
    is_withdrawn: bool = False
    """Whether the item's text was removed."""


_COLUMNS = "l.item, l.annotator, l.version, l.action, l.guidelines, l.labels, l.seconds, l.comment, l.created"


def labels(store: Database, item: str = "") -> list[Judgement]:
    """Return the newest labels per annotator and item, by item in order of import, then in order of arrival.

    Only those of ``item``, if it is given.
    """
    found, frozen = [], {}
    with store.reading() as db:  # row by row: each label's row has the whole item
        query = f"""SELECT {_COLUMNS}, i.content, i.withdrawn IS NOT NULL
            FROM annotation_labels l JOIN annotation_items i ON i.id = l.item
            WHERE l.action = 'submitted' AND (l.item = :item OR :item = '')
                AND NOT EXISTS (SELECT 1 FROM annotation_labels m
                    WHERE m.item = l.item AND m.annotator = l.annotator AND m.version > l.version)
            ORDER BY i.number, l.number"""
        for *row, content, withdrawn in db.execute(query, {"item": item}):
            entry = _entry(row)
            if entry.item not in frozen:
                frozen[entry.item] = items.decoded(content)
            assert entry.labels is not None  # the query gives submitted ones only
            about = (entry.created, entry.seconds, entry.version, entry.guidelines, bool(withdrawn))
            found.append(Judgement(frozen[entry.item], entry.annotator, entry.labels, *about))
    return found


def history(store: Database, item: str = "", annotator: str = "") -> list[Entry]:
    """Return the entries of the history, in order of arrival: only those of ``item`` and ``annotator``, if given."""
    query = f"""SELECT {_COLUMNS} FROM annotation_labels l
        WHERE (l.item = :item OR :item = '') AND (l.annotator = :annotator OR :annotator = '') ORDER BY l.number"""
    return list(map(_entry, store.rows(query, {"item": item, "annotator": annotator})))


def append(db: Connection, item: str, annotator: str, action: str, labels: Labels, seconds: float) -> int:
    """Add an entry inside the caller's transaction; return its version."""
    version = newest(db, item, annotator)[0] + 1
    text = without_comment(labels) if action == "submitted" else None
    row = {"item": item, "annotator": annotator, "version": version, "action": action, "guidelines": GUIDELINES}
    row |= {"labels": text, "seconds": seconds, "comment": labels.comment, "created": now()}
    insert_row(db, "annotation_labels", row)
    return version


def newest(db: Connection, item: str, annotator: str) -> tuple[int, str | None]:
    """Return the newest version of the annotator's history of the item, and its labels as JSON; else ``0, None``."""
    own = "FROM annotation_labels WHERE item = ? AND annotator = ? ORDER BY version DESC LIMIT 1"
    row = first(db, f"SELECT version, labels, comment {own}", item, annotator)
    return (row[0], _whole(row[1], row[2])) if row else (0, None)


def last_standing(db: Connection, annotator: str) -> tuple[str, str, str | None] | None:
    """Return the annotator's last action that was not undone: item, submitted or skipped, and labels as JSON."""
    query = """SELECT l.item, l.action, l.labels, l.comment FROM annotation_labels l
            JOIN annotation_tasks t ON t.annotator = l.annotator AND t.item = l.item
            JOIN annotation_items i ON i.id = l.item
        WHERE l.annotator = ? AND t.state = l.action AND i.withdrawn IS NULL
        ORDER BY l.number DESC LIMIT 1"""
    row = first(db, query, annotator)
    return (row[0], row[1], _whole(row[2], row[3])) if row else None


def _entry(row: Any) -> Entry:
    item, annotator, version, action, guidelines, text, *others = row
    labels = labels_from_json(json.loads(whole)) if (whole := _whole(text, others[1])) else None
    return Entry(item, annotator, version, action, guidelines, labels, *others)


def _whole(text: str | None, comment: str) -> str | None:
    """Add the comment, which has a column of its own, to the labels."""
    return json.dumps({**json.loads(text), "comment": comment}, ensure_ascii=False) if text else None
