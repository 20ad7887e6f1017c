"""Connections: a free port, a deadline for headers, enough file descriptors, and limits that uvicorn does not have."""

import asyncio
import resource
import socket
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from searchain.errors import SetupError

HEADER_SECONDS = 10.0
"""Seconds from the first byte of a request, or from the connection, to the end of its headers."""
_MOST = 2_000  # connections and running requests, above which others get status 503; a page that shows a run has two
_DESCRIPTORS = 16_384
_OTHER_DESCRIPTORS = 256  # databases, indexes, child processes
_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Patient(H11Protocol):
    """A connection whose client must finish the headers of each request in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(HEADER_SECONDS, self._end_if_late)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._wait_no_longer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; wait for the rest of the headers if they have begun."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._wait_no_longer()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEADER_SECONDS, self._end_if_late)

    def _wait_no_longer(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end_if_late(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(_LATE)
            self.transport.close()


def limits() -> dict[str, Any]:
    """Raise the process's limit of open files as far as it may be, and return the options for ``uvicorn.Config``."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    # a received body may hold a file, too
    most = _MOST if soft == resource.RLIM_INFINITY else min(_MOST, (soft - _OTHER_DESCRIPTORS) // 2)
    return {"http": Patient, "limit_concurrency": max(most, 64)}


def apply(config: Any) -> None:
    """Set the limits in the ``uvicorn.Config`` of a server that Gradio has started."""
    options = limits()
    config.limit_concurrency, config.http_protocol_class = options["limit_concurrency"], options["http"]


def check_free(host: str, port: int) -> None:
    """Raise ``SetupError``, with the number of a free port, if ``port`` cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        with socket.socket(family) as probe:
            probe.bind(("", 0))
            free = probe.getsockname()[1]
        what = (error.strerror or str(error)).lower()
        raise SetupError(
            f"cannot serve on {host}:{port} ({what}); stop what listens there, or take a free port: --port {free} "
            f"(with make: ARGS='--port {free}')"
        ) from error
