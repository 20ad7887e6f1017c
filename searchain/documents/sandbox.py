"""Run the child process on one file; report a failure as one sentence."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from searchain.documents import limits
from searchain.errors import DocumentRefused

_ROOT = Path(__file__).resolve().parents[2]
_PROGRAM = "import sys; sys.path.insert(0, sys.argv.pop()); from searchain.documents.child import serve; serve()"
_PARSERS = threading.BoundedSemaphore(2)
_VIEWERS = threading.BoundedSemaphore(2)
"""A separate limit from that of parsers, so that a citation opens while long files are parsed."""


def run_child(file: Path, request: dict[str, object], *, folder: Path | None = None) -> bytes:
    """Give ``file`` and ``request`` to a child process, and return the result.

    The child has no environment, an empty working folder and the limits of ``limits.py``; it is a fork of a process
    that opens no file itself. At most two parse and two view at a time; others wait.

    Args:
        folder: the working folder, where the child may leave files; default: a temporary folder.

    Raises:
        DocumentRefused: the child refused the file, crashed or was stopped.
    """
    try:
        size = file.stat().st_size
        opened = file.open("rb")
    except OSError as error:
        raise DocumentRefused("failed", f"The file cannot be opened ({error.strerror}).") from error
    with opened:
        if size > limits.MAX_BYTES:
            raise DocumentRefused(
                "too_large", f"The file has {size / 1e6:,.0f} MB; at most {limits.MAX_BYTES / 1e6:.0f} MB are read."
            )
        with _PARSERS if request["do"] in ("parse", "unpack") else _VIEWERS, tempfile.TemporaryDirectory() as empty:
            return _run(opened.fileno(), json.dumps(request), str(folder or empty))


class _Server:
    """A process that waits for files, and forks for each; see ``child.serve``."""

    def __init__(self) -> None:
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
        self._lines = self._own.makefile("rb")

    def run(self, request: str, *descriptors: int) -> int:
        """Return the status of the fork that handled ``request``: 0, its exit code, or a signal as a negative number.

        Raises:
            OSError: the server has ended.
        """
        socket.send_fds(self._own, [f"{request}\n".encode()], descriptors)
        self._own.settimeout(limits.WALL_SECONDS)
        if not (line := self._lines.readline()):
            raise BrokenPipeError("the process that opens files has ended")
        fork = int(line)
        try:
            return os.waitstatus_to_exitcode(int(self._lines.readline()))
        except (TimeoutError, ValueError):
            return -signal.SIGXCPU
        finally:
            with suppress(ProcessLookupError):
                os.killpg(fork, signal.SIGKILL)  # also what it started

    def close(self) -> None:
        self._own.close()
        self._process.kill()
        self._process.wait()


_IDLE: list[_Server] = []
"""Servers that handle no file; ``pop`` and ``append`` are atomic."""


def _run(file: int, request: str, folder: str) -> bytes:
    with tempfile.TemporaryFile() as output:
        where = os.open(folder, os.O_RDONLY)
        try:
            status = _status(request, file, output.fileno(), where)
        finally:
            os.close(where)
        output.seek(0)
        head, _, result = output.read().partition(b"\n")
    if status == 0 and head == b"ok":
        return result
    if status == 0 and head == b"refused":
        raise DocumentRefused(**json.loads(result))
    raise _failure(status)


def close_idle() -> None:
    """End the processes that wait for files."""
    while _IDLE:
        with suppress(IndexError):
            _IDLE.pop().close()


def _status(request: str, *descriptors: int) -> int:
    """Return the status of the fork of an idle server, or of a new one, that handled ``request``."""
    while True:
        try:
            server, is_new = _IDLE.pop(), False
        except IndexError:
            server, is_new = _Server(), True
        try:
            status = server.run(request, *descriptors)
        except OSError:  # it ended while it was idle
            server.close()
            if is_new:
                raise
            continue
        except BaseException:
            server.close()
            raise
        if status == -signal.SIGXCPU:
            server.close()  # it may still wait for the fork
        else:
            _IDLE.append(server)
        return status


def _failure(status: int) -> DocumentRefused:
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return DocumentRefused(
            "failed",
            f"Reading the file took longer than {limits.CPU_SECONDS} seconds; split it, or save it in a simpler form.",
        )
    if status == 3:
        return DocumentRefused(
            "too_large", f"What the file holds is larger than {limits.MAX_OUTPUT / 1e6:.0f} MB; split it."
        )
    return DocumentRefused(
        "failed", "The file made its reader stop: it is damaged, or needs more than 1 GiB of memory."
    )
