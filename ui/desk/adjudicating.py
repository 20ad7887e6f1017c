"""JSON routes for adjudicators. No response contains an annotator's name."""

from __future__ import annotations

from dataclasses import asdict
from string import ascii_uppercase
from typing import Any

from starlette.routing import Route

from searchain.annotation.payloads import labels_from_json, to_json
from searchain.errors import UsageError
from storage.annotation import disputes, gold, studies
from storage.database import Database
from storage.people.users import Role
from ui.desk.actions import action
from ui.server.access import Access, Person
from ui.server.json_routes import text_of

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
        found = [one for one in disputes.disputed(self._store) if gold.is_impartial(person.owner, one.annotators)]
        return {
            "name": person.owner,
            "is_admin": person.may(Role.ADMIN),
            "items": [_listed(one) for one in found[:MOST]],
            "number": len(found),
            "decided": sum(one.state == "decided" for one in found),
        }

    def _columns(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        found = disputes.columns(self._store, id)
        gold.must_be_impartial(person.owner, found.basis)
        return {
            "item": studies.current(self._store).blind(found.item),
            "state": found.state,
            "gold": found.gold and to_json(found.gold),
            "columns": [
                {"letter": letter(place), "labels": to_json(labels)} for place, labels in enumerate(found.labels)
            ],
        }

    def _decide(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        found = disputes.columns(self._store, id)
        if text_of(values, "state") != found.state:
            raise UsageError(
                "labels of this reply changed meanwhile; your decision is kept in this browser: open the "
                "reply again to compare and decide"
            )
        gold.adjudicate(self._store, id, labels_from_json(values.get("labels")), person.owner, found.basis)
        return {}


def _listed(one: disputes.Disputed) -> dict[str, Any]:
    """Return an entry of the list without the annotators' names."""
    values = asdict(one)
    del values["annotators"]
    return values


def letter(place: int) -> str:
    """Return the letter of a column: A … Z, then A2 … Z2 and so on.

    >>> [letter(place) for place in (0, 25, 26)]
    ['A', 'Z', 'A2']
    """
    times, rest = divmod(place, len(ascii_uppercase))
    return ascii_uppercase[rest] + (str(times + 1) if times else "")
