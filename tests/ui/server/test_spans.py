"""Traces of runs: the names of OpenTelemetry's conventions, nobody's words, and no run waits for a collector."""

import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest

from assistant import Assistant
from searchain.events import ChainDelta, Event, ModelFault, ReviewStarted, RunFinished, RunStarted, TracingStarted
from searchain.settings import Settings
from searchain.types import Status, Usage
from storage.database import Database
from tests.support import shell
from tests.support.browser import free_port
from tests.support.stories import QUESTION, ending, nintendo
from tests.support.story_runs import StoryPlayer
from ui.server import spans

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
SECRET = "The model said: Kyoto is secret"
# its threads go on for a while after a test, and tell that nobody answers
logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (ENDPOINT, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", CONTENT, "OTEL_SERVICE_NAME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def traced(store: Database) -> Callable[..., dict[str, Any]]:
    """A function that plays a story and returns its spans by name; of two with a name the last one."""
    sdk = pytest.importorskip("opentelemetry.sdk.trace.export", reason="see requirements-otel.txt")
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    def play(story: Sequence[Event]) -> dict[str, Any]:
        exporter = InMemorySpanExporter()
        watch = spans.watching(sdk.SimpleSpanProcessor(exporter))
        asked(Assistant(store, StoryPlayer(lambda question: story), Settings(), watch=watch))
        return {span.name: span for span in exporter.get_finished_spans()}

    return play


def asked(assistant: Assistant) -> None:
    assert list(assistant.follow(assistant.start(QUESTION).turn))


def story(*more: Event, end: Event | None = None) -> list[Event]:
    begin, *events, last = nintendo(QUESTION)
    assert isinstance(begin, RunStarted)
    assert isinstance(last, RunFinished)
    last = end or replace(last, usage=Usage(llm_calls=2, prompt_tokens=300, completion_tokens=40))
    return [replace(begin, model="gpt-x at api.example.org", index="default"), *events, *more, last]


def test_a_run_its_look_ups_and_its_calls_are_spans_but_none_of_a_model_that_wrote_nothing(traced):
    found = traced(story(ReviewStarted(model="larger"), ModelFault(what=SECRET, action="kept")))
    run, call = found["invoke_agent searchain"], found["chat gpt-x"]
    assert set(found) == {"invoke_agent searchain", "retrieval passages", "chat gpt-x", "chat larger"}
    assert {span.parent and span.parent.span_id for span in found.values()} == {None, run.context.span_id}
    assert len({span.context.trace_id for span in found.values()}) == 1
    known = {"operation.name": "invoke_agent", "agent.name": "searchain", "provider.name": "api.example.org"}
    known |= {"request.model": "gpt-x", "usage.input_tokens": 300, "usage.output_tokens": 40}
    ended = {"searchain.status": "answered", "searchain.outcome": "supported"}
    assert ({f"gen_ai.{name}": value for name, value in known.items()} | ended).items() <= run.attributes.items()
    assert (call.kind.name, call.attributes["gen_ai.operation.name"]) == ("CLIENT", "chat")
    look_up = found["retrieval passages"]
    assert look_up.attributes["gen_ai.data_source.id"] == "default"
    assert run.start_time <= look_up.end_time <= run.end_time
    assert run.resource.attributes["service.name"] == "searchain"
    assert found["chat larger"].attributes["error.type"] == "model_fault"
    assert [span.status.status_code.name for span in (run, found["chat larger"])] == ["UNSET", "ERROR"]
    told = [event for event in story(ModelFault(what=SECRET, action="waits")) if not isinstance(event, ChainDelta)]
    silent = [replace(event, writer="template") if isinstance(event, TracingStarted) else event for event in told]
    assert set(traced(silent)) == {"invoke_agent searchain", "retrieval passages"}


def test_nobodys_words_are_in_spans_unless_they_are_asked_for(traced, monkeypatch):
    for has_content in (False, True):
        if has_content:
            monkeypatch.setenv(CONTENT, "true")
        failed = ending(Status.FAILED, message=SECRET)
        said = "".join(span.to_json() for span in traced(story(end=failed)).values())
        for words in ("Nintendo", "Honshu", "Kyoto", SECRET):
            assert (words in said) is has_content
        assert '"error.type": "failed"' in said


def test_spans_reach_a_collector(tmp_path, monkeypatch):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="see requirements-otel.txt")
    bodies = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv(ENDPOINT, f"http://127.0.0.1:{server.server_port}")
        play(tmp_path)
        server.shutdown()
    assert [path for path, _ in bodies] == ["/v1/traces"]
    assert b"invoke_agent searchain" in bodies[0][1]


def play(folder: Path) -> tuple[float, float]:
    """Ask once, with the watch of the environment; return the seconds of the run, and those of the end."""
    store = Database(folder / "chat.db")
    with spans.sending() as watch:
        assistant, begun = Assistant(store, StoryPlayer(), Settings(), watch=watch), time.monotonic()
        asked(assistant)
        answered = time.monotonic()
    ended = time.monotonic()
    assistant.close()
    return answered - begun, ended - answered


def test_a_collector_that_does_not_answer_delays_no_run(tmp_path, monkeypatch):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="see requirements-otel.txt")
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it takes the connection and says nothing
        monkeypatch.setenv(ENDPOINT, f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "1")
        seconds, farewell = play(tmp_path)
    assert seconds < 2
    assert 1 < farewell < 4


def test_a_watch_that_fails_is_logged_once_and_the_run_goes_on(store, caplog):
    failing = MagicMock(side_effect=ValueError("broken"))
    asked(Assistant(store, StoryPlayer(), Settings(), watch=lambda started: failing))
    assert failing.call_count == 1
    assert "is not watched any more" in caplog.text


def test_without_a_collector_nothing_of_opentelemetry_is_loaded_or_sent(tmp_path):
    code = (
        "import sys\nfrom tests.ui.server.test_spans import play\nfrom pathlib import Path\n"
        f"play(Path({str(tmp_path)!r}))\n"
        "print([name for name in sys.modules if name.startswith(('opentelemetry.sdk', 'opentelemetry.exporter'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_without_the_packages_the_log_says_what_to_install(monkeypatch, caplog):
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:4318")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with caplog.at_level(logging.WARNING), spans.sending() as watch:
        assert watch is None
    assert "pip install -r requirements-otel.txt -c constraints.txt" in caplog.text


@pytest.mark.parametrize(
    ("command", "serve"),
    [(["chat"], "ui.cli.chat._serve"), (["mcp", "--http"], "ui.cli.mcp._serve_tools"), (["mcp"], "ui.cli.mcp._speak")],
)
def test_what_serves_others_is_watched(tmp_path, monkeypatch, command, serve):
    served = MagicMock()
    monkeypatch.setattr(serve, served)
    monkeypatch.setattr("ui.server.spans.sending", lambda: MagicMock(**{"__enter__.return_value": "watch"}))
    shell.told(*command, *(["--port", str(free_port())] if command != ["mcp"] else []), db=tmp_path / "chat.db")
    (named,) = (one for one in served.call_args.args if isinstance(one, dict) and "db" in one)
    assert named["watch"] == "watch"
