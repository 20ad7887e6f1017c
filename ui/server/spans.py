"""Traces of runs for OpenTelemetry: a span for each run, and below it one for each look-up and each call of a model.

They are made from the stored events of the run, and named by the semantic conventions for generative AI. Nothing is
sent unless the environment names a collector. Texts of people, models and passages are left out unless the operator
asks for them in the variable of the conventions.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import searchain.events as events
from searchain.types import Status
from searchain.version import VERSION
from storage.log.event_log import StoredEvent
from storage.log.live_runs import Watch
from storage.log.runs import Started

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanProcessor
    from opentelemetry.trace import Span

log = logging.getLogger(__name__)
_COLLECTORS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_FAREWELL = 2.0  # seconds for which the end of the process waits for a collector


@contextmanager
def sending() -> Iterator[Callable[[Started], Watch] | None]:
    """Send spans to the collector of the environment inside the block; ``None`` where it names none."""
    if not any(map(os.environ.get, _COLLECTORS)):
        yield None
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        log.warning("no traces are sent; run: pip install -r requirements-otel.txt -c constraints.txt")
        yield None
        return
    processor = BatchSpanProcessor(OTLPSpanExporter())
    try:
        yield watching(processor)
    finally:  # in a thread, because it waits for a collector that does not answer
        ending = threading.Thread(target=processor.shutdown, daemon=True)
        ending.start()
        ending.join(_FAREWELL)


def watching(processor: SpanProcessor) -> Callable[[Started], Watch]:
    """Return the function that gives each run its watch, whose spans go to ``processor``."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    named = {} if "OTEL_SERVICE_NAME" in os.environ else {"service.name": "searchain"}
    provider = TracerProvider(resource=Resource.create({**named, "service.version": VERSION}), shutdown_on_exit=False)
    provider.add_span_processor(processor)
    has_content = os.environ.get(_CONTENT, "").lower() in ("true", "span_only", "span_and_event")
    return lambda started: _Run(provider.get_tracer("searchain", VERSION), started, has_content).take


class _Run:
    """The spans of one run."""

    def __init__(self, tracer: Any, started: Started, has_content: bool) -> None:
        self._tracer, self._started, self._has_content = tracer, started, has_content
        self._run: Span | None = None
        self._call: Span | None = None
        self._model = self._index = self._text = ""
        self._now = self._said = 0  # nanoseconds
        self._awaited: tuple[str, int] | None = None
        """The model that may write now, and since when; it is called once something comes of it."""

    def take(self, stored: StoredEvent) -> None:
        """Begin and end the spans that an event begins and ends."""
        self._now = int(stored.time.timestamp() * 1e9)
        if self._run is None:
            ids = self._started
            known: dict[str, Any] = {"gen_ai.conversation.id": ids.conversation, "searchain.turn": ids.turn}
            self._run = self._begin("invoke_agent", "searchain", known)
        match event := stored.event:
            case events.RunStarted():
                self._model, self._index = event.model, event.index
                self._run.set_attributes(_of_model(event.model) | {"gen_ai.agent.name": event.system})
                self._quote(self._run, "gen_ai.input.messages", "user", event.question)
            case events.ChainDelta() | events.ThoughtDelta() | events.ReplyDelta():
                self._heard()
                self._text += event.text
            case events.RoundStarted() | events.TracingStarted() | events.ReviewStarted():
                self._end_call()
                if getattr(event, "writer", "model") == "model":  # else the program writes the reply
                    self._awaited = getattr(event, "model", self._model), self._now
            case events.ReplyReviewed():
                self._heard()
                self._end_call()
            case events.Searched():
                known = {"gen_ai.data_source.id": self._index, "searchain.hits": len(event.hits)}
                known |= {"gen_ai.retrieval.query.text": event.query} if self._has_content else {}
                start = self._now - int(event.seconds * 1e9)
                self._begin("retrieval", "passages", known, start).end(self._now)
            case events.ModelFault():
                self._heard()
                self._fail(self._call, event.type, event.what)
            case events.RunFinished():
                self._end_call()
                self._finish(self._run, event)

    def _begin(self, operation: str, what: str, known: dict[str, Any], start: int | None = None) -> Span:
        """Begin a span below that of the run."""
        from opentelemetry import trace

        span: Span = self._tracer.start_span(
            f"{operation} {what}",
            trace.set_span_in_context(self._run) if self._run else None,
            trace.SpanKind.CLIENT if operation == "chat" else trace.SpanKind.INTERNAL,
            {"gen_ai.operation.name": operation, **known},
            start_time=start or self._now,
        )
        return span

    def _heard(self) -> None:
        self._said = self._now
        if self._awaited:
            model, start = self._awaited
            self._call = self._begin("chat", model.partition(" at ")[0], _of_model(model), start)
            self._awaited = None

    def _end_call(self) -> None:
        """End the call of the model with its last words: what came after them was no work of the model."""
        if self._call:
            self._quote(self._call, "gen_ai.output.messages", "assistant", self._text)
            self._call.end(self._said)
        self._call = self._awaited = None
        self._text = ""

    def _finish(self, run: Span, event: events.RunFinished) -> None:
        tokens = {"input": event.usage.prompt_tokens, "output": event.usage.completion_tokens}
        run.set_attributes({f"gen_ai.usage.{kind}_tokens": number for kind, number in tokens.items()})
        run.set_attributes({"searchain.status": event.status, "searchain.outcome": event.outcome or ""})
        self._quote(run, "gen_ai.output.messages", "assistant", event.final_answer)
        if event.status is Status.FAILED:
            self._fail(run, event.status.value, event.message)
        run.end(self._now)

    def _fail(self, span: Span | None, kind: str, message: str) -> None:
        from opentelemetry.trace import StatusCode

        if span:  # else the service made somebody wait before it was called
            span.set_attribute("error.type", kind)
            span.set_status(StatusCode.ERROR, message if self._has_content else None)

    def _quote(self, span: Span, name: str, role: str, text: str) -> None:
        if self._has_content:
            span.set_attribute(name, json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}]))


def _of_model(name: str) -> dict[str, str]:
    """Return the attributes of a model that people know as ``gpt-x at api.example.org``."""
    model, _, host = name.partition(" at ")
    place = {"gen_ai.provider.name": host, "server.address": host} if host else {"gen_ai.provider.name": "searchain"}
    return {"gen_ai.request.model": model, **place}
