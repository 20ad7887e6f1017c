"""What a person asked of a collection and its documents lack: the sheet of the documents panel, and asking again."""

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import UsageError
from searchain.types import Passage, Status
from storage.collections import access as collections
from storage.collections import lacking
from storage.collections.access import Role
from storage.database import Database
from ui.html import render
from ui.page.choices import Offers, going_on
from ui.server.access import Access, Person
from ui.server.json_routes import json_route
from ui.show.passages import excerpt

_AROUND = 100  # characters of the nearest passage; it ends at a word after twice as many


class Lacking:
    """The routes ``GET /collections/ID/lacking`` and ``POST /turns/ID/again``, which asks in the same conversation."""

    def __init__(self, store: Database, assistant: Assistant, access: Access, offers: Offers) -> None:
        self._store, self._assistant, self._access, self._offers = store, assistant, access, offers
        self.routes: list[Route] = [
            json_route("/collections/{id}/lacking", "GET", access, self._show),
            json_route("/turns/{id}/again", "POST", access, self._again),
        ]

    def _show(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, str]:
        one = collections.named(self._store, person.owner, request.path_params["id"])
        every = lacking.unanswered(self._store, one.index)
        own = [question for question in every if question.owner == person.owner]
        others = len(every) - len(own) if one.role.includes(Role.EDITOR) else 0
        groups = []
        for group in lacking.grouped(own, self._assistant.alike):
            title, turns = group[0].title, " ".join(one.turn for one in group)
            nearest = excerpt(Passage("", title, group[0].text), None, _AROUND).after
            groups.append((group, turns, title, nearest))
        return {"html": render("page/lacking.html", groups=groups, others=others, may_change=one.role != Role.READER)}

    def _again(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, str]:
        """Ask the question of a turn again, with the settings of its conversation; the new turn replaces it."""
        id, owner = request.path_params["id"], person.owner
        turn = self._assistant.turn(id, owner=owner)
        if turn.status in (None, Status.FAILED):
            raise UsageError("this question has no reply yet; open its conversation")
        conversation, _ = self._assistant.place(id, owner=owner)
        choices = going_on(self._assistant.conversation(conversation, owner=owner).settings, [turn.index], self._offers)
        start = partial(
            self._assistant.start,
            turn.question,
            conversation=conversation,
            owner=owner,
            settings=choices.settings(),
            index=turn.index,
            model=choices.model,
            history=self._assistant.history(conversation, owner=owner, before=id),
            replaces=id,
        )
        self._access.start(person, request.client.host if request.client else None, start)
        return {"conversation": conversation}
