"""A run in the forms of the API: a chat completion, a response of the Responses API, and a checked text."""

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from searchain.events import Event, ReplyDelta, SentenceBound, TracingStarted, Turn, Waiting
from searchain.safe_text import one_line
from searchain.turn_json import as_json, rounded
from searchain.types import Mark, Source
from storage.collections.places import Places
from storage.log.runs import Started
from ui.api import openai_body
from ui.api.openai_body import MODEL, REPLACED, RESPONSE, SOURCES, WITH_SOURCES, Asked


class Form:
    """A form in which a run is sent: server-sent events as it goes on, or one object after it."""

    def begin(self) -> str:
        """Return what is sent before the first event."""
        return ""

    def told(self, event: Event | None, turn: Turn) -> str:
        """Return what is sent for an event, after which the state is ``turn``; ``None`` is a sign of life."""
        match event:
            case None:
                return ": still at work\n\n"
            case Waiting():
                return self.waiting(event.ahead)
            case ReplyDelta() if event.text:
                return self.text(event.text)
            case TracingStarted():
                return self.again()
        return ""

    def waiting(self, ahead: int) -> str:
        """Tell how many questions are answered before this one."""
        raise NotImplementedError

    def text(self, text: str) -> str:
        """Return a piece of the reply."""
        raise NotImplementedError

    def again(self) -> str:
        """Begin the reply, which replaces what was sent before."""
        raise NotImplementedError

    def end(self, turn: Turn) -> str:
        """Return what is sent after the last event."""
        raise NotImplementedError

    def failed(self, message: str) -> str:
        """Return what is sent instead where the run did not come to its end."""
        return sse(openai_body.error(message, 500))

    def whole(self, turn: Turn) -> dict[str, Any]:
        """Return the object of a run that was not streamed."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Report(Form):
    """A checked text; one event is sent for each sentence, and the object at the end."""

    started: Started
    places: Places

    def told(self, event: Event | None, turn: Turn) -> str:
        """Return the event of a sentence just judged, with the sources that it cites."""
        if not isinstance(event, SentenceBound):
            return "" if event else ": still at work\n\n"
        whole = self.whole(turn)
        sources = [one for one in whole["sources"] if one["number"] in event.sentence.citations]
        return _data({"type": "sentence", "sentence": whole["sentences"][-1], "sources": sources})

    def end(self, turn: Turn) -> str:
        return _data({"type": "result"} | self.whole(turn)) + "data: [DONE]\n\n"

    def failed(self, message: str) -> str:
        return _data({"error": {"message": message, "type": "server_error"}})

    def whole(self, turn: Turn) -> dict[str, Any]:
        """Return the object of ``ask --json``, of a checked text."""
        ids = self.started
        return as_json(turn, conversation=ids.conversation, turn_id=ids.turn, place_of=self.places)


@dataclass
class Completion(Form):
    """A chat completion of OpenAI's API. The addition ``searchain`` has the turn's IDs, status and outcome."""

    asked: Asked
    started: Started
    created: int = field(default_factory=lambda: int(time.time()))
    _sent: int = 0  # the characters sent so far
    _begin: int = 0  # where the reply begins in them; before it stand replies that were replaced

    def begin(self) -> str:
        return self._chunk({"role": "assistant", "content": ""})

    def waiting(self, ahead: int) -> str:
        return self._chunk({}, searchain={"waiting": ahead})

    def text(self, text: str) -> str:
        self._sent += len(text)
        return self._chunk({"content": text})

    def again(self) -> str:
        text = self.text(REPLACED) if self._sent > self._begin else ""
        self._begin = self._sent
        return text

    def end(self, turn: Turn) -> str:
        added = sources(turn) if self.asked.wants_sources else ""
        text = self.text(added) if added else ""
        notes = {"annotations": self._citations(turn)}
        text += self._chunk(notes, "stop", searchain=about(turn, self.started))
        if self.asked.wants_usage:
            text += sse({**self._head("chat.completion.chunk"), "choices": [], "usage": self._usage(turn)})
        return text + "data: [DONE]\n\n"

    def whole(self, turn: Turn) -> dict[str, Any]:
        content = turn.answer + (sources(turn) if self.asked.wants_sources else "")
        message = {"role": "assistant", "content": content, "refusal": None, "annotations": self._citations(turn)}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        more = {"usage": self._usage(turn), "searchain": about(turn, self.started)}
        return {**self._head("chat.completion"), "choices": [choice], **more}

    def _head(self, kind: str) -> dict[str, Any]:
        id = f"chatcmpl-{self.started.turn}"
        return {"id": id, "object": kind, "created": self.created, "model": self.asked.model}

    def _chunk(self, delta: dict[str, Any], finish_reason: str | None = None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        return sse({**self._head("chat.completion.chunk"), "choices": [choice], **more})

    def _citations(self, turn: Turn) -> list[dict[str, Any]]:
        places = (url_citation(mark, source, self._begin) for mark, source in turn.citations())
        return [{"type": "url_citation", "url_citation": place} for place in places]

    @staticmethod
    def _usage(turn: Turn) -> dict[str, int]:
        read, written = turn.usage.prompt_tokens, turn.usage.completion_tokens
        return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def sse(values: dict[str, Any]) -> str:
    """Return a server-sent event; its name is the ``type`` of ``values``, if they have one."""
    name = f"event: {values['type']}\n" if "type" in values else ""
    return name + _data(values)


def _data(values: dict[str, Any]) -> str:
    return f"data: {json.dumps(values)}\n\n"


def url_citation(mark: Mark, source: Source, offset: int = 0) -> dict[str, Any]:
    """Return where ``[n]`` stands in the text (code points, from ``offset``), and the passage it points to."""
    where, passage = {"start_index": offset + mark.start, "end_index": offset + mark.end}, source.passage
    return {**where, "title": passage.title, "url": passage.url or "", "quote": source.quote, "number": mark.number}


def sources(turn: Turn) -> str:
    """Return the cited sources as text, each with number, title, address and quote; ``""`` without citations."""
    cited = {number for sentence in turn.sentences for number in sentence.citations}
    lines = [
        ", ".join(filter(None, (f"[{source.number}] {one_line(source.passage.title)}", source.passage.url)))
        + (f": “{one_line(source.quote)}”" if source.quote else "")
        for source in sorted(turn.sources, key=lambda one: one.number)
        if source.number in cited
    ]
    return SOURCES + "\n".join(lines) if lines else ""


def models(names: Iterable[str]) -> list[dict[str, Any]]:
    """Return the response of ``/v1/models``: SearChain without and with sources, and methods and collections."""
    ids = [MODEL, WITH_SOURCES, *(f"{MODEL}/{name}" for name in names if name != MODEL)]
    return [{"id": id, "object": "model", "created": 0, "owned_by": "searchain"} for id in ids]


def about(turn: Turn, started: Started) -> dict[str, Any]:
    """Return the field ``searchain`` of a response."""
    return {
        "conversation": started.conversation,
        "turn": started.turn,
        "status": turn.status and turn.status.value,
        "outcome": turn.outcome and turn.outcome.value,
        "probability": rounded(turn.probability),
        "conflict": [asdict(one) for one in turn.conflict],
        **{name: getattr(turn, name) for name in ("as_of", "asks", "final_answer", "message")},
    }


@dataclass
class Response(Form):
    """A response of the Responses API.

    A reply that replaces another is streamed after it, but stands alone in the events that end the text.
    """

    asked: Asked
    started: Started
    place_of: Places
    created: int = field(default_factory=lambda: int(time.time()))
    _number: int = 0  # the number of the next event
    _sent: bool = False  # whether a piece of the reply was sent

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
            "metadata": self.asked.metadata.model_dump(exclude_unset=True),
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
