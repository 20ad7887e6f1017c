"""A desk with replies on it, for tests of what annotators do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from searchain.annotation.protocol import Backing, Item, Labels, Place, default_labels, marks_of
from storage.annotation import items
from storage.database import Database
from storage.history import finished_turns
from tests.support.stored import database
from tests.support.stories import nintendo


class Clock:
    """Time that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def desk_database(path: Path, number: int = 1, quota: int = 2) -> Database:
    """A database whose desk has ``number`` replies, each to be judged by ``quota`` annotators."""
    store = database(path, *(nintendo(f"Where is Nintendo, asked for the time {n}?") for n in range(number)))
    found = [(items.of_record(record), record.turn) for record in finished_turns.records(store)]
    with store.writing() as db:
        for item, turn in found:
            assert items.add(db, item, turn=turn, quota=quota)
    return store


def judged(item: Item, support: Backing = Backing.COMPLETE, place: Place = Place.RIGHT, comment: str = "") -> Labels:
    """Labels that say the same of everything in ``item``."""
    labels = default_labels(item)
    return Labels(
        tuple(
            replace(one, support=support if marks_of(item, labels, one.id) else None) for one in labels.knowledge_items
        ),
        tuple(replace(mark, place=place) for mark in labels.marks),
        comment,
    )
