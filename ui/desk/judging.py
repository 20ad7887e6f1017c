"""What annotators ask of the desk, as JSON. Who asks is taken from the session, and never from what is sent."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from searchain.annotation.measures import counts, formula
from searchain.annotation.payloads import labels_from_json, to_json
from searchain.annotation.protocol import GUIDELINES, Item, Labels
from searchain.errors import UsageError
from storage.annotation import history, mine
from storage.annotation.desk import Desk, Task
from storage.annotation.history import Filters
from storage.annotation.progress import progress
from storage.database import Database
from storage.users import Role
from ui.access import Access, Person
from ui.desk.pages import API
from ui.json_routes import json_route, text_of

_MOST_PASSED = 1_000
"""Items that one request may pass over."""
Act = Callable[[str, str, dict[str, Any]], Any]
"""Annotator, item (``""`` where the path names none) and the values sent → what is answered."""


class Judging:
    """The routes under ``/annotate/api`` that every annotator may use."""

    def __init__(self, store: Database, access: Access, desk: Desk | None = None) -> None:
        self._store, self._access, self._desk = store, access, desk or Desk(store)
        self.routes: list[Route] = [
            json_route(f"{API}/me", "GET", access, self._me),
            self._route("mine", self._mine, "GET"), self._route("next", self._next), self._route("undo", self._undo),
            self._route("items/{id}/open", self._open), self._route("items/{id}/draft", self._draft),
            self._route("items/{id}/submit", self._submit), self._route("items/{id}/skip", self._skip),
            self._route("items/{id}/history", self._history, "GET")]

    def _route(self, path: str, act: Act, method: str = "POST") -> Route:
        def handle(person: Person, request: Request, values: dict[str, Any]) -> Any:
            return act(annotator(person, request), request.path_params.get("id", ""), values)

        return json_route(f"{API}/{path}", method, self._access, handle)

    def _me(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        return {"name": annotator(person, request), "is_admin": person.may(Role.ADMIN), "guidelines": GUIDELINES,
                "progress": self._progress(person.owner)}

    def _progress(self, name: str) -> dict[str, Any]:
        return asdict(progress(self._store, name))

    def _mine(self, name: str, id: str, values: dict[str, Any]) -> dict[str, Any]:
        return {"items": [asdict(one) for one in mine.mine(self._store, name)]}

    def _next(self, name: str, id: str, values: dict[str, Any]) -> dict[str, Any]:
        match values.get("without", []):
            case [*passed] if len(passed) <= _MOST_PASSED and all(isinstance(one, str) for one in passed):
                task = self._desk.next_item(name, without=frozenset(passed))
            case _:
                raise UsageError("'without' is no list of items; reload the page")
        return {"task": task and shown(task), "progress": self._progress(name)}

    def _open(self, name: str, id: str, values: dict[str, Any]) -> dict[str, Any]:
        return {"task": shown(self._desk.open_item(name, id))}

    def _draft(self, name: str, id: str, values: dict[str, Any]) -> dict[str, Any]:
        labels = labels_from_json(values.get("labels"))
        expires = self._desk.save_draft(name, id, labels, seconds=_seconds(values))
        return {"lease": _left(expires), "formula": _formula(self._desk.item(id), labels)}

    def _submit(self, name: str, id: str, values: dict[str, Any]) -> dict[str, Any]:
        version = values.get("version")
        if type(version) is not int:
            raise UsageError("'version' is none; reload the page")
        self._desk.submit(name, id, labels_from_json(values.get("labels")), seconds=_seconds(values), version=version)
        return {"progress": self._progress(name)}

    def _skip(self, name: str, id: str, values: dict[str, Any]) -> dict[str, Any]:
        self._desk.skip(name, id, text_of(values, "reason"), seconds=_seconds(values))
        return {"progress": self._progress(name)}

    def _undo(self, name: str, id: str, values: dict[str, Any]) -> dict[str, Any]:
        task = self._desk.undo(name)
        return {"task": task and shown(task), "progress": self._progress(name)}

    def _history(self, name: str, id: str, values: dict[str, Any]) -> dict[str, Any]:
        found = history.history(self._store, Filters(item=id, annotator=name))
        return {"entries": [{"version": one.version, "action": one.action, "created": one.created,
                             "seconds": one.seconds, "comment": one.comment,
                             "labels": one.labels and to_json(one.labels)} for one in found]}


def annotator(person: Person, request: Request) -> str:
    """Under which name the person judges.

    Raises:
        UsageError: the person may not judge, or the request is one that a foreign form could send.
    """
    if not person.may(Role.ANNOTATOR):
        raise UsageError("your role does not allow this; ask an admin for the role annotator")
    if request.method != "GET" and not request.headers.get("content-type", "").startswith("application/json"):
        raise UsageError("send JSON, as the desk's own pages do")
    return person.owner


def shown(task: Task) -> dict[str, Any]:
    """A task as its annotator sees it: blind, and times as seconds that are left, whatever clock the browser has."""
    return {"item": task.item.blind(), "labels": to_json(task.labels), "state": task.state, "version": task.version,
            "seconds": task.seconds, "lease": _left(task.expires), "is_assigned": task.is_assigned,
            "formula": _formula(task.item, task.labels)}


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
