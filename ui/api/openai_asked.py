"""The question in a request to OpenAI's API: what is asked, of which model, after which messages.

The small tasks that Open WebUI gives the model of a chat (a title, tags, suggestions) are answered here.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from searchain.types import Exchange
from storage.log.conversations import title
from ui.api import openai_body
from ui.api.openai_body import Refused

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


@dataclass(frozen=True, slots=True)
class Asked:
    """The question of a request and its options. System messages and sampling parameters are ignored."""

    question: str
    history: tuple[Exchange, ...]
    """All answered questions before it, as the client sent them."""
    is_streaming: bool = False
    wants_usage: bool = False
    model: str = MODEL
    """``MODEL`` or ``WITH_SOURCES``, with ``/NAME`` if the request names one; any other name means ``MODEL``."""
    collection: str | None = None
    conversation: str | None = None
    """The conversation to continue, by its ID."""
    previous: str | None = None
    """The response to continue from, by the ID of its turn."""
    instructions: Any = None
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The method or collection in the model's name, as in ``searchain/self-ask``."""
        return self.model.partition("/")[2]

    @property
    def wants_sources(self) -> bool:
        return self.model.partition("/")[0] == WITH_SOURCES


def asked(body: bytes, field: str = "messages") -> Asked:
    """Parse a request: the last user message in ``field`` is the question, earlier answered ones are the history.

    Raises:
        Refused: the body is not a valid request; the message says why.
    """
    request = openai_body.read(body, field)
    said = [(message.role, message.text) for message in request.messages]
    last = max((place for place, (role, _) in enumerate(said) if role == "user"), default=None)
    if last is None:
        raise Refused("there is no message with the role 'user', which would be the question", param=field)
    base = (request.model or "").partition("/")[0]
    return Asked(
        said[last][1],
        _history(said[:last]),
        bool(request.stream),
        bool(request.stream_options and request.stream_options.include_usage),
        request.model if request.model and base in (MODEL, WITH_SOURCES) else MODEL,
        request.metadata.collection,
        request.metadata.conversation or request.conversation,
        request.previous_response_id and request.previous_response_id.removeprefix(RESPONSE),
        request.instructions,
        request.metadata.model_dump(exclude_unset=True),
    )


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
    values: dict[str, str | list[str]] = {"title": _title(said), "text": "", "prompt": ""}
    return json.dumps({asks[1]: values.get(asks[1], [])}, ensure_ascii=False)


def _title(history: str) -> str:
    asked = _SAID.match(history)
    return title(asked[1]) if asked else ""
