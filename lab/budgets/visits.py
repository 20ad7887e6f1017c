"""Find the files of the wheel whose functions run while one question is answered and its reply is rendered.

Everything is real: the embedded model, the default index, the Reader, the database. The parts are loaded before. What
runs because a module is imported for the first time is left out.
"""

from __future__ import annotations

import inspect
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from lab.budgets.sources import WHEEL, files
from searchain.files.checkout import ROOT

QUESTION = "Who directed Citizen Kane?"


def visited() -> list[str]:
    """Return the visited files, relative to the root of the checkout."""
    from assistant import open_assistant  # here: counting the code does not need the parts
    from searchain.events import fold
    from ui.page.transcript import messages

    with noted_calls() as noted, tempfile.TemporaryDirectory() as folder:
        assistant = open_assistant(db=Path(folder) / "visits.db", careful="off")
        try:
            assistant.prepare()
            noted.clear()
            started = assistant.start(QUESTION)
            turn = fold(stored.event for stored in assistant.follow(started.turn))
            messages(started.turn, turn)
            seen = set(noted)
        finally:
            assistant.close()
    return sorted(file.relative_to(ROOT).as_posix() for file in files(*WHEEL) if str(file) in seen)


@contextmanager
def noted_calls() -> Iterator[set[str]]:
    """Note the file of each function that is called in this thread, or in one that begins meanwhile."""
    noted: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename not in noted and not _is_import(frame):
            noted.add(frame.f_code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield noted
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def _is_import(frame: FrameType) -> bool:
    """Return whether a frame is the body of a module or class, or was called while a module was imported."""
    if not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return True
    caller: FrameType | None = frame
    while caller is not None:
        if caller.f_code.co_filename.startswith("<frozen importlib"):
            return True
        caller = caller.f_back
    return False
