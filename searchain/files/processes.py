"""Processes that do long work for the program, and end with it."""

import ctypes
import os
import signal
import sys
import threading

from searchain.files.checkout import ROOT
from searchain.files.home import home

_PR_SET_PDEATHSIG = 1  # prctl(2)


def environment() -> dict[str, str]:
    """Return the environment in which another process finds this program and its home."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "SEARCHAIN_HOME": str(home())}


def end_with_parent() -> None:
    """End this process as soon as its standard input is closed, which happens however its parent ends."""
    threading.Thread(target=_wait, daemon=True).start()


def die_with_parent(parent: int) -> None:
    """Let the system end this process when its parent, the process ``parent``, ends. Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before this call
            os._exit(1)


def _wait() -> None:
    while os.read(0, 1):  # not sys.stdin, whose lock this thread would hold when the interpreter ends
        pass
    os._exit(1)
