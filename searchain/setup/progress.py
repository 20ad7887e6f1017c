"""Run the steps of set-up, and show the name, progress and time of each.

Standard library only, because the first steps install everything else.
"""

import errno
import fcntl
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TextIO

from searchain.errors import SearChainError, SetupError

SILENT_SECONDS = 0.5
"""A step that ends within this time had nothing to do, and is not shown."""
FIRST_SECONDS, LINE_SECONDS = 10.0, 60.0
"""Without a terminal, seconds until the first line about a running step, and between the later ones."""
GIGABYTE = 10**9

Report = Callable[[str], None]
"""A callback that gets the progress of a step in a few words."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of set-up. Repeating it must be cheap, and must continue an interrupted step."""

    name: str
    do: Callable[[Report], None]


def run(steps: Sequence[Step], lock: Path, out: TextIO | None = None) -> int:
    """Do the steps in order, one such run at a time for ``lock``; returns the exit status and never raises.

    On a terminal each step shows one line that tells what happens. Elsewhere a line is printed while a step goes on,
    after ten seconds and then each minute, and when it is done.
    """
    out = out or sys.stderr
    try:
        with _alone(lock, out):
            for step in steps:
                with _Line(step.name, out) as line:
                    step.do(line.report)
        return 0
    except KeyboardInterrupt:
        print("stopped; run the same command again to continue", file=out)
        return 130
    except SearChainError as error:
        print(f"error: {error}", file=out)
        return error.exit_status
    except OSError as error:
        print(f"error: {_explained(error)}; then run the same command again", file=out)
        return 1
    except Exception as error:
        if os.environ.get("SEARCHAIN_DEBUG"):
            raise
        reason = " ".join(str(error).split())
        print(f"error: unexpected {type(error).__name__}: {reason} (SEARCHAIN_DEBUG=1 shows where)", file=out)
        return 1


def need_space(directory: Path, gigabytes: float, what: str) -> None:
    """Check the free disk space before it is used. Raises ``SetupError`` if less space is free."""
    place = next(parent for parent in (directory.absolute(), *directory.absolute().parents) if parent.exists())
    free = shutil.disk_usage(place).free / GIGABYTE
    if free < gigabytes:
        raise SetupError(
            f"{what} needs {gigabytes:.1f} GB in {str(directory)!r}, but only {free:.1f} GB are free; "
            "make room, then run the same command again"
        )


def _explained(error: OSError) -> str:
    where = f" for {str(error.filename)!r}" if error.filename else ""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return f"the disk is full{where}; make room"
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return f"no permission to write{where}; change its owner, or set SEARCHAIN_HOME to a folder of your own"
        case _:
            return f"{error.strerror or error}{where}; mend that"


@contextmanager
def _alone(lock: Path, out: TextIO) -> Iterator[None]:
    """Wait until no other process holds ``lock``; it is released when this process ends, however it ends."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("waiting for another set-up to finish", file=out)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


class _Line:
    """One step on the screen: its name, how far it is, and the time it has taken."""

    def __init__(self, name: str, out: TextIO) -> None:
        self._name, self._out, self._detail = name, out, ""
        self._started = time.monotonic()
        self._ended = threading.Event()
        self._painter = threading.Thread(target=self._paint if out.isatty() else self._tell, daemon=True)

    def report(self, detail: str) -> None:
        self._detail = detail

    def __enter__(self) -> Self:
        self._painter.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._ended.set()
        self._painter.join()
        seconds = time.monotonic() - self._started
        if kind is None and seconds >= SILENT_SECONDS:
            print(f"{self._name}: done in {_clock(seconds)}", file=self._out, flush=True)

    def _tell(self) -> None:
        if self._ended.wait(FIRST_SECONDS):
            return
        print(f"{self._name} …", file=self._out, flush=True)
        while not self._ended.wait(LINE_SECONDS):
            detail = f"{self._detail}, " if self._detail else ""
            print(f"{self._name}: {detail}{_clock(time.monotonic() - self._started)}", file=self._out, flush=True)

    def _paint(self) -> None:
        while not self._ended.wait(SILENT_SECONDS):
            text = f"{self._name}: {self._detail or '…'}  {_clock(time.monotonic() - self._started)}"
            self._out.write(f"\r\x1b[K{text[: shutil.get_terminal_size().columns - 1]}")
            self._out.flush()
        self._out.write("\r\x1b[K")
        self._out.flush()


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
