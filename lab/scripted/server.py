"""A local OpenAI-compatible server that replays scripted replies at a set pace, over real HTTP.

It fails the way real servers do (wrong key, unknown model, prompt too long, rate limit, a stall in the middle of a
reply …) and records each request and when its client went away. Tests and benchmarks use it in place of a model.
"""

from __future__ import annotations

import json
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

from lab.scripted.model import tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scripted:
    when: str = ""
    """Only for requests in whose messages this text occurs."""
    repeats: bool = False
    """Serves any number of requests, not one."""


@dataclass(frozen=True, slots=True)
class Reply(_Scripted):
    """A reply streamed token by token, whole or up to a mishap."""

    text: str | Callable[[list[dict[str, Any]]], str]
    """The reply, or what makes it from the request's messages."""
    first_token: float = 0.0
    """Seconds of silence before the first token, after the response's head."""
    head: float = 0.0
    """Seconds of silence before the response's head."""
    reasoning: str = ""
    """Sent first, as ``reasoning_content``."""
    after_reasoning: float = 0.0
    """Seconds of silence between reasoning and text."""
    stops_after: int | None = None
    """Number of tokens after which ``mishap`` happens."""
    mishap: Literal["stall", "error", "cut"] = "stall"
    """Silence until the client leaves, an ``{"error": …}`` in the stream, or a closed connection."""
    has_usage: bool = True
    finish: str | None = "stop"
    """The ``finish_reason``; ``length`` where the request's limit of tokens is reached."""


@dataclass(frozen=True, slots=True)
class Failure(_Scripted):
    """A reply with an error status."""

    status: int
    message: str = "scripted failure"
    code: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Raw(_Scripted):
    """A response byte for byte, to imitate what other servers send."""

    body: bytes | Callable[[dict[str, Any]], bytes]
    """The body, or what makes it from the request; the connection is closed behind it."""
    content_type: str = "text/event-stream"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    piece: int = 0
    """Bytes that are sent at a time; 0: all at once."""
    pause: float = 0.0
    """Seconds of silence before each piece but the first."""


@dataclass(frozen=True, slots=True)
class Deciding(_Scripted):
    """A reply that depends on more of the request than its text, such as its parameters or its key."""

    decide: Callable[[Request], Reply | Failure | Raw]


Scripted = Reply | Failure | Raw | Deciding


@dataclass(slots=True)
class Request:
    """One request as the server saw it; changes while it is being served."""

    path: str
    body: dict[str, Any]
    headers: Mapping[str, str]
    """By their names in lower case."""
    arrived: float
    """``time.monotonic()``, as all times here."""
    tokens_sent: int = 0
    ended: float | None = None
    """When the whole reply was out."""
    disconnected: float | None = None
    """When the client was seen to have left before the end."""

    @property
    def authorization(self) -> str | None:
        return self.headers.get("authorization")


class _Http(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report what went wrong with a request, but not that a client has left."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@dataclass(slots=True, kw_only=True)
class ScriptedServer:
    """Context manager; answers at ``base_url`` while it is open.

    A request takes the first scripted reply that is left and matches it. ``script`` may be replaced at any time.
    """

    script: list[Scripted] = field(default_factory=list)
    tokens_per_second: float = 10_000.0
    models: Sequence[str] = ("scripted",)
    key: str | None = None
    """Requests without this key get status 401."""
    context: int = 100_000
    """Prompts of more tokens get status 400, ``context_length_exceeded``."""
    rejects: Sequence[str] = ()
    """Parameters that this server does not know, such as ``stream_options``: status 400."""
    requests: list[Request] = field(default_factory=list)
    """Chat completions asked for, in order of arrival."""
    _http: ThreadingHTTPServer | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    is_closing: threading.Event = field(default_factory=threading.Event)

    @property
    def base_url(self) -> str:
        assert self._http is not None, "the server is not open"
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> Self:
        self._http = _Http(("127.0.0.1", 0), type("_Handler", (_Handler,), {"scripted": self}))
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._http is not None
        self.is_closing.set()
        self._http.shutdown()
        self._http.server_close()

    def take(self, request: Request) -> Scripted:
        """The reply for ``request``, which is recorded."""
        messages = "\n".join(str(message.get("content")) for message in request.body.get("messages", ()))
        with self._lock:
            self.requests.append(request)
            if self.key is not None and request.authorization != f"Bearer {self.key}":
                return Failure(401, f"Incorrect API key provided: {request.authorization}", "invalid_api_key")
            model = request.body.get("model")
            if model not in self.models:
                return Failure(404, f"The model `{model}` does not exist", "model_not_found")
            for name in self.rejects:
                if name in request.body:
                    return Failure(
                        400,
                        f"Unsupported parameter: '{name}' is not supported with this model",
                        "unsupported_parameter",
                    )
            if len(tokens(messages)) > self.context:
                return Failure(
                    400, f"This model's maximum context length is {self.context} tokens", "context_length_exceeded"
                )
            for reply in self.script:
                if reply.when in messages:
                    if not reply.repeats:
                        self.script.remove(reply)
                    return reply
        return Failure(500, f"no scripted reply is left for messages that end with: {messages[-200:]!r}")


class _Left(Exception):
    """The client closed the connection, or the server is closing."""


class _Handler(BaseHTTPRequestHandler):
    scripted: ScriptedServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        match self.path:
            case "/health" | "/v1/health":
                self._send_json(200, {"status": "ok"})
            case "/v1/models":
                if self.scripted.key is not None and self.headers["authorization"] != f"Bearer {self.scripted.key}":
                    self._send_json(401, {"error": {"message": "Incorrect API key provided"}})
                    return
                models = [{"id": model, "object": "model", "owned_by": "script"} for model in self.scripted.models]
                self._send_json(200, {"object": "list", "data": models})
            case _:
                self._send_json(404, {"error": {"message": f"no route {self.path}"}})

    def do_POST(self) -> None:
        sent = self.rfile.read(length := int(self.headers["content-length"]))
        if len(sent) < length:  # the client left before it had sent its request
            self.close_connection = True
            return
        body = json.loads(sent)
        if self.path.partition("?")[0] != "/v1/chat/completions":
            self._send_json(404, {"error": {"message": f"no route {self.path}"}})
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, body, headers, time.monotonic())
        reply = self.scripted.take(request)
        if isinstance(reply, Deciding):
            reply = reply.decide(request)
        try:
            if isinstance(reply, Raw):
                self._send_raw(reply, request)
            elif isinstance(reply, Failure):
                headers = {} if reply.retry_after is None else {"retry-after": f"{reply.retry_after:g}"}
                self._send_json(reply.status, {"error": {"message": reply.message, "code": reply.code}}, headers)
            else:
                self._stream(reply, request)
            request.ended = time.monotonic()
        except (_Left, OSError):
            request.disconnected = time.monotonic()
            self.close_connection = True

    def _stream(self, reply: Reply, request: Request) -> None:
        self._wait(reply.head)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        limit = request.body.get("max_tokens", request.body.get("max_completion_tokens"))
        said = tokens(reply.text if isinstance(reply.text, str) else reply.text(request.body["messages"]))
        pieces = said[:limit]
        finish = "length" if len(pieces) < len(said) else reply.finish
        self._send_event(choices=[{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}])
        self._wait(reply.first_token)
        if reply.reasoning:
            self._send_event(choices=[{"index": 0, "delta": {"reasoning_content": reply.reasoning}}])
            self._wait(reply.after_reasoning)
        started = time.monotonic()
        for number, piece in enumerate(pieces):
            if number == reply.stops_after:
                self._fail(reply.mishap)
                return
            self._wait(started + number / self.scripted.tokens_per_second - time.monotonic())
            self._send_event(choices=[{"index": 0, "delta": {"content": piece}, "finish_reason": None}])
            request.tokens_sent += 1
        self._send_event(choices=[{"index": 0, "delta": {}, "finish_reason": finish}])
        if reply.has_usage and request.body.get("stream_options", {}).get("include_usage"):
            asked = sum(len(tokens(str(message.get("content")))) for message in request.body["messages"])
            self._send_event(
                choices=[],
                usage={"prompt_tokens": asked, "completion_tokens": len(pieces), "total_tokens": asked + len(pieces)},
            )
        self._send_chunk(b"data: [DONE]\n\n")
        self._send_chunk(b"")

    def _send_raw(self, reply: Raw, request: Request) -> None:
        self.send_response(reply.status)
        for name, value in {"content-type": reply.content_type, "connection": "close", **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        body = reply.body if isinstance(reply.body, bytes) else reply.body(request.body)
        for start in range(0, len(body), reply.piece or len(body) or 1):
            self._wait(reply.pause if start else 0.0)
            self.wfile.write(body[start : start + (reply.piece or len(body))])
            self.wfile.flush()

    def _fail(self, mishap: str) -> None:
        if mishap == "stall":
            self._wait(float("inf"))
        elif mishap == "error":
            self._send_chunk(b'data: {"error": {"message": "the engine died", "code": 500}}\n\n')
            self._send_chunk(b"")
        else:
            self.close_connection = True

    def _wait(self, seconds: float) -> None:
        """Sleep, but notice at once when the client leaves."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            readable, _, _ = select.select([self.connection], [], [], max(0.0, min(left, 0.1)))
            if self.scripted.is_closing.is_set() or (readable and not self.connection.recv(1, socket.MSG_PEEK)):
                raise _Left
            if left <= 0:
                return

    def _send_event(self, **values: Any) -> None:
        event = {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": self.scripted.models[0]}
        self._send_chunk(b"data: " + json.dumps(event | values).encode() + b"\n\n")

    def _send_chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def _send_json(self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        headers = {"content-type": "application/json", "content-length": str(len(data))} | (headers or {})
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass
