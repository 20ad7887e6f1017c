"""JSON routes on which annotators compare replies side by side."""

from __future__ import annotations

from typing import Any

from starlette.routing import Route

from searchain.errors import UsageError
from storage.annotation import guided, preferences, studies
from storage.database import Database
from storage.people.users import Role
from ui.desk.actions import action
from ui.desk.judging import seconds_of
from ui.server.access import Access, Person
from ui.server.json_routes import text_of


class Preferring:
    """The routes of the page /annotate/prefer."""

    def __init__(self, store: Database, access: Access) -> None:
        self._store = store
        self.routes: list[Route] = [
            action("prefer", "POST", access, Role.ANNOTATOR, self._next),
            action("prefer/{id}", "POST", access, Role.ANNOTATOR, self._choose),
        ]

    def _next(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        guided.must_be_through(self._store, person.owner)
        pair, left = preferences.next_pair(self._store, person.owner)
        if pair is None:
            return {"pair": None, "left": 0}
        study = studies.current(self._store)
        sides = {"left": study.blind(pair.left), "right": study.blind(pair.right)}
        return {"pair": {"id": pair.id, "question": pair.left.question, **sides}, "left": left}

    def _choose(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        try:
            choice = preferences.Choice(text_of(values, "choice"))
        except ValueError:
            raise UsageError("choose one of: left, right, both, neither") from None
        preferences.prefer(
            self._store, person.owner, id, choice, seconds=seconds_of(values), comment=text_of(values, "comment")
        )
        return {}
