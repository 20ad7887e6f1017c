"""``python -m searchain.setup.index``: build the index of the embedded corpus behind the page that started the process.

Whoever builds it, this process or ``make setup``, writes how far it is to one file, which every page reads. Two never
build at once: the second waits for the first.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path

from searchain.files.checkout import SET_UP
from searchain.files.home import home
from searchain.files.processes import end_with_parent, environment
from searchain.files.writing import write_whole
from searchain.setup.progress import Report, Step, run

NICE = 15
"""How far the build steps back behind the page, of 19."""
ENCODING = "encoding passages"
ENCODED = 0.65
"""The share of the time that encoding takes; the steps of the PLAID index take the rest."""
_TOLD = 1.0  # seconds; less is taken for work that an earlier build had done


@dataclass(frozen=True, slots=True)
class Reached:
    """How far the build is."""

    share: float
    """0–1."""
    seconds: float | None
    """How long it will take from ``at`` on; ``None`` if nothing was measured yet."""
    at: float
    """Seconds since the epoch."""

    def left(self) -> float | None:
        """Return the seconds that are left now."""
        return None if self.seconds is None else max(0.0, self.at + self.seconds - time.time())


class Meter:
    """Writes how far the build is to ``path`` after each of its steps."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = path, clock
        self._last, self._share = clock(), 0.0
        self._worked = self._reached = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        now = self._clock()
        share = ENCODED * done / total if what == ENCODING else ENCODED + (1 - ENCODED) * done / total
        if now - self._last >= _TOLD:
            self._worked += now - self._last
            self._reached += share - self._share
        self._last, self._share = now, share
        seconds = self._worked / self._reached * (1 - share) if self._reached else None
        with write_whole(self._path) as draft:
            draft.write_text(json.dumps(asdict(Reached(share, seconds, now))))


def reached() -> Reached | None:
    """Return how far a build is; ``None`` if none has begun."""
    with suppress(OSError, ValueError, TypeError):
        return Reached(**json.loads(_file().read_text()))
    return None


def is_built() -> bool:
    """Return whether the index exists with all its vectors."""
    from searchain.errors import SearChainError
    from searchain.retrieval import registry

    try:
        return not registry.get("default").waiting
    except SearChainError:
        return False


def build(report: Report) -> None:
    """Build the index unless it exists. Raises as ``indexes.build_default_index``."""
    from searchain.retrieval import indexes

    meter = Meter(_file())

    def both(what: str, done: int, total: int) -> None:
        report(f"{what} {done:,} of {total:,}")
        meter(what, done, total)

    indexes.build_default_index(both)
    _file().unlink(missing_ok=True)


def lock() -> Path:
    """Return the file that is locked while the index is built."""
    return home() / ".index.lock"


STEP = Step("building the index of the embedded corpus", build)


class State(Enum):
    """How the encyclopedia is searched."""

    BUILDING = "building"
    """By words, while the index is built."""
    READY = "ready"
    """By meaning."""
    FAILED = "failed"
    """By words, and nothing builds the index."""


class Behind:
    """The build in a process of low priority, which ends with this process. Thread-safe."""

    def __init__(self, command: Sequence[str] = (sys.executable, "-m", "searchain.setup.index")) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self.reason = ""
        """Why it failed, with the next step."""

    def start(self, then: Callable[[], object]) -> None:
        """Start to build the index, unless it is built. ``then`` is called in a thread as soon as it is."""
        if is_built():
            return
        self._process = subprocess.Popen(
            self._command,
            text=True,
            errors="replace",
            stdin=subprocess.PIPE,  # closed when this process ends, however it ends
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        threading.Thread(target=self._wait, args=(self._process, then), name="index", daemon=True).start()

    def state(self) -> State:
        """Return how the encyclopedia is searched now."""
        if is_built():
            return State.READY
        return State.FAILED if self.reason or self._process is None else State.BUILDING

    def close(self) -> None:
        """End the build; the next one goes on where it was."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait(10)

    def _wait(self, process: subprocess.Popen[str], then: Callable[[], object]) -> None:
        said = [line for line in process.stderr or () if line.strip()]
        status = process.wait()
        if status == 0 and is_built():
            then()
        elif said and said[-1].startswith("error: "):
            self.reason = said[-1].removeprefix("error: ").strip()
        else:
            ending = f"signal {-status}" if status < 0 else f"status {status}"
            self.reason = f"building the index ended with {ending}; to go on, run: {SET_UP}"


def main() -> int:
    """Build the index at low priority until standard input is closed; returns the exit status."""
    end_with_parent()
    with suppress(AttributeError, OSError):  # Windows has no nice
        os.nice(NICE)
    return run((STEP,), lock())


def _file() -> Path:
    return home() / "indexes" / ".default.progress"


if __name__ == "__main__":
    sys.exit(main())
