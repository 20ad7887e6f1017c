"""Owners of running turns. A row of ``runs`` exists exactly as long as its run goes on.

Each row names the process and holds the time of its heartbeat. If the process is dead, any other process ends the run:
it appends ``RunFinished(interrupted)`` to the log.
"""

import os
import socket
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache

from ulid import ULID

from searchain.errors import UsageError
from searchain.events import RunFinished
from searchain.types import Status, Usage
from storage.database import Connection, Database, first, insert_row, now
from storage.log import conversations, event_log

STALE_SECONDS = 30.0
"""If the process itself cannot be checked, it counts as dead when its heartbeat is this many seconds old."""
SUSPENDED_SECONDS = 600.0
"""Seconds without a heartbeat after which an existing process counts as suspended, and its run is ended. A younger
heartbeat may only mean that another program locks the file.
"""

_NOTHING = Usage()


@cache
def this_host() -> str:
    """Return the host name and, on Linux, the PID namespace: containers may share a host name but not process IDs."""
    try:
        return f"{socket.gethostname()}/{os.stat('/proc/self/ns/pid').st_ino}"
    except OSError:
        return socket.gethostname()


@dataclass(frozen=True, slots=True)
class Process:
    """The owner of runs: one ``Assistant`` in one process."""

    id: str = field(default_factory=lambda: str(ULID()))
    host: str = field(default_factory=this_host)
    pid: int = field(default_factory=os.getpid)


@dataclass(frozen=True, slots=True)
class Started:
    """The conversation and the turn of an accepted question."""

    conversation: str
    turn: str
    error: Callable[[], BaseException | None] = field(default=lambda: None, compare=False, repr=False)
    """Returns the error that ended the run, where it is one of this process."""


def start(
    store: Database,
    process: Process,
    question: str,
    owner: str,
    conversation: str | None = None,
    *,
    is_temporary: bool = False,
) -> Started:
    """Claim a new turn, in a new conversation, which may be temporary, unless one is named.

    Raises:
        NotFound: there is no such conversation, or another owner has it.
        UsageError: a question of the conversation is still being answered.
    """
    with store.writing() as db:
        if conversation is None:
            conversation = conversations.create(db, owner, question, is_temporary=is_temporary)
        else:
            conversations.check(db, conversation, owner)
        turn, time_ = str(ULID()), now()
        position = first(db, "SELECT coalesce(max(position) + 1, 0) FROM turns WHERE conversation = ?", conversation)[0]
        place = {"conversation": conversation, "position": position}
        insert_row(db, "turns", {"id": turn, **place, "created": time_, "question": question})
        db.execute("UPDATE conversations SET updated = ? WHERE id = ?", (time_, conversation))
        try:
            runner = {"process": process.id, "host": process.host, "pid": process.pid}
            insert_row(db, "runs", {"turn": turn, "conversation": conversation, **runner, "heartbeat": time.time()})
        except sqlite3.IntegrityError:
            raise UsageError(
                "the last question of this conversation is still being answered; wait for it, or stop it first"
            ) from None
    return Started(conversation, turn)


def heartbeat(store: Database, process: Process) -> set[str]:
    """Renew the heartbeat of ``process``; return those of its turns that somebody asked to stop."""
    with store.writing() as db:
        db.execute("UPDATE runs SET heartbeat = ? WHERE process = ?", (time.time(), process.id))
        return {row[0] for row in db.execute("SELECT turn FROM runs WHERE process = ? AND is_stopping", (process.id,))}


def ask_to_stop(store: Database, turn: str) -> None:
    """Ask the process that owns the run to stop it; do nothing if the run is over."""
    store.write("UPDATE runs SET is_stopping = 1 WHERE turn = ?", (turn,))


def is_going(store: Database, turn: str) -> bool:
    """Return whether the turn's run still goes on in some process."""
    return store.row("SELECT 1 FROM runs WHERE turn = ?", (turn,)) is not None


def interrupt_abandoned(store: Database, process: Process) -> list[str]:
    """End every run whose process is dead, judged from ``process``; return their turns."""
    with store.reading() as db:
        if not _abandoned(db, process):
            return []
    with store.writing() as db:
        turns = _abandoned(db, process)
        for turn in turns:
            seq = first(db, "SELECT count(*) FROM events WHERE turn = ?", turn)[0]
            why = "the process that worked on this question ended before it was done; ask again"
            event_log.write(db, turn, seq, ended(Status.INTERRUPTED, why))
        return turns


def ended(status: Status, message: str = "", usage: Usage = _NOTHING) -> RunFinished:
    """Return the last event of a run that found no answer."""
    return RunFinished(status=status, final_answer="", invented_markers=0, usage=usage, message=message)


def _abandoned(db: Connection, process: Process) -> list[str]:
    rows = db.execute("SELECT turn, host, pid, heartbeat FROM runs").fetchall()
    return [turn for turn, host, pid, heartbeat in rows if _is_gone(host, pid, time.time() - heartbeat, process)]


def _is_gone(host: str, pid: int, silence: float, process: Process) -> bool:
    """Return whether a process that was silent for ``silence`` seconds is dead, judged from ``process``."""
    if host != process.host or os.name != "posix":  # elsewhere signal 0 is not harmless
        return silence > STALE_SECONDS
    with suppress(PermissionError):  # another person's process, which exists
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
    return silence > SUSPENDED_SECONDS
