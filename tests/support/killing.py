"""Hurt a process that answers questions, at random moments, and look at what it left.

The child is forked, so that a try costs milliseconds and not the start of Python. It is the real Assistant over generated
runs, and says of each event that it shows.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant import Assistant
from searchain.cancel import CancelToken
from searchain.errors import StorageError, UsageError
from searchain.events import Event, RunFinished
from searchain.settings import Settings
from searchain.types import Exchange, Status, Usage
from storage.database import Database
from storage.log import event_log, runs, verify
from storage.log.runs import Process
from tests.support.generated_runs import generated_run

SOON = 0.05
"""Seconds within which something happens to the child after it has shown its first event."""
SPARE = 600_000
"""Bytes that are free at least where the space runs out: a new database takes about 400,000."""


@dataclass(frozen=True, slots=True)
class Outcome:
    shown: int
    """Events that were shown."""
    lost: int
    """Of them, those that are not in the database, and of which nothing says that they are missing."""
    faults: tuple[str, ...]
    """What is wrong otherwise: with the database, with the next start, with how the process ended."""


@dataclass(frozen=True, slots=True)
class Generated:
    """Stands in for SearChain: each question is answered by a generated run."""

    rng: random.Random

    def __call__(self, settings: Settings, index: str) -> Generated:
        return self

    def stream(
        self, question: str, *, history: Sequence[Exchange] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        for event in generated_run(self.rng):
            if cancel is not None and cancel.is_set:
                yield RunFinished(status=Status.STOPPED, final_answer="", invented_markers=0, usage=Usage())
                return
            yield event


class Child:
    """A process that calls ``work`` with a file descriptor, and the lines that it has written there so far."""

    def __init__(self, work: Callable[[int], object]) -> None:
        self._said: list[bytes] = []
        self._reading, writing = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._reading)
            try:
                work(writing)
            finally:
                os._exit(1)
        os.close(writing)

    def wait_for_first(self) -> None:
        """Return when it has written something, or has ended."""
        self._said.append(os.read(self._reading, 1))

    def end(self, number: int) -> tuple[int, list[str]]:
        """Send the signal ``number`` and wait; returns the exit status and the lines."""
        os.kill(self._pid, number)
        while piece := os.read(self._reading, 65_536):  # it must not wait for a reader while it stops
            self._said.append(piece)
        os.close(self._reading)
        status = os.waitpid(self._pid, 0)[1]
        return os.waitstatus_to_exitcode(status), b"".join(self._said).decode().splitlines()


def _answering(path: Path, rng: random.Random, soon: float = SOON) -> Child:
    """A child that has shown its first event, and perhaps more for up to ``soon`` seconds."""
    child = Child(lambda writing: _answer(path, rng, writing))
    child.wait_for_first()
    time.sleep(rng.uniform(0, soon))
    return child


def _answer(path: Path, rng: random.Random, writing: int) -> None:
    """Answer questions until SIGTERM, as ``chat`` does: in threads, while the main one waits."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    assistant = Assistant(Database(path), Generated(rng), Settings())
    try:  # from before the first event is shown, since the signal may follow it at once
        threading.Thread(target=_ask, args=(assistant, rng, writing), daemon=True).start()
        while True:
            time.sleep(1)
    finally:
        assistant.close()
        os._exit(0)


def _ask(assistant: Assistant, rng: random.Random, writing: int) -> None:
    conversation = None
    try:
        while True:
            started = assistant.start("?", conversation=conversation)
            conversation = rng.choice([None, started.conversation])
            for stored in assistant.follow(started.turn):
                type = stored.event.type
                if isinstance(stored.event, RunFinished) and "database" in stored.event.message:
                    type = "unstored"  # it tells that nothing can be stored, so it cannot be either
                    time.sleep(0.001)
                os.write(writing, f"{started.turn} {stored.seq} {type}\n".encode())  # what a page would show
    except (StorageError, UsageError):  # no space for another question, or for the end of the last
        os.close(writing)  # whoever hurts the process ends it


def kill(path: Path, rng: random.Random) -> Outcome:
    """SIGKILL while it answers."""
    return _look(path, _answering(path, rng).end(signal.SIGKILL)[1])


def terminate(path: Path, rng: random.Random) -> Outcome:
    """SIGTERM while it answers: the run is stopped, which is shown and stored, and the exit status is 0."""
    status, shown = _answering(path, rng).end(signal.SIGTERM)
    outcome = _look(path, shown, may_be_cut=False)
    faults = (*outcome.faults, *([f"it ended with status {status}"] if status else []))
    return Outcome(outcome.shown, outcome.lost, faults)


def fill(path: Path, rng: random.Random) -> Outcome:
    """No space is left while it answers, on the small file system on which ``path`` must be; then SIGKILL."""
    ballast = path.with_name("ballast")
    free = os.statvfs(path.parent).f_bavail * os.statvfs(path.parent).f_frsize
    ballast.write_bytes(bytes(max(0, free - SPARE - rng.randrange(400_000))))
    child = _answering(path, rng, soon=0.0)
    end = time.monotonic() + 2
    while os.statvfs(path.parent).f_bavail > 4 and time.monotonic() < end:
        time.sleep(0.002)
    time.sleep(rng.uniform(0, SOON))
    _, shown = child.end(signal.SIGKILL)
    ballast.unlink()
    return _look(path, shown)


def lock(path: Path, rng: random.Random, seconds: float | None = None) -> Outcome:
    """Another program locks the file for a while; then SIGKILL or SIGTERM."""
    child = _answering(path, rng, soon=0.0)
    other = sqlite3.connect(path, timeout=30, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    time.sleep(rng.uniform(0, 4 * SOON) if seconds is None else seconds)
    is_killed_meanwhile = seconds is None and rng.random() < 0.3
    if not is_killed_meanwhile:
        other.execute("ROLLBACK")
        time.sleep(rng.uniform(0, SOON) if seconds is None else 1.0)
    _, shown = child.end(signal.SIGKILL if seconds is None else signal.SIGTERM)
    other.close()
    outcome = _look(path, shown, may_be_cut=seconds is None)
    failed = [f"turn {line.split()[0]} failed" for line in shown if line.endswith("unstored")]
    return Outcome(outcome.shown, outcome.lost, (*outcome.faults, *failed))


def corrupt(path: Path, rng: random.Random) -> Outcome:
    """SIGKILL, and something writes over a part of the file, or cuts it off."""
    return _damage(path, path, rng)


def damage_log(path: Path, rng: random.Random) -> Outcome:
    """The same to SQLite's write-ahead log, where what was written last stands until it is copied into the file.

    SQLite reads damage in it as its end, so what comes after is gone without a word; what is left must be whole.
    """
    return _damage(path, path.with_name(path.name + "-wal"), rng)


def _damage(path: Path, file: Path, rng: random.Random) -> Outcome:
    _, shown = _answering(path, rng).end(signal.SIGKILL)
    size = file.stat().st_size
    with file.open("r+b") as bytes_:
        at = rng.choice([0, rng.randrange(100), rng.randrange(max(1, size))])
        if rng.random() < 0.3:
            bytes_.truncate(at)
        else:
            bytes_.seek(at)
            bytes_.write(rng.randbytes(rng.choice([1, 16, 4_096])))
    return _look(path, shown, is_damaged=True)


def _look(path: Path, lines: list[str], *, may_be_cut: bool = True, is_damaged: bool = False) -> Outcome:
    """The next start. In a damaged file nothing may be missing without a word; ``lines`` tell what was shown."""
    events = [(turn, int(seq), type) for turn, seq, type in map(str.split, lines)]
    shown = [one for one in events if one[2] != "unstored"]
    try:
        store = Database(path)
        try:
            interrupted = runs.interrupt_abandoned(store, Process())
            faults = [fault.what for fault in verify.verify(store)]
            for turn in interrupted:
                if event_log.turn(store, turn).status is not Status.INTERRUPTED:
                    faults.append(f"turn {turn} was not marked as interrupted")
            if interrupted and not may_be_cut:
                faults.append(f"{len(interrupted)} runs were not told of the end")
            with store.reading() as db:
                stored = {(turn, seq, type) for turn, seq, type in db.execute("SELECT turn, seq, type FROM events")}
                open_ = db.execute("SELECT count(*) FROM turns WHERE status IS NULL").fetchone()[0]
            if open_:
                faults.append(f"{open_} turns are neither over nor going on")
        finally:
            store.close()
    except StorageError as error:  # one line that says what to do
        return Outcome(len(shown), 0, ()) if is_damaged else Outcome(len(shown), len(shown), (str(error),))
    except Exception as error:
        return Outcome(len(shown), len(shown), (f"the next start failed: {type(error).__name__}: {error}",))
    missing = len(set(shown) - stored)
    if is_damaged:  # whatever is damaged may be gone, but ``logs verify`` says so
        return Outcome(len(shown), 0 if faults else missing, ())
    return Outcome(len(shown), missing, tuple(faults))


KINDS: dict[str, Callable[[Path, random.Random], Outcome]]
KINDS = {"kill": kill, "term": terminate, "full": fill, "lock": lock, "corrupt": corrupt, "log": damage_log}


def tries(kind: str, number: int, folder: Path, seed: int = 0) -> Iterator[Outcome]:
    """So many tries of one kind. Ten share a database, since files that survived one must survive the next."""
    shares = 10 if kind in ("kill", "term", "lock") else 1
    for one in range(number):
        path = folder / f"{kind}-{seed}-{one // shares}.db"
        yield KINDS[kind](path, random.Random(f"{kind} {seed} {one}"))
        if shares == 1 or one % shares == shares - 1:
            for file in folder.glob(f"{path.name}*"):
                file.unlink()
