"""Kill a process at random moments while it writes generated runs; then look at what it left.

The child is forked, so that a kill costs milliseconds and not the start of Python.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from searchain.types import Status
from storage.database import Database
from storage.log import event_log, runs, verify
from storage.log.runs import Process
from tests.support.generated_runs import generated_run


@dataclass(frozen=True, slots=True)
class Outcome:
    shown: int
    """Events that were shown before the kill."""
    lost: int
    """Of them, those that are not in the database."""
    faults: tuple[str, ...]
    """What ``logs verify`` says of the database, or how the next start failed."""


def kill_at_random(path: Path, seed: int) -> Outcome:
    """One child that writes runs into the database ``path`` until it is killed, and the next start after it."""
    rng = random.Random(seed)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            _tell(path, rng, writing)
        finally:
            os._exit(1)
    os.close(writing)
    first = os.read(reading, 1)  # it is up and has shown something
    time.sleep(rng.uniform(0, 0.05))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    said = first
    while piece := os.read(reading, 65_536):
        said += piece
    os.close(reading)
    return _look(path, said.decode().splitlines())


def _tell(path: Path, rng: random.Random, writing: int) -> None:
    store, process = Database(path), Process()
    conversation = None
    while True:
        events = generated_run(rng)
        started = runs.start(store, process, "?", "local", conversation)
        conversation = rng.choice([None, started.conversation])
        for seq, event in enumerate(events):
            event_log.append(store, started.turn, process.id, seq, event)
            os.write(writing, f"{started.turn} {seq} {event.type}\n".encode())  # this is what a page would show


def _look(path: Path, said: list[str]) -> Outcome:
    shown = [(turn, int(seq), type) for turn, seq, type in (line.split() for line in said)]
    try:
        store = Database(path)
    except Exception as error:
        return Outcome(len(shown), len(shown), (f"the next start failed: {error}",))
    try:
        interrupted = runs.interrupt_abandoned(store, Process())
        faults = [fault.what for fault in verify.verify(store)]
        for turn in interrupted:
            if event_log.turn(store, turn).status is not Status.INTERRUPTED:
                faults.append(f"turn {turn} was not marked as interrupted")
        with store.reading() as db:
            stored = {(turn, seq, type) for turn, seq, type in db.execute("SELECT turn, seq, type FROM events")}
            open_ = db.execute("SELECT count(*) FROM turns WHERE status IS NULL").fetchone()[0]
        if open_:
            faults.append(f"{open_} turns are neither over nor going on")
        return Outcome(len(shown), len(set(shown) - stored), tuple(faults))
    finally:
        store.close()


def kill_at_points(points: int, folder: Path, seed: int = 0) -> Iterator[Outcome]:
    """``points`` kills, several into one database, since files that survived one kill must survive the next."""
    for number in range(points):
        yield kill_at_random(folder / f"{seed}-{number // 10}.db", seed + number)
