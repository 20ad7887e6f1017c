"""JSON routes for the page's scripts, and their bodies as pydantic models.

Each request is authenticated; an error is answered with one line, the first fault of a body too.
"""

import json
import math
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from searchain.errors import NotFound, SearChainError, UsageError
from ui.server.access import Access, Person, is_own
from ui.server.limits import LimitReached, Line
from ui.translation import _

_KINDS = {"string_type": "is no text", "int_type": "is no number", "bool_type": "is neither true nor false"}
"""The message for each of pydantic's error types."""


class Body(BaseModel):
    """The values of a request. Types are strict (a number in quotes is an error); unknown fields are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


Values = TypeVar("Values", bound=Body)


def _citation_number(value: Any) -> Any:
    if value is not None and type(value) is not int:
        raise ValueError(f"{value!r} is no number of a citation")
    return value


CitationNumber = Annotated[int | None, BeforeValidator(_citation_number)]
"""The number of a citation in a reply; ``None`` for the whole reply."""


def read(model: type[Values], values: Any) -> Values:
    """Check ``values`` against ``model``.

    Raises ``UsageError`` if they do not fit; the message names the first fault.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        if first["type"] == "value_error":
            raise UsageError(first["msg"].removeprefix("Value error, ")) from error
        fault = _KINDS.get(first["type"], f"cannot be read: {first['msg'].lower()}")
        raise UsageError(f"{'.'.join(map(str, first['loc']))!r} {fault}") from error


Handle = Callable[[Person, Request, Any], Any]
"""Maps person, request and body to the response's value."""


def json_route(
    path: str, method: str, access: Access, handle: Handle, body: type[Body] | None = None, *, line: Line | None = None
) -> Route:
    """Make a route that returns the result of ``handle``, called in a thread; errors are ``{"error": message}``.

    Requests that change data are accepted only from this site's pages. The body is parsed as ``body``; without this
    model, ``handle`` gets the unchecked values. Where ``handle`` may take long, it waits in a ``line``.
    """

    async def answer(request: Request) -> Response:
        person = access.person(request.headers)
        if person is None:
            return error_answer(
                401, _("Your conversations are not open to this browser: sign in again, or allow cookies.")
            )
        values: Any = {}
        if method != "GET":
            if not is_own(request.headers):
                return error_answer(403, "Requests from other sites are refused.")
            try:
                values = await request.json() if await request.body() else {}
                json.dumps(values, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                return error_answer(400, "The request holds half a character, which is no text.")
            except (ValueError, RecursionError):  # a number of very many digits is a ValueError, too
                values = None
            if not isinstance(values, dict):
                return error_answer(400, "The request holds no JSON object.")
        try:
            values = values if body is None else read(body, values)
            if line is None:
                said = await run_in_threadpool(handle, person, request, values)
            else:
                said = await line.run(request, person.owner, lambda _: handle(person, request, values))
        except LimitReached as reached:
            return busy(reached)
        except SearChainError as error:
            status = 404 if isinstance(error, NotFound) else 400 if isinstance(error, UsageError) else 500
            return error_answer(status, str(error))
        return JSONResponse(said, headers={"cache-control": "no-store"})

    return Route(path, answer, methods=[method])


def is_upload(request: Request) -> bool:
    """Return whether this site's own scripts send a file: forms of other sites cannot set this header."""
    return is_own(request.headers) and request.headers.get("x-searchain") == "upload"


def busy(reached: LimitReached) -> Response:
    """Return the JSON response that asks for another try later."""
    answer = error_answer(503, str(reached))
    answer.headers["retry-after"] = str(math.ceil(reached.wait))
    return answer


def text_of(values: dict[str, Any], name: str) -> str:
    """Return the text ``name`` of a request, ``""`` if it is missing. Raises ``UsageError`` if it is not text."""
    value = values.get(name, "")
    if not isinstance(value, str):
        raise UsageError(f"{name!r} is no text")
    return value


def error_answer(status: int, message: str) -> Response:
    """Return the JSON response for an error, which is never cached."""
    return JSONResponse({"error": message}, status, {"cache-control": "no-store"})
