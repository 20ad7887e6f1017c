"""Export of the desk as JSON Lines: items, every version of every label, and gold labels.

    {"format": "searchain-annotation", "version": 1, "item": {…}, "digest", "turn", "quota", "created", "withdrawn"}
    {"format": "searchain-annotation", "version": 1, "label": {"item", "annotator", "version", "action", …}}
    {"format": "searchain-annotation", "version": 1, "gold": {"item", "adjudicator", "based_on", "labels", …}}

    {… "study": {"action", "content", "hash", "reason", "changed_by", "created"}}
    {… "guess": {"annotator", "item", "guess", "created"}}
    {… "pair": {"id", "left_item", "right_item", "quota", "created"}}
    {… "preference": {"pair", "annotator", "choice", "seconds", "comment", "created"}}
    {… "machine": {"item", "judge", "labels", "created"}}

An item's line comes before those that name it. ``arriving`` reads the lines and ``merging`` stores them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
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
PAIR = ("id", "left_item", "right_item", "quota", "created")
PREFERENCE = ("pair", "annotator", "choice", "seconds", "comment", "created")
MACHINE = ("item", "judge", "labels", "created")
GOLD = ("item", "adjudicator", "based_on", "guidelines", "labels", "comment", "created")


def write(store: Database, names: Names) -> Iterator[str]:
    """Write each item, label, decision and other row as one line; ``names`` converts the names of people."""
    with store.reading() as db:
        for content, *row in db.execute(f"SELECT content, {', '.join(ITEM)} FROM annotation_items ORDER BY number"):
            yield _line({"item": json.loads(content), **dict(zip(ITEM, row, strict=True))})
        for row in db.execute(f"SELECT {', '.join(LABEL)} FROM annotation_labels ORDER BY number"):
            label = dict(zip(LABEL, row, strict=True))
            yield _line(
                {
                    "label": {
                        **label,
                        "annotator": names(label["annotator"]),
                        "labels": json.loads(label["labels"]) if label["labels"] else None,
                    }
                }
            )
        for row in db.execute(f"SELECT {', '.join(GOLD)} FROM annotation_gold ORDER BY number"):
            gold = dict(zip(GOLD, row, strict=True))
            based_on = [[names(annotator), version] for annotator, version in json.loads(gold["based_on"])]
            yield _line(
                {
                    "gold": {
                        **gold,
                        "adjudicator": names(gold["adjudicator"]),
                        "based_on": based_on,
                        "labels": json.loads(gold["labels"]),
                    }
                }
            )

        shown = {name.casefold(): names(name) for (name,) in db.execute("SELECT name FROM annotators")}
        for row in db.execute(f"SELECT {', '.join(STUDY)} FROM annotation_studies ORDER BY number"):
            study = dict(zip(STUDY, row, strict=True))
            content = without_names(from_json(json.loads(study["content"])), shown)
            by = shown.get(study["changed_by"].casefold(), study["changed_by"])
            yield _line({"study": {**study, "changed_by": by, "content": asdict(content)}})
        for row in db.execute(f"SELECT {', '.join(GUESS)} FROM annotation_guesses ORDER BY created, annotator, item"):
            guess = dict(zip(GUESS, row, strict=True))
            yield _line({"guess": {**guess, "annotator": names(guess["annotator"])}})
        for row in db.execute(f"SELECT {', '.join(PAIR)} FROM annotation_pairs ORDER BY number"):
            yield _line({"pair": dict(zip(PAIR, row, strict=True))})
        for row in db.execute(f"SELECT {', '.join(PREFERENCE)} FROM annotation_preferences ORDER BY number"):
            said = dict(zip(PREFERENCE, row, strict=True))
            yield _line({"preference": {**said, "annotator": names(said["annotator"])}})
        for row in db.execute(f"SELECT {', '.join(MACHINE)} FROM annotation_machines ORDER BY number"):
            machine = dict(zip(MACHINE, row, strict=True))
            yield _line({"machine": {**machine, "labels": json.loads(machine["labels"])}})


def _line(values: dict[str, Any]) -> str:
    return json.dumps({"format": FORMAT, "version": VERSION, **values}, ensure_ascii=False) + "\n"
