"""Export of the desk as JSON Lines: items, every version of every label, and gold labels.

    {"format": "searchain-annotation", "version": 1, "item": {…}, "digest", "turn", "quota", "created", "withdrawn"}
    {"format": "searchain-annotation", "version": 1, KIND: {a value for each column of the kind in ``TABLES``}}

An item's line comes before those that name it. ``arriving`` reads the lines and ``merging`` stores them.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from searchain.annotation.study import from_json, without_names
from storage.annotation.pseudonyms import Names
from storage.database import Database

FORMAT, VERSION = "searchain-annotation", 1
ITEM = ("digest", "turn", "quota", "created", "withdrawn")
LABEL = ("item", "annotator", "version", "action", "guidelines", "labels", "seconds", "comment", "created")
STUDY = ("action", "content", "hash", "reason", "changed_by", "created")
GUESS = ("annotator", "item", "guess", "created")
PRACTICE = ("annotator", "action", "example", "labels", "correct", "points", "seconds", "guidelines", "created")
CROWD = ("annotator", "created", "finished")
MACHINE = ("item", "judge", "labels", "created")
GOLD = ("item", "adjudicator", "based_on", "guidelines", "labels", "comment", "created", "reason")
TABLES = {
    "label": ("annotation_labels", LABEL, "number"),
    "gold": ("annotation_gold", GOLD, "number"),
    "study": ("annotation_studies", STUDY, "number"),
    "guess": ("annotation_guesses", GUESS, "created, annotator, item"),
    "practice": ("annotation_practice", PRACTICE, "number"),
    "machine": ("annotation_machines", MACHINE, "number"),
    "crowd": ("crowd_people", CROWD, "created, annotator"),
}
"""Kind of line → the table, its columns, and their order."""


def write(store: Database, names: Names) -> Iterator[str]:
    """Write each item, label, decision and other row as one line; ``names`` converts the names of people."""
    with store.reading() as db:
        shown = {name.casefold(): names(name) for (name,) in db.execute("SELECT name FROM annotators")}
        converted: dict[str, Callable[[Any], Any]] = {
            "annotator": names,
            "adjudicator": names,
            "changed_by": lambda name: shown.get(name.casefold(), name),
            "labels": lambda text: json.loads(text) if text else None,
            "based_on": lambda text: [[names(annotator), version] for annotator, version in json.loads(text)],
            "content": lambda text: asdict(without_names(from_json(json.loads(text)), shown)),
        }
        for content, *row in db.execute(f"SELECT content, {', '.join(ITEM)} FROM annotation_items ORDER BY number"):
            yield _line({"item": json.loads(content), **dict(zip(ITEM, row, strict=True))})
        for kind, (table, columns, order) in TABLES.items():
            for row in db.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}"):
                values = dict(zip(columns, row, strict=True))
                if kind == "practice" and values["annotator"].casefold() not in shown:
                    continue  # whoever never had a reply has no pseudonym
                said = {name: converted[name](values[name]) for name in values.keys() & converted.keys()}
                yield _line({kind: values | said})


def _line(values: dict[str, Any]) -> str:
    return json.dumps({"format": FORMAT, "version": VERSION, **values}, ensure_ascii=False) + "\n"
