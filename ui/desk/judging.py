"""What annotators ask of the desk, as JSON."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from starlette.routing import Route

from searchain.annotation.measures import counts, formula
from searchain.annotation.payloads import labels_from_json, to_json
from searchain.annotation.protocol import Item, Labels
from searchain.errors import UsageError
from storage.annotation import history
from storage.annotation.desk import Desk, Task
from storage.annotation.history import Filters
from storage.annotation.progress import mine, progress
from storage.database import Database
from storage.people.users import Role
from ui.desk import guidelines
from ui.desk.actions import action
from ui.server.access import Access, Person
from ui.server.json_routes import text_of

_MOST_PASSED = 1_000
"""Items that one request may pass over."""


class Judging:
    """The routes that every annotator may use."""

    def __init__(self, store: Database, access: Access, desk: Desk | None = None) -> None:
        self._store, self._desk = store, desk or Desk(store)
        self.routes: list[Route] = [
            action(path, method, access, Role.ANNOTATOR, act)
            for path, method, act in (
                ("me", "GET", self._me),
                ("guidelines", "GET", _guidelines),
                ("mine", "GET", self._mine),
                ("next", "POST", self._next),
                ("undo", "POST", self._undo),
                ("items/{id}/open", "POST", self._open),
                ("items/{id}/draft", "POST", self._draft),
                ("items/{id}/submit", "POST", self._submit),
                ("items/{id}/skip", "POST", self._skip),
                ("items/{id}/history", "GET", self._history),
            )
        ]

    def _me(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        return {"name": person.owner, "is_admin": person.may(Role.ADMIN), "progress": self._progress(person)}

    def _progress(self, person: Person) -> dict[str, Any]:
        return asdict(progress(self._store, person.owner))

    def _mine(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        return {"items": [asdict(one) for one in mine(self._store, person.owner)]}

    def _next(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        match values.get("without", []):
            case [*passed] if len(passed) <= _MOST_PASSED and all(isinstance(one, str) for one in passed):
                task = self._desk.next_item(person.owner, without=frozenset(passed))
            case _:
                raise UsageError("'without' is no list of items; reload the page")
        return {"task": task and as_json(task), "progress": self._progress(person)}

    def _open(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        return {"task": as_json(self._desk.open_item(person.owner, id))}

    def _draft(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        labels = labels_from_json(values.get("labels"))
        expires = self._desk.save_draft(person.owner, id, labels, seconds=_seconds(values))
        return {"lease": _left(expires), "formula": _formula(self._desk.item(id), labels)}

    def _submit(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        version = values.get("version")
        if type(version) is not int:
            raise UsageError("'version' is no number; reload the page")
        self._desk.submit(
            person.owner, id, labels_from_json(values.get("labels")), seconds=_seconds(values), version=version
        )
        return {"progress": self._progress(person)}

    def _skip(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        self._desk.skip(person.owner, id, text_of(values, "reason"), seconds=_seconds(values))
        return {"progress": self._progress(person)}

    def _undo(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        task = self._desk.undo(person.owner)
        return {"task": task and as_json(task), "progress": self._progress(person)}

    def _history(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        found = history.history(self._store, Filters(item=id, annotator=person.owner))
        return {
            "entries": [
                {
                    "version": one.version,
                    "action": one.action,
                    "created": one.created,
                    "seconds": one.seconds,
                    "comment": one.comment,
                    "labels": one.labels and to_json(one.labels),
                }
                for one in found
            ]
        }


def as_json(task: Task) -> dict[str, Any]:
    """A task as its annotator sees it: blind, and times as seconds that are left, whatever clock the browser has."""
    return {
        "item": task.item.blind(),
        "labels": to_json(task.labels),
        "state": task.state,
        "version": task.version,
        "seconds": task.seconds,
        "lease": _left(task.expires),
        "is_assigned": task.is_assigned,
        "formula": _formula(task.item, task.labels),
    }


def _guidelines(person: Person, id: str, values: dict[str, Any]) -> dict[str, str]:
    return {"version": guidelines.version(), "html": guidelines.html()}


def _formula(item: Item, labels: Labels) -> dict[str, str]:
    return formula(counts(item, labels))


def _left(expires: float | None) -> float | None:
    return None if expires is None else max(expires - time.time(), 0.0)


def _seconds(values: dict[str, Any]) -> float:
    match values.get("seconds", 0.0):
        case bool():
            pass
        case int() | float() as seconds if seconds == seconds:
            return float(min(max(seconds, 0), 1e9))
    raise UsageError("'seconds' is no number; reload the page")
