"""The tree as a picture to save: the route behind the link below it."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import SearChainError
from ui.server.access import Access
from ui.show.tree_svg import svg

PATH = "tree.svg"
"""Relative to the page, which may be served below another address."""


class Pictures:
    """``GET tree.svg?turn=ID``: the tree of a turn of one's own, as far as it has grown."""

    def __init__(self, assistant: Assistant, access: Access) -> None:
        self._assistant, self._access = assistant, access

    @property
    def routes(self) -> list[Route]:
        return [Route(f"/{PATH}", self._picture)]

    async def _picture(self, request: Request) -> Response:
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
            await run_in_threadpool(svg, turn),
            media_type="image/svg+xml",
            headers={"content-disposition": 'attachment; filename="tree.svg"', "cache-control": "no-store"},
        )
