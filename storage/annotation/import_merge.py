"""Stores the rows of an imported file in the caller's transaction. Existing rows stay as they are."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from searchain.annotation.labels import labels_from_json, without_comment
from searchain.annotation.protocol import Item
from storage.annotation import items, pseudonyms
from storage.annotation.export_jsonl import GOLD, LABEL, TABLES
from storage.annotation.import_parse import Frozen, Reply, Row
from storage.database import Connection, now


class Merge:
    """Stores the rows of one file, in the file's order."""

    def __init__(self, db: Connection, quota: int) -> None:
        self._db, self._quota = db, quota
        self._ids: dict[str, str] = {}
        """Item ID in the file → item ID in this database: a reply that was imported on two desks has two IDs."""

    def add(self, one: Reply | Frozen | Row) -> bool:
        """Store the row; return whether it is new.

        Raises:
            ValueError: it contradicts a stored row, or its item is missing.
            UsageError: the turn of the item was deleted in this database.
        """
        match one:
            case Reply():
                return self._reply(one)
            case Frozen():
                return self._frozen(one)
            case Row("label", row):
                return self._label(self._here(row))
            case Row("gold", row):
                return self._decision(self._here(row))
            case Row(kind, row):
                return self._other(kind, dict(row))

    def _reply(self, one: Reply) -> bool:
        """Store a reply, and the labels that came with it unless their annotators judged it before."""
        db = self._db
        is_new = items.add(db, one.item, turn=one.turn, quota=self._quota)
        for name, labels in one.labels:
            id = db.execute("SELECT id FROM annotation_items WHERE turn = ?", (one.turn,)).fetchone()[0]
            table, by = ("annotation_gold", "adjudicator") if one.is_gold else ("annotation_labels", "annotator")
            if db.execute(f"SELECT 1 FROM {table} WHERE item = ? AND {by} = ?", (id, name)).fetchone():
                continue
            if items.get(db, id).answer != one.item.answer:
                raise ValueError("the study moves marks (normalise_marks), so that its labels would not fit the reply")
            judged = {"item": id, "labels": without_comment(labels), "comment": labels.comment}
            row = {**judged, "guidelines": one.guidelines, "created": now(), "seconds": 0.0, "action": "submitted"}
            if one.is_gold:
                row |= {"adjudicator": name, "based_on": []}
                self._decision({column: row[column] for column in GOLD})
            else:
                row |= {"annotator": name, "version": 1}
                self._label({column: row[column] for column in LABEL})
        return is_new

    def _frozen(self, one: Frozen) -> bool:
        known = self._db.execute(
            "SELECT id, digest, content FROM annotation_items WHERE id = :id OR digest = :digest "
            "ORDER BY id = :id DESC",
            {"id": one.item.id, "digest": one.digest},
        ).fetchone()
        if known:
            id, digest, content = known
            if (digest, _judged(items.decoded(content))) != (one.digest, _judged(replace(one.item, id=id))):
                raise ValueError(f"item {id} is there already and differs")
            self._ids[one.item.id] = id
            return False
        if not items.add(self._db, one.item, turn=one.turn, quota=one.quota, known_as=one.digest):
            raise ValueError(f"turn {one.turn} is on the desk already, with another text")
        self._db.execute(
            "UPDATE annotation_items SET created = ?, withdrawn = ? WHERE id = ?",
            (one.created, one.withdrawn, one.item.id),
        )
        return True

    def _label(self, row: dict[str, Any]) -> bool:
        db = self._db
        row["annotator"] = pseudonyms.known_as(db, row["annotator"])
        known = db.execute(
            f"SELECT {', '.join(LABEL)} FROM annotation_labels WHERE item = ? AND annotator = ? AND version = ?",
            (row["item"], row["annotator"], row["version"]),
        ).fetchone()
        if known:
            if _said(known, LABEL) != _said(row.values(), LABEL):
                raise ValueError(
                    f"version {row['version']} of the labels of {row['annotator']} on item {row['item']} "
                    "is there already and differs"
                )
            return False
        db.execute(
            f"INSERT INTO annotation_labels ({', '.join(LABEL)}) VALUES ({', '.join('?' * len(LABEL))})",
            list(row.values()),
        )
        pseudonyms.remember_annotator(db, row["annotator"])
        _settle(db, row["item"], row["annotator"])
        return True

    def _decision(self, row: dict[str, Any]) -> bool:
        db = self._db
        row["based_on"] = json.dumps(
            [[pseudonyms.known_as(db, name), version] for name, version in row["based_on"]], ensure_ascii=False
        )
        row["adjudicator"] = pseudonyms.known_as(db, row["adjudicator"])
        known = db.execute(
            f"SELECT {', '.join(GOLD)} FROM annotation_gold WHERE item = ? AND adjudicator = ? AND created = ?",
            (row["item"], row["adjudicator"], row["created"]),
        ).fetchall()
        if any(_said(one, GOLD) == _said(row.values(), GOLD) for one in known):
            return False
        db.execute(
            f"INSERT INTO annotation_gold ({', '.join(GOLD)}) VALUES ({', '.join('?' * len(GOLD))})", list(row.values())
        )
        pseudonyms.remember_annotator(db, row["adjudicator"])
        return True

    def _other(self, kind: str, row: dict[str, Any]) -> bool:
        """Insert the row unless an equal one exists; return whether it was inserted."""
        for name in {"item", "left_item", "right_item"} & row.keys():
            row[name] = self._ids.get(row[name], row[name])
        for name in {"annotator", "changed_by"} & row.keys():
            row[name] = pseudonyms.known_as(self._db, row[name])
            pseudonyms.remember_annotator(self._db, row[name])
        table, names = TABLES[kind][0], list(row)
        known = " AND ".join(f"{name} IS ?" for name in names if name != "content")
        there = [value for name, value in row.items() if name != "content"]
        if self._db.execute(f"SELECT 1 FROM {table} WHERE {known}", there).fetchone():
            return False
        cursor = self._db.execute(
            f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
            list(row.values()),
        )
        return cursor.rowcount > 0

    def _here(self, row: dict[str, Any]) -> dict[str, Any]:
        """Copy the row with this database's ID of its item."""
        id = self._ids.get(row["item"], row["item"])
        if not self._db.execute("SELECT 1 FROM annotation_items WHERE id = ?", (id,)).fetchone():
            raise ValueError(f"item {id} was removed meanwhile")
        return {**row, "item": id}


def _judged(item: Item) -> Item:
    """Remove the fields that earlier versions did not store."""
    return replace(item, dropped=0, uncited=())


def _said(row: Iterable[Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return the row as a mapping with decoded labels: earlier versions encoded the same labels with fewer fields."""
    values = dict(zip(names, row, strict=True))
    return {**values, "labels": values["labels"] and labels_from_json(json.loads(values["labels"]))}


def _settle(db: Connection, item: str, annotator: str) -> None:
    """Update the task and the counts to the newest version; raise a quota that is lower than the number of labels."""
    state = db.execute(
        "SELECT action, seconds FROM annotation_labels WHERE item = ? AND annotator = ? ORDER BY version DESC LIMIT 1",
        (item, annotator),
    ).fetchone()
    db.execute(
        "INSERT INTO annotation_tasks (annotator, item, state, seconds) "
        "VALUES (:annotator, :item, :state, :seconds) "
        "ON CONFLICT (annotator, item) DO UPDATE SET state = :state, seconds = :seconds, expires = NULL",
        {
            "annotator": annotator,
            "item": item,
            "state": "open" if state[0] == "undone" else state[0],
            "seconds": state[1],
        },
    )
    db.execute(
        "UPDATE annotation_items SET done = (SELECT count(*) FROM annotation_tasks WHERE item = :item AND "
        "state = 'submitted') WHERE id = :item",
        {"item": item},
    )
    db.execute("UPDATE annotation_items SET quota = max(quota, done) WHERE id = ?", (item,))
