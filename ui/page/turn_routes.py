"""Serve one turn to its owner: text to copy, feedback, and its tree as a picture."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import NotFound, SearChainError
from ui.exports.file_names import attachment, file_name
from ui.html import render
from ui.page.copying import FORMS
from ui.server.access import Access, Person
from ui.server.bodies import Body, CitationNumber
from ui.server.json_routes import json_route
from ui.show.side_by_side import rows
from ui.show.tree_svg import svg

PICTURE = "tree.svg"
"""Relative to the page, which may be served under any path."""


class Judgement(Body):
    """The request to rate a reply, or its citation ``source``; an empty ``value`` removes the rating."""

    value: str = ""
    source: CitationNumber = None
    comment: str = ""


class TurnRoutes:
    """The routes of single turns, for their owners only."""

    def __init__(self, assistant: Assistant, access: Access) -> None:
        self._assistant, self._access = assistant, access
        self.routes: list[Route] = [
            json_route("/turns/{id}/copy/{form}", "GET", access, self._copy),
            json_route("/conversations/{id}/feedback", "GET", access, self._feedback),
            json_route("/turns/{id}/feedback", "POST", access, self._judge, Judgement),
            json_route("/turns/{id}/beside", "GET", access, self._beside),
            Route(f"/{PICTURE}", self._picture),
        ]

    def _copy(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, str]:
        form = request.path_params["form"]
        if form not in FORMS:
            raise NotFound(f"there is no form {form!r} to copy; there are: {', '.join(FORMS)}")
        return {"text": FORMS[form](self._assistant.turn(request.path_params["id"], owner=person.owner))}

    def _beside(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, str]:
        """Render the reply beside its passages, as HTML for the page."""
        turn = self._assistant.turn(request.path_params["id"], owner=person.owner)
        return {"html": render("show/side_by_side.html", rows=rows(turn))}

    def _feedback(self, person: Person, request: Request, values: dict[str, Any]) -> list[dict[str, Any]]:
        return [
            {"turn": said.turn, "source": said.source, "value": said.value, "comment": said.comment}
            for said in self._assistant.feedback(request.path_params["id"], owner=person.owner)
        ]

    def _judge(self, person: Person, request: Request, body: Judgement) -> dict[str, Any]:
        self._assistant.judge(
            request.path_params["id"],
            body.value or None,
            owner=person.owner,
            source=body.source,
            comment=body.comment,
        )
        return {}

    async def _picture(self, request: Request) -> Response:
        """Return the tree of a turn as a picture, as far as it has grown."""
        person = self._access.person(request.headers)
        if person is None:
            return PlainTextResponse("Your conversations are not open to this browser.", 403)
        try:
            turn = await run_in_threadpool(
                self._assistant.turn, request.query_params.get("turn", ""), owner=person.owner
            )
        except SearChainError as error:
            return PlainTextResponse(str(error), 404)
        return Response(
            await run_in_threadpool(svg, turn, is_full=request.query_params.get("every") == "1"),
            media_type="image/svg+xml",
            headers={"content-disposition": attachment(file_name(turn.question, ".svg")), "cache-control": "no-store"},
        )
