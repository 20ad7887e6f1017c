"""Request bodies as pydantic models, with one line for the first error."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from searchain.errors import UsageError

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

    Raises:
        UsageError: they do not fit; the message names the first fault.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise UsageError(_said(error)) from error


def _said(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    if first["type"] == "value_error":
        return first["msg"].removeprefix("Value error, ")
    where = ".".join(map(str, first["loc"]))
    return f"{where!r} {_KINDS.get(first['type'], 'cannot be read: ' + first['msg'].lower())}"
