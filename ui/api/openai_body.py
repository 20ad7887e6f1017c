"""The body of a request to OpenAI's API as pydantic models, and the error for an invalid body."""

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, ConfigDict, Field, InstanceOf, ValidationError

from searchain.types import Exchange
from storage.log.conversations import title
from ui.server.json_routes import Body

MODEL = "searchain"
"""The name of SearChain's model in the API, with any language model; ``searchain/NAME`` is a method or a collection."""
WITH_SOURCES = "searchain+sources"
"""The same model with the sources appended to the text, for clients that show only text."""
SOURCES = "\n\nSources:\n"
"""The line between a reply and its sources."""
REPLACED = "\n\n(This reply could not be used; another one follows.)\n\n"
"""The line between a streamed reply and the one that replaces it."""
RESPONSE = "resp_"
"""What the ID of a response puts before the ID of its turn."""
MAX_BODY = 500_000
"""The most bytes of a request."""
_ROLE = Literal["system", "developer", "user", "assistant", "tool", "function"]
_WANTED = {"model_type": "an object", "bool_type": "true or false"}
"""The message for pydantic's error types; values of the others must be short text."""
_TEXT = "replies are text; leave it out, or ask for the type 'text'"
_TOOLS = "no tools are called here; leave it out"
_REFUSED: dict[str, tuple[tuple[Any, ...], str]] = {
    "response_format": ((None, {"type": "text"}), _TEXT),
    "text.format": ((None, {"type": "text"}), _TEXT),
    "tools": ((None, []), _TOOLS),
    "tool_choice": ((None, "none"), _TOOLS),
    "functions": ((None, []), _TOOLS),
    "function_call": ((None, "none"), _TOOLS),
}
"""Parameters that change what a reply is, with the values that are accepted, and why others are not."""


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
        self.status, self.headers = status, headers or {}
        self.body = error(message, status, param=param, code=code)


def error(message: str, status: int, *, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    """Return an error in the form of OpenAI's API."""
    usual = "server_error" if status >= 500 else "invalid_request_error"
    type = {401: "authentication_error", 429: "rate_limit_error"}.get(status, usual)
    return {"error": {"message": message, "type": type, "param": param, "code": code}}


class Part(Body):
    """A part of a message."""

    type: Literal["text", "input_text", "output_text"]
    text: InstanceOf[str]  # half characters in what was said before are replaced, not refused


class Message(Body):
    """One message of the conversation."""

    role: _ROLE
    content: InstanceOf[str] | list[Part] | None = None

    @property
    def text(self) -> str:
        """The whole text; parts are joined by line breaks."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content or ())


class StreamOptions(Body):
    """Options of a streamed response."""

    include_usage: bool | None = None


_Name = Annotated[str, Field(max_length=200)]  # a limit also refuses half characters, which could not be looked up


class Metadata(Body):
    """The client's own values; two of them have a meaning here."""

    model_config = ConfigDict(extra="allow")

    collection: _Name | None = None
    """The collection of own documents to search."""
    conversation: _Name | None = None
    """The conversation to continue."""


def _known_model(value: Any) -> Any:
    is_known = isinstance(value, str) and value.partition("/")[0] in (MODEL, WITH_SOURCES)
    return value if is_known else MODEL


def _id(value: Any) -> Any:
    return value.get("id") if isinstance(value, dict) else value


class Asked(Body):
    """A request: its last user message is the question. System messages and sampling parameters are ignored."""

    messages: list[Message] = Field(min_length=1)
    model: Annotated[str, BeforeValidator(_known_model)] = MODEL
    """``MODEL`` or ``WITH_SOURCES``, with ``/NAME`` if the request names one; any other name means ``MODEL``."""
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    metadata: Annotated[Metadata, BeforeValidator(lambda value: {} if value is None else value)] = Metadata()
    instructions: Any = None
    conversation: Annotated[_Name | None, BeforeValidator(_id)] = None
    previous_response_id: _Name | None = None

    @property
    def question(self) -> str:
        return self.messages[self._last].text

    @property
    def history(self) -> tuple[Exchange, ...]:
        """All answered questions before it, as the client sent them."""
        return _history([(message.role, message.text) for message in self.messages[: self._last]])

    @property
    def _last(self) -> int:
        return max(place for place, message in enumerate(self.messages) if message.role == "user")

    @property
    def name(self) -> str:
        """The method or collection in the model's name, as in ``searchain/self-ask``."""
        return self.model.partition("/")[2]

    @property
    def wants_sources(self) -> bool:
        return self.model.partition("/")[0] == WITH_SOURCES

    @property
    def wants_usage(self) -> bool:
        return bool(self.stream_options and self.stream_options.include_usage)

    @property
    def previous(self) -> str | None:
        """The response to continue from, by the ID of its turn."""
        return self.previous_response_id and self.previous_response_id.removeprefix(RESPONSE)


def asked(body: bytes, field: str = "messages") -> Asked:
    """Parse and check the body of a request whose messages are in ``field``.

    ``input`` of a request for a response may also be the question itself, and hold other items than messages. Raises
    ``Refused`` if the body is not a valid request; the message says why.
    """
    try:
        values = json.loads(body, parse_constant=lambda name: None)  # NaN could not be sent back
    except (ValueError, RecursionError):
        raise Refused("the body is not JSON") from None
    if not isinstance(values, dict):
        raise Refused("the body is not a JSON object")
    _check_abilities(values)
    if field == "input":
        values["messages"] = _messages(values.get("input"))
    try:
        request = Asked.model_validate(values)
    except ValidationError as error:
        raise _refused(error, field) from error
    if all(message.role != "user" for message in request.messages):
        raise Refused("there is no message with the role 'user', which would be the question", param=field)
    return request


class CheckRequest(Body):
    """A text to check, and the collections that it is held against."""

    text: str
    collections: list[str] = []
    stream: bool = False


def read_check(body: bytes) -> CheckRequest:
    """Parse the body of a request to check a text. Raises ``Refused`` if it is not a valid request."""
    try:
        return CheckRequest.model_validate(json.loads(body))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"])) or "the body"
        wanted = '{"text": text, "collections": [names], "stream": true or false}'
        raise Refused(f"{field} is missing or of a wrong type; wanted: {wanted}", param=field) from error
    except (ValueError, RecursionError):
        raise Refused("the body is not JSON") from None


def _check_abilities(values: dict[str, Any]) -> None:
    text = values.get("text")
    found = {**values, "text.format": text.get("format") if isinstance(text, dict) else None}
    for name, (accepted, message) in _REFUSED.items():
        if found.get(name) not in accepted:
            raise Refused(f"{name} is not supported: {message}", param=name, code="unsupported_parameter")


def _messages(input: Any) -> Any:
    """Return ``input`` as messages; calls of tools, their results and thoughts are left out."""
    if isinstance(input, str):
        return [{"role": "user", "content": input}]
    if not isinstance(input, list):
        return input
    return [
        item
        for item in input
        if not isinstance(item, dict) or "role" in item or item.get("type", "message") == "message"
    ]


def _refused(error: ValidationError, field: str) -> Refused:
    first = error.errors(include_url=False, include_context=False)[0]
    where, kind = first["loc"], first["type"]
    if where[0] != "messages":
        name = ".".join(map(str, where))
        return Refused(f"{name} must be {_WANTED.get(kind, 'short text')}", param=name)
    if len(where) < 2:
        form = "text, or a list with at least one message" if field == "input" else "a list with at least one message"
        return Refused(f"{field} must be {form}", param=field)
    place = f"{field}[{where[1]}]"
    if len(where) == 2 or where[2] == "role":
        return Refused(f"{place} must be an object with a role out of {', '.join(get_args(_ROLE))}", param=place)
    if any(len(one["loc"]) > 4 and one["loc"][:3] == where[:3] for one in error.errors(include_url=False)):
        return Refused(f"the content of {place} has a part that is no text; only text is understood", param=place)
    return Refused(f"the content of {place} must be text or a list of parts", param=place)


def _history(said: Sequence[tuple[str, str]]) -> tuple[Exchange, ...]:
    """Return each answered user message with its reply, both as they are stored."""
    pairs: list[Exchange] = []
    waiting = None
    for role, text in said:
        text = text.encode("utf-8", "replace").decode()  # half a character could not be stored or sent on
        if role == "user":
            waiting = text.replace("\r\n", "\n").replace("\r", "\n").strip()
        elif role == "assistant" and waiting is not None and text.strip():
            reply = text.rpartition(REPLACED)[2].partition(SOURCES)[0].strip()
            pairs.append(Exchange(question=waiting, answer=reply))
            waiting = None
    return tuple(pairs)


_TASK = "### Task:"
_ASKS = re.compile(r'\{\s*"(title|tags|follow_ups|queries|text|prompt)"\s*:')
"""The form of the JSON object that a task asks for, by its first name."""
_HISTORY = "<chat_history>"
_SAID = re.compile(r"\s*USER: (.*?)(?:\nASSISTANT: |\s*</chat_history>|\Z)", re.DOTALL)
"""The first question in the history."""


def task_reply(message: str) -> str | None:
    """Return the JSON that a task asks for: a title from the question, else nothing. ``None`` for a question.

    >>> task_reply('### Task:\\nGenerate tags.\\n{ "tags": ["tag1"] }\\n<chat_history>\\nUSER: Who?\\n</chat_history>')
    '{"tags": []}'
    """
    order, history, said = message.partition(_HISTORY)
    asks = _ASKS.search(order) if history and order.lstrip().startswith(_TASK) else None
    if asks is None:
        return None
    asked = _SAID.match(said)
    values: dict[str, str | list[str]] = {"title": title(asked[1]) if asked else "", "text": "", "prompt": ""}
    return json.dumps({asks[1]: values.get(asks[1], [])}, ensure_ascii=False)
