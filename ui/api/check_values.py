"""The body of a request to check a text, and the forms of its response."""

import json
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from searchain.events import SentenceBound, Turn
from searchain.turn_json import as_json
from storage.collections.places import Places
from storage.log.runs import Started
from ui.api.openai_body import Refused


class CheckRequest(BaseModel):
    """A text, and the collections that it is held against."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    text: str
    collections: list[str] = []
    stream: bool = False


def read(body: bytes) -> CheckRequest:
    """Parse and check the body of a request.

    Raises:
        Refused: the body is not a valid request; the message says why.
    """
    try:
        return CheckRequest.model_validate(json.loads(body))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"])) or "the body"
        raise Refused(
            f"{field} is missing or of a wrong type; "
            'wanted: {"text": text, "collections": [names], "stream": true or false}',
            param=field,
        ) from error
    except (ValueError, RecursionError):
        raise Refused("the body is not JSON") from None


@dataclass(frozen=True, slots=True)
class Report:
    """A checked text: one object, or server-sent events, one for each sentence and the object at the end."""

    started: Started
    places: Places

    def sentence(self, event: SentenceBound, turn: Turn) -> str:
        """Return the event of a sentence just judged, with the sources that it cites."""
        whole = self.whole(turn)
        sources = [one for one in whole["sources"] if one["number"] in event.sentence.citations]
        return _sent({"type": "sentence", "sentence": whole["sentences"][-1], "sources": sources})

    def end(self, turn: Turn) -> str:
        return _sent({"type": "result"} | self.whole(turn)) + "data: [DONE]\n\n"

    def failed(self, message: str) -> str:
        return _sent({"error": {"message": message, "type": "server_error"}})

    def whole(self, turn: Turn) -> dict[str, Any]:
        """Return the object of ``ask --json``, of a checked text."""
        ids = self.started
        return as_json(turn, conversation=ids.conversation, turn_id=ids.turn, place_of=self.places)


def _sent(values: dict[str, Any]) -> str:
    return f"data: {json.dumps(values)}\n\n"
