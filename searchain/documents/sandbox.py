"""Run the child process on one file; report a failure as one sentence."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from searchain.documents import limits
from searchain.errors import DocumentRefused

VIEW_SECONDS = 5.0
"""Most seconds of wall time for one view of a page: somebody waits for it."""
_TICK = 0.02
_ROOT = Path(__file__).resolve().parents[2]
_PROGRAM = "import sys; sys.path.insert(0, sys.argv.pop()); from searchain.documents.child import serve; serve()"
_PARSERS = threading.BoundedSemaphore(2)
_VIEWERS = threading.BoundedSemaphore(2)
"""A separate limit from that of parsers, so that a citation opens while long files are parsed."""


def run_child(
    file: Path, request: dict[str, object], *, folder: Path | None = None, stop: threading.Event | None = None
) -> bytes:
    """Give ``file`` and ``request`` to a child process, and return the result.

    The child has no environment, an empty working folder and the limits of ``limits.py``; it is a fork of a process
    that opens no file itself. At most two parse and two view at a time; others wait. ``folder``: the working folder,
    where the child may leave files; by default a temporary one. ``stop`` ends the child when it is set. Raises
    ``DocumentRefused`` if the child refused the file, crashed or was stopped.
    """
    try:
        size = file.stat().st_size
        opened = file.open("rb")
    except OSError as error:
        raise DocumentRefused("failed", f"The file cannot be opened ({error.strerror}).") from error
    with opened:
        if size > limits.MAX_BYTES:
            raise limits.too_large(size)
        is_view = request["do"] not in ("parse", "unpack")
        seconds = VIEW_SECONDS if is_view else limits.WALL_SECONDS
        with _VIEWERS if is_view else _PARSERS, tempfile.TemporaryDirectory() as empty:
            return _run(opened.fileno(), json.dumps(request), str(folder or empty), seconds, stop or threading.Event())


class _Server:
    """A process that waits for files, and forks for each; see ``child.serve``."""

    def __init__(self) -> None:
        self.is_alive = True
        self._own, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-B", "-c", _PROGRAM, str(_ROOT)],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=dict[str, str](),
                start_new_session=True,
            )

    def begin(self, request: str, *descriptors: int) -> int:
        """Send ``request`` with its descriptors; return the process id of its fork. Raises ``OSError``."""
        socket.send_fds(self._own, [f"{request}\n".encode()], descriptors)
        return self._number()

    def end(self, fork: int, seconds: float, stop: threading.Event) -> int | None:
        """Return the status of the fork: 0, its exit code or a signal as a negative number; ``None`` if it was ended.

        It is ended after ``seconds``, and when ``stop`` is set.
        """
        deadline = time.monotonic() + seconds
        while not (has_ended := bool(select.select([self._own], [], [], _TICK)[0])):
            if time.monotonic() >= deadline or stop.is_set():
                break
        with suppress(ProcessLookupError):
            os.killpg(fork, signal.SIGKILL)  # also what it started
        try:
            status = os.waitstatus_to_exitcode(self._number())
        except OSError:
            self.is_alive, status = False, -signal.SIGKILL
        return status if has_ended else None

    def close(self) -> None:
        self._own.close()
        self._process.kill()
        self._process.wait()

    def _number(self) -> int:
        line = b""
        while not line.endswith(b"\n"):
            if not (byte := self._own.recv(1)):
                raise BrokenPipeError("the process that opens files has ended")
            line += byte
        return int(line)


_IDLE: list[_Server] = []  # servers that handle no file; ``pop`` and ``append`` are atomic


def _run(file: int, request: str, folder: str, seconds: float, stop: threading.Event) -> bytes:
    with tempfile.TemporaryFile() as output:
        where = os.open(folder, os.O_RDONLY)
        try:
            server, fork = _begun(request, file, output.fileno(), where)
        finally:
            os.close(where)
        try:
            status = server.end(fork, seconds, stop)
        except BaseException:
            server.close()
            raise
        if server.is_alive:
            _IDLE.append(server)
        else:
            server.close()
        output.seek(0)
        head, _, result = output.read().partition(b"\n")
    if status == 0 and head == b"ok":
        return result
    if status == 0 and head == b"refused":
        raise DocumentRefused(**json.loads(result))
    raise _failure(status, min(seconds, limits.CPU_SECONDS))


def _begun(request: str, *descriptors: int) -> tuple[_Server, int]:
    """Return an idle server, or a new one, with the process id of its fork that handles ``request``."""
    while _IDLE:
        with suppress(IndexError):
            server = _IDLE.pop()
            try:
                return server, server.begin(request, *descriptors)
            except OSError:  # it ended while it was idle
                server.close()
    server = _Server()
    return server, server.begin(request, *descriptors)


def close_idle() -> None:
    """End the processes that wait for files."""
    while _IDLE:
        with suppress(IndexError):
            _IDLE.pop().close()


def _failure(status: int | None, seconds: float) -> DocumentRefused:
    state = "failed"
    if status in (None, -signal.SIGXCPU, -signal.SIGKILL):
        reason = f"Reading the file took longer than {seconds:.0f} seconds; split it, or save it in a simpler form."
    elif status == 3:
        state, reason = "too_large", f"What the file holds is larger than {limits.MAX_OUTPUT / 1e6:.0f} MB; split it."
    else:
        reason = "The file made its reader stop: it is damaged, or needs more than 1 GiB of memory."
    return DocumentRefused(state, reason)
