"""Parses and checks the lines of ``annotate export --format jsonl`` before a transaction begins; stores nothing."""

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
from storage.annotation import items
from storage.annotation.export_jsonl import FORMAT, ITEM, TABLES, VERSION
from storage.database import Database

_ACTIONS = ("submitted", "skipped", "undone")
_IN_PRACTICE = ("read", "tried", "left out")
_CHOICES = ("left", "right", "both", "neither")  # preferences of earlier versions
_DIGEST = re.compile("[0-9a-f]{20}")


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

    def read(self, values: Mapping[str, Any]) -> Frozen | Row:
        """Parse and check one line.

        Raises:
            ValueError: its fields are invalid or contradict each other.
            UsageError: an item or labels cannot be read, or do not fit.
        """
        if values.get("version") != VERSION:
            raise ValueError("a newer version of this program wrote it")
        if isinstance(values.get("item"), dict):
            return self._frozen(values)
        checks = {"label": self._check_label, "gold": self._check_decision}
        for kind, (_, columns, _) in TABLES.items():
            if isinstance(values.get(kind), dict):
                row = _row(values[kind], columns)
                checks[kind](row) if kind in checks else self._check_other(kind, row)
                return Row(kind, row)
        raise ValueError("it holds no item, no label and no gold")

    def _check_other(self, kind: str, row: dict[str, Any]) -> None:
        if kind == "study":
            row["content"] = json.dumps(asdict(from_json(row["content"])), ensure_ascii=False)
        for name in {"item", "left_item", "right_item"} & row.keys():
            self._item(row[name])
        if kind == "machine":
            row["labels"] = _of_machine(row["labels"], self._item(row["item"]))
        if kind == "practice":
            _check_practice(row)
        if kind == "guess" and not isinstance(row["guess"], str | None):
            raise ValueError("its guess names no system")
        if kind == "preference" and row["choice"] not in _CHOICES:
            raise ValueError("its choice is none")
        if kind == "pair" and type(row["quota"]) is not int:
            raise ValueError("its quota is no number")
        if not isinstance(row.get("seconds", 0), int | float):
            raise ValueError("its seconds are no number")

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

    def _check_label(self, row: dict[str, Any]) -> None:
        item = self._item(row["item"])
        if row["action"] not in _ACTIONS or type(row["version"]) is not int or row["version"] < 1:
            raise ValueError("its action or its version is none")
        if not isinstance(row["seconds"], int | float) or not 0 <= row["seconds"] <= 1e6:
            raise ValueError(f"{row['seconds']!r} are no seconds")
        if row["action"] == "submitted":
            row["labels"] = _labels(row["labels"], item, row["guidelines"])
        elif row["labels"] is not None:
            raise ValueError("only what was submitted has labels")

    def _check_decision(self, row: dict[str, Any]) -> None:
        basis = row["based_on"]
        if not isinstance(basis, list) or not all(
            isinstance(one, list) and list(map(type, one)) == [str, int] for one in basis
        ):
            raise ValueError("its based_on is no list of pairs of annotator and version")
        row["labels"] = _labels(row["labels"], self._item(row["item"]), row["guidelines"])

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
    texts = {"item", "annotator", "adjudicator", "action", "guidelines", "comment", "created", "hash", "reason"}
    for name in (texts | {"changed_by", "id", "left_item", "right_item", "pair", "choice", "judge"}) & row.keys():
        if not isinstance(row[name], str):
            raise ValueError(f"its {name} is no text")
    if len(row.get("comment", "")) > MAX_COMMENT:
        raise ValueError(f"its comment has {len(row['comment']):,} characters; {MAX_COMMENT:,} are the most")
    datetime.fromisoformat(row["created"])
    return row


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
