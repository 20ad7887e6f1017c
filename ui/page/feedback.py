"""What the person thinks of replies and citations: the routes by which the page keeps and shows it."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import UsageError
from ui.server.access import Access, Person
from ui.server.json_routes import json_route, text_of


class Judgements:
    """``GET /conversations/ID/feedback`` and ``POST /turns/ID/feedback``: the owner's alone."""

    def __init__(self, assistant: Assistant, access: Access) -> None:
        self._assistant = assistant
        self.routes: list[Route] = [
            json_route("/conversations/{id}/feedback", "GET", access, self._list),
            json_route("/turns/{id}/feedback", "POST", access, self._judge),
        ]

    def _list(self, person: Person, request: Request, values: dict[str, Any]) -> list[dict[str, Any]]:
        return [
            {"turn": said.turn, "source": said.source, "value": said.value, "comment": said.comment}
            for said in self._assistant.feedback(request.path_params["id"], owner=person.owner)
        ]

    def _judge(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        source = values.get("source")
        if source is not None and type(source) is not int:
            raise UsageError(f"{source!r} is no number of a citation")
        self._assistant.judge(
            request.path_params["id"],
            text_of(values, "value") or None,
            owner=person.owner,
            source=source,
            comment=text_of(values, "comment"),
        )
        return {}
