"""Processes that do long work for the program, and end with it."""

import os
import threading

from searchain.files.checkout import ROOT
from searchain.files.home import home


def environment() -> dict[str, str]:
    """Return the environment in which another process finds this program and its home."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "SEARCHAIN_HOME": str(home())}


def end_with_parent() -> None:
    """End this process as soon as its standard input is closed, which happens however its parent ends."""
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    while os.read(0, 1):  # not sys.stdin, whose lock this thread would hold when the interpreter ends
        pass
    os._exit(1)
