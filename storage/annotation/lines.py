"""The desk as JSON Lines, both ways: items, every version of every label, and gold.

    {"format": "searchain-annotation", "version": 1, "item": {…}, "turn", "quota", "created", "withdrawn"}
    {"format": "searchain-annotation", "version": 1, "label": {"item", "annotator", "version", "action", …}}
    {"format": "searchain-annotation", "version": 1, "gold": {"item", "adjudicator", "based_on", "labels", …}}

An item's line comes before those that name it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from searchain.annotation.checking import check
from searchain.annotation.payloads import item_from_json, labels_from_json
from searchain.annotation.protocol import Item
from storage.annotation import items, people
from storage.annotation.people import Names
from storage.database import Database

if TYPE_CHECKING:
    import sqlite_utils

FORMAT, VERSION = "searchain-annotation", 1
_ITEM = ("turn", "quota", "created", "withdrawn")
_LABEL = ("item", "annotator", "version", "action", "guidelines", "labels", "seconds", "comment", "created")
_GOLD = ("item", "adjudicator", "based_on", "guidelines", "labels", "comment", "created")
_ACTIONS = ("submitted", "skipped", "undone")


def write(store: Database, names: Names) -> Iterator[str]:
    """One line an item, entry and decision, people called as ``names`` says."""
    with store.reading() as db:
        for content, *row in db.execute(f"SELECT content, {', '.join(_ITEM)} FROM annotation_items ORDER BY number"):
            yield _line({"item": json.loads(content), **dict(zip(_ITEM, row, strict=True))})
        for row in db.execute(f"SELECT {', '.join(_LABEL)} FROM annotation_labels ORDER BY number"):
            label = dict(zip(_LABEL, row, strict=True))
            yield _line({"label": {**label, "annotator": names(label["annotator"]),
                                   "labels": json.loads(label["labels"]) if label["labels"] else None}})
        for row in db.execute(f"SELECT {', '.join(_GOLD)} FROM annotation_gold ORDER BY number"):
            gold = dict(zip(_GOLD, row, strict=True))
            based_on = [[names(annotator), version] for annotator, version in json.loads(gold["based_on"])]
            yield _line({"gold": {**gold, "adjudicator": names(gold["adjudicator"]), "based_on": based_on,
                                  "labels": json.loads(gold["labels"])}})


def is_ours(values: Mapping[str, Any]) -> bool:
    return values.get("format") == FORMAT


def read(db: sqlite_utils.Database, values: Mapping[str, Any]) -> bool:
    """Store what a line says, inside the caller's transaction; whether it is new.

    Raises:
        ValueError: it says something else than what is there, or does not hold together.
        UsageError: an item or labels cannot be read, or do not fit.
    """
    if values.get("version") != VERSION:
        raise ValueError("a newer version of this program wrote it")
    for name, add in (("item", _add_item), ("label", _add_label), ("gold", _add_gold)):
        if isinstance(values.get(name), dict):
            return add(db, values)
    raise ValueError("it holds no item, no label and no gold")


def _add_item(db: sqlite_utils.Database, values: Mapping[str, Any]) -> bool:
    item = item_from_json(values["item"])
    turn, quota, created, withdrawn = (values.get(name) for name in _ITEM)
    if type(quota) is not int or not 0 < quota < 10_000 or not isinstance(turn, str | None) or not item.id:
        raise ValueError("its quota, its turn or its id is none")
    for time in filter(None, (created, withdrawn)):
        datetime.fromisoformat(time)
    known = db.execute("SELECT content FROM annotation_items WHERE id = ?", (item.id,)).fetchone()
    if known:
        if known[0] != items.encoded(item):
            raise ValueError(f"item {item.id} is there already and differs")
        return False
    if not items.add(db, item, turn=turn, quota=quota):
        raise ValueError(f"turn {turn} is on the desk already, with another text")
    db.execute("UPDATE annotation_items SET created = ?, withdrawn = ? WHERE id = ?", (created, withdrawn, item.id))
    return True


def _add_label(db: sqlite_utils.Database, values: Mapping[str, Any]) -> bool:
    row = _row(values["label"], _LABEL)
    item = _item(db, row["item"])
    if row["action"] not in _ACTIONS or type(row["version"]) is not int or row["version"] < 1:
        raise ValueError("its action or its version is none")
    if not isinstance(row["seconds"], int | float) or not 0 <= row["seconds"] <= 1e6:
        raise ValueError(f"{row['seconds']!r} are no seconds")
    row["annotator"] = people.known_as(db, row["annotator"])
    if row["action"] == "submitted":
        row["labels"] = _labels(row["labels"], item)
    elif row["labels"] is not None:
        raise ValueError("only what was submitted has labels")
    known = db.execute(f"SELECT {', '.join(_LABEL)} FROM annotation_labels WHERE item = ? AND annotator = ? AND "
                       "version = ?", (item.id, row["annotator"], row["version"])).fetchone()
    if known:
        if list(known) != list(row.values()):
            raise ValueError(f"version {row['version']} of the labels of {row['annotator']} on item {item.id} is there "
                             "already and differs")
        return False
    db.execute(f"INSERT INTO annotation_labels ({', '.join(_LABEL)}) VALUES ({', '.join('?' * len(_LABEL))})",
               list(row.values()))
    people.know(db, row["annotator"])
    _settle(db, item.id, row["annotator"])
    return True


def _add_gold(db: sqlite_utils.Database, values: Mapping[str, Any]) -> bool:
    row = _row(values["gold"], _GOLD)
    item = _item(db, row["item"])
    basis = row["based_on"]
    if not isinstance(basis, list) or not all(isinstance(one, list) and list(map(type, one)) == [str, int]
                                              for one in basis):
        raise ValueError("its based_on is no list of pairs of annotator and version")
    row["based_on"] = json.dumps([[people.known_as(db, name), version] for name, version in basis], ensure_ascii=False)
    row["adjudicator"] = people.known_as(db, row["adjudicator"])
    row["labels"] = _labels(row["labels"], item)
    if db.execute(f"SELECT 1 FROM annotation_gold WHERE {' AND '.join(f'{name} = ?' for name in _GOLD)}",
                  list(row.values())).fetchone():
        return False
    db.execute(f"INSERT INTO annotation_gold ({', '.join(_GOLD)}) VALUES ({', '.join('?' * len(_GOLD))})",
               list(row.values()))
    people.know(db, row["adjudicator"])
    return True


def _settle(db: sqlite_utils.Database, item: str, annotator: str) -> None:
    """Bring task and counts to what the newest version says; a quota is never below the labels that are there."""
    state = db.execute("SELECT action, seconds FROM annotation_labels WHERE item = ? AND annotator = ? "
                       "ORDER BY version DESC LIMIT 1", (item, annotator)).fetchone()
    db.execute("INSERT INTO annotation_tasks (annotator, item, state, seconds) "
               "VALUES (:annotator, :item, :state, :seconds) "
               "ON CONFLICT (annotator, item) DO UPDATE SET state = :state, seconds = :seconds, expires = NULL",
               {"annotator": annotator, "item": item, "state": "open" if state[0] == "undone" else state[0],
                "seconds": state[1]})
    db.execute("UPDATE annotation_items SET done = (SELECT count(*) FROM annotation_tasks WHERE item = :item AND "
               "state = 'submitted') WHERE id = :item", {"item": item})
    db.execute("UPDATE annotation_items SET quota = max(quota, done) WHERE id = ?", (item,))


def _row(values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """The named values, in this order."""
    if missing := [name for name in names if name not in values]:
        raise ValueError(f"{missing[0]!r} is missing")
    row = {name: values[name] for name in names}
    for name in {"item", "annotator", "adjudicator", "action", "guidelines", "comment", "created"} & row.keys():
        if not isinstance(row[name], str):
            raise ValueError(f"its {name} is no text")
    datetime.fromisoformat(row["created"])
    return row


def _item(db: sqlite_utils.Database, id: str) -> Item:
    row = db.execute("SELECT content FROM annotation_items WHERE id = ?", (id,)).fetchone()
    if row is None:
        raise ValueError(f"there is no item {id!r}, neither here nor further up in the file")
    return items.decoded(row[0])


def _labels(values: Any, item: Item) -> str:
    labels = labels_from_json(values)
    check(labels, item)
    return json.dumps(values, ensure_ascii=False)


def _line(values: dict[str, Any]) -> str:
    return json.dumps({"format": FORMAT, "version": VERSION, **values}, ensure_ascii=False) + "\n"
