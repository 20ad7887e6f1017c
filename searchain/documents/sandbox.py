"""Run the child process on one file; report a failure as one sentence."""

from __future__ import annotations

import json
import os
import signal
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
_PROGRAM = "import sys; sys.path.insert(0, sys.argv.pop()); from searchain.documents.child import main; main()"
_PARSERS = threading.BoundedSemaphore(2)
_VIEWERS = threading.BoundedSemaphore(2)
"""A separate limit from that of parsers, so that a citation opens while long files are parsed."""


def run_child(
    file: Path, request: dict[str, object], *, folder: Path | None = None, stop: threading.Event | None = None
) -> bytes:
    """Give ``file`` and ``request`` to a child process, and return the result.

    The child has no environment, an empty working folder and the limits of ``limits.py``. At most two parse and two
    view at a time; others wait.

    Args:
        folder: the working folder, where the child may leave files; default: a temporary folder.
        stop: ends the child when it is set.

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
        is_view = request["do"] not in ("parse", "unpack")
        seconds = VIEW_SECONDS if is_view else limits.WALL_SECONDS
        with _VIEWERS if is_view else _PARSERS, tempfile.TemporaryDirectory() as empty:
            return _run(opened.fileno(), json.dumps(request), str(folder or empty), seconds, stop or threading.Event())


def _run(file: int, request: str, folder: str, seconds: float, stop: threading.Event) -> bytes:
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "-I", "-B", "-c", _PROGRAM, request, str(os.getpid()), str(_ROOT)],
            stdin=file,
            stdout=output,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={},
            start_new_session=True,
        )
        deadline = time.monotonic() + seconds
        try:
            while (status := process.poll()) is None and time.monotonic() < deadline and not stop.wait(_TICK):
                pass
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # also what it started
            process.wait()
        output.seek(0)
        head, _, result = output.read().partition(b"\n")
    if status == 0 and head == b"ok":
        return result
    if status == 0 and head == b"refused":
        raise DocumentRefused(**json.loads(result))
    raise _failure(status, min(seconds, limits.CPU_SECONDS))


def _failure(status: int | None, seconds: float) -> DocumentRefused:
    if status in (None, -signal.SIGXCPU, -signal.SIGKILL):
        return DocumentRefused(
            "failed",
            f"Reading the file took longer than {seconds:.0f} seconds; split it, or save it in a simpler form.",
        )
    if status == 3:
        return DocumentRefused(
            "too_large", f"What the file holds is larger than {limits.MAX_OUTPUT / 1e6:.0f} MB; split it."
        )
    return DocumentRefused(
        "failed", "The file made its reader stop: it is damaged, or needs more than 1 GiB of memory."
    )
