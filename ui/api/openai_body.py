"""The body of a request for a chat completion as pydantic models, and the error for an invalid body."""

from __future__ import annotations

import json
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, ValidationError, field_validator

_ROLE = Literal["system", "developer", "user", "assistant", "tool", "function"]
_SWITCHES = ("stream", "stream_options")


class Refused(Exception):
    """A refused request; ``status`` is the HTTP status of its response."""

    def __init__(
        self,
        message: str,
        status: int = 400,
        *,
        param: str | None = None,
        code: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.param, self.code, self.headers = status, param, code, headers or {}

    @property
    def body(self) -> dict[str, Any]:
        return error(str(self), self.status, param=self.param, code=self.code)


def error(message: str, status: int, *, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    """Return an error in the form of OpenAI's API."""
    type = {401: "authentication_error", 429: "rate_limit_error"}.get(status, "invalid_request_error")
    return {
        "error": {"message": message, "type": "server_error" if status >= 500 else type, "param": param, "code": code}
    }


class _Model(BaseModel):
    """The base of the models: parameters without a field are ignored, whichever service defines them."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Part(_Model):
    """A part of a message."""

    type: Literal["text"]
    text: InstanceOf[str]  # half characters in what was said before are replaced, not refused


class Message(_Model):
    """One message of the conversation."""

    role: _ROLE
    content: InstanceOf[str] | list[Part] | None = None

    @property
    def text(self) -> str:
        """The whole text; parts are joined by line breaks."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content or ())


class StreamOptions(_Model):
    """Options of a streamed response."""

    include_usage: bool | None = None


class Request(_Model):
    """The fields of a request for a chat completion that this API uses."""

    messages: list[Message] = Field(min_length=1)
    model: str | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None

    @field_validator("model", mode="before")
    @classmethod
    def _any_model(cls, value: Any) -> Any:
        return value if isinstance(value, str) else None  # any name but the known ones stands for the first


def read(body: bytes) -> Request:
    """Parse and check the body of a request.

    Raises:
        Refused: the body is not a valid request; the message says why.
    """
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused("the body is not JSON") from None
    try:
        return Request.model_validate(values)
    except ValidationError as error:
        raise _refused(error) from error


def _refused(error: ValidationError) -> Refused:
    first = error.errors(include_url=False, include_context=False)[0]
    where, kind = first["loc"], first["type"]
    if not where:
        return Refused("the body is not a JSON object")
    if where[0] in _SWITCHES:
        name = ".".join(map(str, where))
        wanted = "an object" if kind == "model_type" else "true or false"
        return Refused(f"{name} must be {wanted}", param=name)
    if len(where) < 2:
        return Refused("messages must be a list with at least one message", param="messages")
    place = f"messages[{where[1]}]"
    if len(where) == 2 or where[2] == "role":
        return Refused(f"{place} must be an object with a role out of {', '.join(get_args(_ROLE))}", param=place)
    if any(len(one["loc"]) > 4 and one["loc"][:3] == where[:3] for one in error.errors(include_url=False)):
        return Refused(f"the content of {place} has a part that is no text; only text is understood", param=place)
    return Refused(f"the content of {place} must be text or a list of parts", param=place)
