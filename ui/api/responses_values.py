"""A run as a response of OpenAI's Responses API, whole or as a stream of its events."""

import time
from dataclasses import dataclass, field
from typing import Any

from searchain.events import Turn
from searchain.types import Mark, Source
from storage.collections.places import Places
from storage.log.runs import Started
from ui.api.openai_asked import REPLACED, RESPONSE, Asked
from ui.api.openai_values import Form, about, sources, sse, url_citation


@dataclass
class Response(Form):
    """A response of the Responses API.

    A reply that replaces another is streamed after it, but stands alone in the events that end the text.
    """

    asked: Asked
    started: Started
    place_of: Places
    created: int = field(default_factory=lambda: int(time.time()))
    _number: int = 0
    """The number of the next event."""
    _sent: bool = False
    """Whether a piece of the reply was sent."""

    def begin(self) -> str:
        message, part = self._message("in_progress", []), self._part("", [])
        return (
            self._event("created", response=self._response("in_progress"))
            + self._event("in_progress", response=self._response("in_progress"))
            + self._event("output_item.added", output_index=0, item=message)
            + self._event("content_part.added", **self._place, part=part)
        )

    def waiting(self, ahead: int) -> str:
        return self._event("queued", response=self._response("queued", searchain={"waiting": ahead}))

    def text(self, text: str) -> str:
        self._sent = True
        return self._event("output_text.delta", **self._place, delta=text, logprobs=[])

    def again(self) -> str:
        text = self.text(REPLACED) if self._sent else ""
        self._sent = False
        return text

    def end(self, turn: Turn) -> str:
        added = sources(turn) if self.asked.wants_sources else ""
        whole = self.whole(turn)
        item = whole["output"][0]
        part = item["content"][0]
        return (
            (self.text(added) if added else "")
            + "".join(
                self._event("output_text.annotation.added", **self._place, annotation_index=number, annotation=note)
                for number, note in enumerate(part["annotations"])
            )
            + self._event("output_text.done", **self._place, text=part["text"], logprobs=[])
            + self._event("content_part.done", **self._place, part=part)
            + self._event("output_item.done", output_index=0, item=item)
            + self._event("completed", response=whole)
        )

    def failed(self, message: str) -> str:
        error = {"code": "server_error", "message": message}
        return self._event("failed", response=self._response("failed", error=error))

    def whole(self, turn: Turn) -> dict[str, Any]:
        text = turn.answer + (sources(turn) if self.asked.wants_sources else "")
        part = self._part(text, [self._citation(mark, source) for mark, source in turn.citations()])
        read, written = turn.usage.prompt_tokens, turn.usage.completion_tokens
        return self._response(
            "completed",
            output=[self._message("completed", [part])],
            usage={
                "input_tokens": read,
                "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
                "output_tokens": written,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": read + written,
            },
            searchain=about(turn, self.started),
        )

    @property
    def _place(self) -> dict[str, Any]:
        return {"item_id": self._item, "output_index": 0, "content_index": 0}

    @property
    def _item(self) -> str:
        return f"msg_{self.started.turn}"

    def _event(self, kind: str, **values: Any) -> str:
        number, self._number = self._number, self._number + 1
        return sse({"type": f"response.{kind}", "sequence_number": number, **values})

    def _message(self, status: str, content: list[dict[str, Any]]) -> dict[str, Any]:
        return {"id": self._item, "type": "message", "role": "assistant", "status": status, "content": content}

    @staticmethod
    def _part(text: str, annotations: list[dict[str, Any]]) -> dict[str, Any]:
        return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}

    def _citation(self, mark: Mark, source: Source) -> dict[str, Any]:
        """Return the citation of an own document as one of a file, any other as one of an address."""
        values, place = url_citation(mark, source), self.place_of(source)
        if place is None:
            return {"type": "url_citation", **values}
        file = {"file_id": place["document"], "filename": place["name"] or source.passage.title, "index": mark.start}
        return {"type": "file_citation", **file, **values, "place": place}

    def _response(self, status: str, **values: Any) -> dict[str, Any]:
        return {
            "id": f"{RESPONSE}{self.started.turn}",
            "object": "response",
            "created_at": self.created,
            "status": status,
            "model": self.asked.model,
            "conversation": {"id": self.started.conversation},
            "previous_response_id": self.asked.previous and f"{RESPONSE}{self.asked.previous}",
            "instructions": self.asked.instructions,
            "metadata": self.asked.metadata,
            "output": [],
            "error": None,
            "incomplete_details": None,
            "parallel_tool_calls": False,
            "tools": [],
            "tool_choice": "none",
            "text": {"format": {"type": "text"}},
            "temperature": None,
            "top_p": None,
            "usage": None,
            **values,
        }
