"""The panel “Check a text”, and the route that returns the text of a file that is put into it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from searchain.check.claims import MOST, text_of_file
from searchain.errors import DocumentRefused, SearChainError
from storage.collections.documents import readable_name
from ui.html import render
from ui.server.access import Access, Rule, keys_of_person
from ui.server.json_routes import busy, error_answer, is_upload
from ui.server.limits import LimitReached, Line

_BYTES = 20_000_000  # the longest file: a Word file with pictures may be long though its text is short
RULES = (Rule("/texts", max_body=_BYTES),)


def panel() -> Markup:
    """Render the panel, which ``static/checking.js`` opens."""
    return render("page/check.html", most=MOST)


class Texts:
    """The route ``POST /texts?name=…``: the body is a file, of which nothing is stored; its text is returned."""

    def __init__(self, access: Access) -> None:
        self._access, self._line = access, Line(at_once=1, longest=8, each=2)
        self.routes: list[Route] = [Route("/texts", self._read, methods=["POST"])]

    async def _read(self, request: Request) -> Response:
        person = self._access.person(request.headers)
        if person is None:
            return error_answer(401, "Sign in again, or allow cookies.")
        if not is_upload(request):
            return error_answer(403, "Requests from other sites are refused.")
        content, name = await request.body(), request.query_params.get("name", "")
        *_, key = keys_of_person(person, request.client.host if request.client else None)
        try:
            answer = await self._line.run(request, key, lambda _: _answer(content, readable_name(name)))
        except LimitReached as reached:
            return busy(reached)
        return answer or error_answer(408, "The request was given up.")


def _answer(content: bytes, name: str) -> Response:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "text"
        file.write_bytes(content)
        try:
            text = text_of_file(file, name)
        except SearChainError as error:
            return error_answer(400, error.reason if isinstance(error, DocumentRefused) else str(error))
    return JSONResponse({"text": text}, headers={"cache-control": "no-store"})
