"""JSON routes for annotators and adjudicators.

No response to an adjudicator contains an annotator's name.
"""

import time
from dataclasses import asdict
from string import ascii_uppercase
from typing import Any

from starlette.routing import Route

from searchain.annotation.guided_practice import examples
from searchain.annotation.labels import labels_from_json, to_json
from searchain.annotation.protocol import GUIDELINES, default_labels
from searchain.errors import UsageError
from storage.annotation import crowd, gold, guided, history, studies
from storage.annotation.desk import Desk, Task
from storage.annotation.progress import mine, progress
from storage.database import Database
from storage.people.users import Role
from ui.desk import guidelines
from ui.desk.pages import action, allow
from ui.server.access import Access, Person
from ui.server.json_routes import text_of

_MOST_PASSED = 1_000  # the most items that one request may skip


class Judging:
    """The routes that every annotator may use."""

    def __init__(self, store: Database, access: Access, desk: Desk | None = None) -> None:
        self._store, self._desk = store, desk or Desk(store)
        self.routes: list[Route] = [
            action(path, method, access, Role.ANNOTATOR, act)
            for path, method, act in (
                ("me", "GET", self._me),
                ("guidelines", "GET", self._guidelines),
                ("mine", "GET", self._mine),
                ("next", "POST", self._next),
                ("practice", "POST", self._practice),
                ("practice/{id}", "POST", self._tried),
                ("guesses", "POST", self._guessed),
                ("undo", "POST", self._undo),
                ("items/{id}/open", "POST", self._open),
                ("items/{id}/draft", "POST", self._draft),
                ("items/{id}/submit", "POST", self._submit),
                ("items/{id}/skip", "POST", self._skip),
                ("items/{id}/history", "GET", self._history),
            )
        ]

    def _me(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        return {
            "name": person.owner,
            "is_admin": person.may(Role.ADMIN),
            "decides": person.may(Role.ADJUDICATOR),
            "may_chat": person.may(Role.CHAT),
            "progress": progress(self._store, person.owner),
        }

    def _mine(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        return {"items": mine(self._store, person.owner)}

    def _next(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        state = guided.state(self._store, person.owner)
        if state.is_due:
            return {"task": None, "practice": _shown(state), "progress": progress(self._store, person.owner)}
        passed = _passed(values)
        task = self._desk.next_item(person.owner, without=passed)
        comer = None if task else crowd.participant(self._store, person.owner)
        if comer and passed:
            task = self._desk.next_item(person.owner)  # what was left for later is part of the share
        return {
            "task": task and self._as_json(task),
            "progress": progress(self._store, person.owner),
            **({"guesses": None, "has_ended": False} if task else self._end(person, comer)),
        }

    def _end(self, person: Person, comer: crowd.Participant | None) -> dict[str, Any]:
        """Return what is asked where nothing is left to judge; a crowd person whose share is used up is finished."""
        if comer and not comer.is_through:
            return {"guesses": None, "has_ended": True}
        guesses = guided.asked(self._store, person.owner)
        if comer and not guesses:
            crowd.finish(self._store, person.owner)
        return {"guesses": guesses, "has_ended": comer is not None and not guesses}

    def _practice(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        """Record that the guidelines were read, or that an admin leaves the practice out."""
        match values.get("action"):
            case "read":
                guided.record(self._store, person.owner, "read", seconds_of(values))
            case "leave out":
                allow(person, Role.ADMIN)
                guided.record(self._store, person.owner, "left out")
            case _:
                raise UsageError("'action' is none of: read, leave out; reload the page")
        return {"practice": _shown(guided.state(self._store, person.owner))}

    def _tried(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        if not id.isdecimal() or len(id) > 4:
            raise UsageError("an example is named by its number; reload the page")
        labels = labels_from_json(values.get("labels"))
        points = guided.tried(self._store, person.owner, int(id), labels, seconds_of(values))
        return {"points": list(map(asdict, points)), "practice": _shown(guided.state(self._store, person.owner))}

    def _guessed(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        match values.get("guesses"):
            case dict() as said if len(said) <= guided.MOST and all(
                isinstance(one, str | None) for one in said.values()
            ):
                return {"kept": guided.keep(self._store, person.owner, said)}
        raise UsageError("'guesses' names no systems of replies; reload the page")

    def _open(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        guided.must_be_through(self._store, person.owner)
        return {"task": self._as_json(self._desk.open_item(person.owner, id))}

    def _draft(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        labels = labels_from_json(values.get("labels"))
        expires = self._desk.save_draft(person.owner, id, labels, seconds=seconds_of(values))
        return {"lease": _left(expires), "state": self._desk.state(person.owner, id)}

    def _submit(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        version = values.get("version")
        if type(version) is not int:
            raise UsageError("'version' is no number; reload the page")
        labels, seconds = labels_from_json(values.get("labels")), seconds_of(values)
        self._desk.submit(person.owner, id, labels, seconds=seconds, version=version)
        return {"progress": progress(self._store, person.owner)}

    def _skip(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        self._desk.skip(person.owner, id, text_of(values, "reason"), seconds=seconds_of(values))
        return {"progress": progress(self._store, person.owner)}

    def _undo(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        task = self._desk.undo(person.owner)
        return {"task": task and self._as_json(task), "progress": progress(self._store, person.owner)}

    def _history(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        told = ("version", "action", "created", "seconds", "comment")
        found = history.history(self._store, id, person.owner)
        return {
            "entries": [
                {**{name: getattr(one, name) for name in told}, "labels": one.labels and to_json(one.labels)}
                for one in found
            ]
        }

    def _as_json(self, task: Task) -> dict[str, Any]:
        """Return a task without the system's name; its lease is given in remaining seconds, not as a time."""
        about = {name: getattr(task, name) for name in ("state", "version", "seconds", "is_assigned")}
        item = studies.current(self._store).blind(task.item)
        return {"item": item, "labels": to_json(task.labels), "lease": _left(task.expires), **about}

    def _guidelines(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, str]:
        own = studies.current(self._store).guidelines
        if own:
            version = f"{GUIDELINES}, of this study"
            return {"version": version, "html": guidelines.rendered(own), "more": guidelines.html()}
        return {"version": GUIDELINES, "html": guidelines.html(), "more": guidelines.more()}


def _shown(state: guided.State) -> dict[str, Any]:
    values = asdict(state)
    if state.example is None:
        return {**values, "task": None}
    item = examples()[state.example - 1]
    task: dict[str, Any] = {"item": {**item.blind(), "id": f"example-{state.example}"}}
    task |= {"labels": to_json(default_labels(item)), "state": "open", "version": 0, "seconds": 0.0}
    return {**values, "task": task | {"lease": None, "is_assigned": True}}


def _left(expires: float | None) -> float | None:
    return None if expires is None else max(expires - time.time(), 0.0)


def seconds_of(values: dict[str, Any]) -> float:
    """Return the working time in seconds. Raises ``UsageError`` if it is not a number."""
    match values.get("seconds", 0.0):
        case bool():
            pass
        case int() | float() as seconds if seconds == seconds:
            return float(min(max(seconds, 0), 1e9))
    raise UsageError("'seconds' is no number; reload the page")


MOST = 200
"""The most replies in the list."""


class Adjudicating:
    """The routes for adjudicators and admins."""

    def __init__(self, store: Database, access: Access) -> None:
        self._store = store
        self.routes: list[Route] = [
            action("adjudicate", "GET", access, Role.ADJUDICATOR, self._list),
            action("adjudicate/{id}", "GET", access, Role.ADJUDICATOR, self._columns),
            action("adjudicate/{id}", "POST", access, Role.ADJUDICATOR, self._decide),
        ]

    def _list(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        found = [one for one in gold.disputed(self._store) if gold.is_impartial(person.owner, one.annotators)]
        return {
            "name": person.owner,
            "is_admin": person.may(Role.ADMIN),
            "items": [{**asdict(one), "annotators": len(one.annotators)} for one in found[:MOST]],  # without names
            "number": len(found),
            "decided": sum(one.state == "decided" for one in found),
        }

    def _columns(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        found = gold.columns(self._store, id)
        gold.must_be_impartial(person.owner, found.basis)
        return {
            "item": studies.current(self._store).blind(found.item),
            "state": found.state,
            "gold": found.gold and to_json(found.gold.labels) | {"reason": found.gold.reason},
            "columns": [
                {"letter": letter(place), "labels": to_json(labels)} for place, labels in enumerate(found.labels)
            ],
        }

    def _decide(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        found = gold.columns(self._store, id)
        if text_of(values, "state") != found.state:
            raise UsageError(
                "labels of this reply changed meanwhile; your decision is kept in this browser: open the "
                "reply again to compare and decide"
            )
        labels, reason = labels_from_json(values.get("labels")), text_of(values, "reason")
        gold.adjudicate(self._store, id, labels, person.owner, found.basis, reason)
        return {}


def letter(place: int) -> str:
    """Return the letter of a column: A … Z, then A2 … Z2 and so on.

    >>> [letter(place) for place in (0, 25, 26)]
    ['A', 'Z', 'A2']
    """
    times, rest = divmod(place, len(ascii_uppercase))
    return ascii_uppercase[rest] + (str(times + 1) if times else "")


def _passed(values: dict[str, Any]) -> frozenset[str]:
    match values.get("without", []):
        case [*passed] if len(passed) <= _MOST_PASSED and all(isinstance(one, str) for one in passed):
            return frozenset(passed)
    raise UsageError("'without' is no list of items; reload the page")
