"""Lines of ``annotate export --format jsonl``: parsed and checked before a transaction begins, then stored in it.

Existing rows stay as they are.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from searchain.annotation.labels import MAX_COMMENT, check, item_from_json, labels_from_json, to_json, without_comment
from searchain.annotation.protocol import Item, Labels
from searchain.annotation.study import from_json
from searchain.errors import NotFound
from storage.annotation import items, pseudonyms
from storage.annotation.export_jsonl import FORMAT, GOLD, ITEM, LABEL, TABLES, VERSION
from storage.annotation.gold import REASONS
from storage.database import Connection, Database, first, insert_row, now

_ACTIONS = ("submitted", "skipped", "undone")
_IN_PRACTICE = ("read", "tried", "left out")
_LEFT_OUT = ("pair", "preference")  # kinds of lines of earlier versions
_DIGEST = re.compile("[0-9a-f]{20}")
_TEXTS = frozenset("item annotator adjudicator action guidelines comment created hash reason changed_by judge".split())
"""Columns of text."""
_PEOPLE = ("annotator", "adjudicator", "changed_by")
_KEYS = {"label": ("item", "annotator", "version"), "gold": ("item", "adjudicator", "created")}
"""Kind of row → the columns that say which one it is."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that is not an item yet."""

    item: Item
    turn: str
    labels: tuple[tuple[str, Labels], ...] = ()
    """Annotators of a judged set, and their labels."""
    guidelines: str = ""
    """The judged set, whose guidelines they followed."""
    is_gold: bool = False


@dataclass(frozen=True, slots=True)
class Frozen:
    """An item exported from another desk."""

    item: Item
    digest: str
    turn: str | None
    quota: int
    created: str
    withdrawn: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of another table of the desk, with the item IDs and the names of the file."""

    kind: str
    """A key of ``TABLES``."""
    row: dict[str, Any]


def is_ours(values: Mapping[str, Any]) -> bool:
    return values.get("format") == FORMAT


class Reader:
    """Reads the lines of one file. It checks labels and decisions against the file's items, else those of ``store``."""

    def __init__(self, store: Database) -> None:
        self._store = store
        self._items: dict[str, Item] = {}

    def read(self, values: Mapping[str, Any]) -> Frozen | Row | None:
        """Parse and check one line; return ``None`` for one of a kind that is no longer kept.

        Raises:
            ValueError: its fields are invalid or contradict each other.
            UsageError: an item or labels cannot be read, or do not fit.
        """
        if values.get("version") != VERSION:
            raise ValueError("a newer version of this program wrote it")
        if isinstance(values.get("item"), dict):
            return self._frozen(values)
        for kind, (_, columns, _) in TABLES.items():
            if isinstance(values.get(kind), dict):
                row = _row({"reason": ""} | values[kind], columns)  # earlier versions stored none of a decision
                self._check(kind, row)
                return Row(kind, row)
        if any(name in values for name in _LEFT_OUT):
            return None
        raise ValueError("it holds no item, no label and no gold")

    def _check(self, kind: str, row: dict[str, Any]) -> None:
        judged = [self._item(row["item"])] if "item" in row else []
        if not isinstance(row.get("seconds", 0), int | float):
            raise ValueError("its seconds are no number")
        match kind:
            case "label":
                _check_label(row, *judged)
            case "gold":
                _check_decision(row, *judged)
            case "study":
                row["content"] = json.dumps(asdict(from_json(row["content"])), ensure_ascii=False)
            case "machine":
                row["labels"] = _of_machine(row["labels"], *judged)
            case "practice":
                _check_practice(row)
            case "crowd" if row["finished"] is not None:
                datetime.fromisoformat(row["finished"])
            case "guess" if not isinstance(row["guess"], str | None):
                raise ValueError("its guess names no system")

    def _frozen(self, values: Mapping[str, Any]) -> Frozen:
        item = item_from_json(values["item"])
        fields: list[Any] = [values.get(name) for name in ITEM]
        digest, turn, quota, created, withdrawn = fields
        if type(quota) is not int or not 0 < quota < 10_000 or not isinstance(turn, str | None) or not item.id:
            raise ValueError("its quota, its turn or its id is none")
        if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
            raise ValueError("its digest is none")
        datetime.fromisoformat(created)
        if withdrawn is not None:
            datetime.fromisoformat(withdrawn)
        self._items[item.id] = item
        return Frozen(item, digest, turn, quota, created, withdrawn)

    def _item(self, id: str) -> Item:
        if id not in self._items:
            try:
                with self._store.reading() as db:
                    self._items[id] = items.get(db, id)
            except NotFound:
                raise ValueError(f"there is no item {id!r}, neither here nor further up in the file") from None
        return self._items[id]


def _row(values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Check the values of ``names`` and return them in this order."""
    if missing := [name for name in names if name not in values]:
        raise ValueError(f"{missing[0]!r} is missing")
    row = {name: values[name] for name in names}
    for name in _TEXTS & row.keys():
        if not isinstance(row[name], str):
            raise ValueError(f"its {name} is no text")
    if len(row.get("comment", "")) > MAX_COMMENT:
        raise ValueError(f"its comment has {len(row['comment']):,} characters; {MAX_COMMENT:,} are the most")
    datetime.fromisoformat(row["created"])
    return row


def _check_label(row: dict[str, Any], item: Item) -> None:
    if row["action"] not in _ACTIONS or type(row["version"]) is not int or row["version"] < 1:
        raise ValueError("its action or its version is none")
    if not 0 <= row["seconds"] <= 1e6:
        raise ValueError(f"{row['seconds']!r} are no seconds")
    if row["action"] == "submitted":
        row["labels"] = _labels(row["labels"], item, row["guidelines"])
    elif row["labels"] is not None:
        raise ValueError("only what was submitted has labels")


def _check_decision(row: dict[str, Any], item: Item) -> None:
    basis = row["based_on"]
    is_right = isinstance(basis, list) and all(
        isinstance(one, list) and list(map(type, one)) == [str, int] for one in basis
    )
    if not is_right:
        raise ValueError("its based_on is no list of pairs of annotator and version")
    if row["reason"] not in ("", *REASONS):
        raise ValueError(f"its reason {row['reason']!r} is none of {', '.join(REASONS)}")
    row["labels"] = _labels(row["labels"], item, row["guidelines"])


def _check_practice(row: dict[str, Any]) -> None:
    numbers = [row[name] for name in ("example", "correct", "points")]
    if row["action"] not in _IN_PRACTICE or not all(type(one) in (int, type(None)) for one in numbers):
        raise ValueError("its action or its numbers are none")
    row["labels"] = row["labels"] and without_comment(labels_from_json(row["labels"]))


def _of_machine(values: Any, item: Item) -> str:
    """Check and encode a machine's labels. Some fields may be empty: machines do not answer every question."""
    labels = labels_from_json(values)
    spans = [(one.start, one.end) for one in labels.knowledge_items]
    if not all(0 <= start < end <= len(item.answer) for start, end in spans):
        raise ValueError("a knowledge item of a machine is no stretch of the reply")
    if not {one.mark for one in labels.marks} <= {mark.index for mark in item.marks}:
        raise ValueError("a mark of a machine is not in the reply")
    return json.dumps(to_json(labels), ensure_ascii=False)


def _labels(values: Any, item: Item, guidelines: str) -> str:
    labels = replace(labels_from_json(values), comment="")
    check(labels, item, guidelines)
    return without_comment(labels)


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
            case Row(kind, row):
                return self._row(kind, dict(row))

    def _reply(self, one: Reply) -> bool:
        """Store a reply, and the labels that came with it unless their annotators judged it before."""
        db = self._db
        is_new = items.add(db, one.item, turn=one.turn, quota=self._quota)
        kind, by, columns = ("gold", "adjudicator", GOLD) if one.is_gold else ("label", "annotator", LABEL)
        for name, labels in one.labels:
            id = first(db, "SELECT id FROM annotation_items WHERE turn = ?", one.turn)[0]
            if first(db, f"SELECT 1 FROM {TABLES[kind][0]} WHERE item = ? AND {by} = ?", id, name):
                continue
            if items.get(db, id).answer != one.item.answer:
                raise ValueError("the study moves marks (normalise_marks), so that its labels would not fit the reply")
            judged = {"item": id, by: name, "labels": without_comment(labels), "comment": labels.comment}
            about = {"guidelines": one.guidelines, "created": now(), "seconds": 0.0, "action": "submitted"}
            row = judged | about | {"version": 1, "based_on": [], "reason": ""}
            self._row(kind, {column: row[column] for column in columns})
        return is_new

    def _frozen(self, one: Frozen) -> bool:
        alike = "FROM annotation_items WHERE id = ?1 OR digest = ?2 ORDER BY id = ?1 DESC"
        known = first(self._db, f"SELECT id, digest, content {alike}", one.item.id, one.digest)
        if known:
            id, digest, content = known
            if (digest, _judged(items.decoded(content))) != (one.digest, _judged(replace(one.item, id=id))):
                raise ValueError(f"item {id} is there already and differs")
            self._ids[one.item.id] = id
            return False
        if not items.add(self._db, one.item, turn=one.turn, quota=one.quota, known_as=one.digest):
            raise ValueError(f"turn {one.turn} is on the desk already, with another text")
        dates = (one.created, one.withdrawn, one.item.id)
        self._db.execute("UPDATE annotation_items SET created = ?, withdrawn = ? WHERE id = ?", dates)
        return True

    def _row(self, kind: str, row: dict[str, Any]) -> bool:
        """Insert the row, with this database's IDs and names, unless an equal one exists; return whether it is new."""
        db = self._db
        if "item" in row:
            row["item"] = self._ids.get(row["item"], row["item"])
        for name in row.keys() & set(_PEOPLE):
            row[name] = pseudonyms.known_as(db, row[name])
            pseudonyms.remember_annotator(db, row[name])
        if kind == "gold":
            pairs = [[pseudonyms.known_as(db, name), version] for name, version in row["based_on"]]
            row["based_on"] = json.dumps(pairs, ensure_ascii=False)
        if kind in _KEYS:
            if not first(db, "SELECT 1 FROM annotation_items WHERE id = ?", row["item"]):
                raise ValueError(f"item {row['item']} was removed meanwhile")
            is_there = self._is_known(kind, row)
        else:
            is_there = bool(self._like(kind, {name: value for name, value in row.items() if name != "content"}))
        if is_there:
            return False
        is_added = insert_row(db, TABLES[kind][0], row, or_ignore=kind not in _KEYS)
        if kind == "label":
            _settle(db, row["item"], row["annotator"])
        return is_added

    def _is_known(self, kind: str, row: dict[str, Any]) -> bool:
        """Return whether the same labels are stored. Raises ``ValueError`` if others have this version."""
        known = self._like(kind, {name: row[name] for name in _KEYS[kind]})
        is_there = any(_said(one) == _said(row) for one in known)
        if known and not is_there and kind == "label":
            raise ValueError(
                f"version {row['version']} of the labels of {row['annotator']} on item {row['item']} "
                "is there already and differs"
            )
        return is_there

    def _like(self, kind: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        table, columns, _ = TABLES[kind]
        where = " AND ".join(f"{name} IS ?" for name in values)
        return list(self._db.query(f"SELECT {', '.join(columns)} FROM {table} WHERE {where}", list(values.values())))


def _judged(item: Item) -> Item:
    """Remove the fields that earlier versions did not store."""
    return replace(item, dropped=0, uncited=())


def _said(row: dict[str, Any]) -> dict[str, Any]:
    """Decode the labels of a row: earlier versions encoded the same labels with fewer fields."""
    return {**row, "labels": row["labels"] and labels_from_json(json.loads(row["labels"]))}


def _settle(db: Connection, item: str, annotator: str) -> None:
    """Update the task and the counts to the newest version; raise a quota that is lower than the number of labels."""
    own = "FROM annotation_labels WHERE item = ? AND annotator = ? ORDER BY version DESC LIMIT 1"
    action, seconds = first(db, f"SELECT action, seconds {own}", item, annotator)
    state = "open" if action == "undone" else action
    query = """INSERT INTO annotation_tasks (annotator, item, state, seconds)
        VALUES (:annotator, :item, :state, :seconds)
        ON CONFLICT (annotator, item) DO UPDATE SET state = :state, seconds = :seconds, expires = NULL"""
    db.execute(query, {"annotator": annotator, "item": item, "state": state, "seconds": seconds})
    done = "SELECT count(*) FROM annotation_tasks WHERE item = :item AND state = 'submitted'"
    db.execute(f"UPDATE annotation_items SET done = ({done}) WHERE id = :item", {"item": item})
    db.execute("UPDATE annotation_items SET quota = max(quota, done) WHERE id = ?", (item,))
