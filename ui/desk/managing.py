"""Routes for programs and files: imports, progress, report and exports; and what the judging page puts on the desk."""

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from searchain.errors import SearChainError, UsageError
from storage.annotation import import_items, progress, pseudonyms, studies
from storage.annotation import report as reports
from storage.database import Database
from storage.history import selection
from storage.people import users
from ui.desk import report_html
from ui.desk.pages import API, EXPORT, REPORT, action, allow
from ui.exports import protocol
from ui.exports.formats import LABEL_FORMATS, encoded
from ui.server.access import Access, Person, is_own
from ui.server.json_routes import error_answer

_PROTOCOL = "protocol"
_FRESH = {"cache-control": "no-store"}
_LINES = "application/x-ndjson"  # no foreign form can send it
_SAMPLES = Path(__file__).with_name("sample_answers.jsonl")


class Managing:
    """The routes under ``/annotate/api/manage``, the exports and the report, for admins."""

    def __init__(self, store: Database, access: Access) -> None:
        self._store, self._access = store, access
        self.routes: list[Route] = [
            *(
                action(path, method, access, users.Role.ADMIN, act)
                for path, method, act in (
                    ("manage", "GET", self._status),
                    ("manage/report", "GET", self._figures),
                    ("manage/turns", "POST", self._turns),
                    ("manage/samples", "POST", self._samples),
                )
            ),
            action("turns/{id}", "POST", access, users.Role.ANNOTATOR, self._turn),
            Route(f"{API}/manage/import", self._import, methods=["POST"]),
            Route(f"{EXPORT}/{{format}}", self._export, methods=["GET"]),
            Route(REPORT, self._report, methods=["GET"]),
        ]

    def _status(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        return {
            "progress": progress.progress(self._store, ""),
            "systems": progress.systems(self._store),
            "annotators": progress.annotators(self._store),
            "items": [one for one in progress.items(self._store) if one["is_there"]],
        }

    async def _import(self, request: Request) -> Response:
        person = self._access.person(request.headers)
        if person is None or not is_own(request.headers) or request.headers.get("content-type") != _LINES:
            return error_answer(403, "send the lines from the desk's own page")
        try:
            body = await request.body()
        except ClientDisconnect:  # also when the body grew beyond what the guard lets in
            return error_answer(413, "the lines did not arrive whole; send 1 MB or less at once")

        def work() -> dict[str, Any]:
            allow(person, users.Role.ADMIN)
            query = request.query_params
            quota, is_trial = quota_of(self._store, query.get("quota")), query.get("trial") == "1"
            labels = query.get("labels") or import_items.ANNOTATOR
            reading = import_items.Reading(query.get("from") or None, query.get("system") or None, labels=labels)
            lines = body.splitlines(keepends=True)
            done = import_items.file(self._store, lines, quota=quota, reading=reading, is_trial=is_trial)
            said = done.told(is_trial=is_trial)
            return _counted(done) | ({"understood": said} if said else {})

        try:
            return JSONResponse(await run_in_threadpool(work), headers=_FRESH)
        except SearChainError as error:
            return error_answer(400, str(error))

    def _turns(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        latest = values.get("latest")
        if type(latest) is not int or latest < 1:
            raise UsageError("'latest' is no number of replies; reload the page")
        own = selection.Selection(owner=person.owner)
        return _counted(import_items.turns(self._store, own, quota=studies.current(self._store).quota, latest=latest))

    def _turn(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        return {"item": import_items.own_turn(self._store, id, person.owner, quota=studies.current(self._store).quota)}

    def _samples(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        lines, quota = _SAMPLES.read_bytes().splitlines(), studies.current(self._store).quota
        return _counted(import_items.file(self._store, lines, quota=quota))

    def _figures(self, person: Person, id: str, values: dict[str, Any]) -> dict[str, Any]:
        return reports.as_json(reports.report(self._store))

    async def _export(self, request: Request) -> Response:
        name = request.path_params["format"]

        def write() -> Response:
            if name not in {_PROTOCOL, *LABEL_FORMATS}:
                return PlainTextResponse(f"There is no such format; there are: {', '.join(LABEL_FORMATS)}.", 404)
            if name == _PROTOCOL:
                packed = protocol.packed(self._store)
                return Response(packed, headers=_file("protocol.zip"), media_type="application/zip")
            format = LABEL_FORMATS[name]
            pieces = format.write(self._store, pseudonyms.names(self._store, are_hidden=_hides_names(request)))
            first = next(pieces, "")  # what goes wrong at once is told, not broken off
            kind = f"{format.media_type}; charset=utf-8"
            whole = encoded(chain([first], pieces))
            return StreamingResponse(whole, headers=_file(f"annotation{format.suffix}"), media_type=kind)

        return await self._to_admin(request, write)

    async def _report(self, request: Request) -> Response:
        def write() -> Response:
            found = reports.report(self._store, pseudonyms=_hides_names(request))
            return HTMLResponse(report_html.page(found), headers=_FRESH)

        return await self._to_admin(request, write)

    async def _to_admin(self, request: Request, write: Callable[[], Response]) -> Response:
        """Return what ``write`` returns, if an admin asks; else one line that says why not."""
        person = self._access.person(request.headers)
        if person is None or not person.may(users.Role.ADMIN):
            return PlainTextResponse("ask whoever runs this desk for the role admin", 403, _FRESH)
        try:
            return await run_in_threadpool(write)
        except SearChainError as error:
            return PlainTextResponse(str(error), 500)


def _file(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"', **_FRESH}


def _counted(done: import_items.Imported) -> dict[str, Any]:
    return {"added": done.added, "skipped": done.skipped}


def _hides_names(request: Request) -> bool:
    return request.query_params.get("pseudonyms") == "1"


def quota_of(store: Database, value: object) -> int:
    """Parse the number of annotators per reply; without a ``value`` it is the study's.

    Raises ``UsageError`` if it is not a number from 1 to 1,000.
    """
    text = str(value or "").strip()
    if not text:
        return studies.current(store).quota
    if not text.isdecimal() or len(text) > 9 or not 1 <= int(text) <= 1000:
        raise UsageError("say how many annotators judge each reply: a number from 1 to 1,000")
    return int(text)
