"""Who is working on which turn. A row of ``runs`` exists exactly while a run goes on.

Each row names the process and carries its heartbeat. A run whose process is gone is ended here by whoever notices, with
``RunFinished(interrupted)`` at the end of its log.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from ulid import ULID

from searchain.errors import UsageError
from searchain.events import RunFinished
from searchain.types import Status, Usage
from storage.database import Database, now
from storage.log import conversations, event_log

if TYPE_CHECKING:
    import sqlite_utils

STALE_SECONDS = 30.0
"""A heartbeat this old belongs to a dead process, where it cannot be seen whether that lives."""
SUSPENDED_SECONDS = 600.0
"""A heartbeat this old belongs to a process that was suspended and will find its run ended. A younger one may be locked
out of the file by another program."""


@cache
def this_host() -> str:
    """This machine and, on Linux, this process-id namespace: containers may share a host name, but not process ids."""
    try:
        return f"{socket.gethostname()}/{os.stat('/proc/self/ns/pid').st_ino}"
    except OSError:
        return socket.gethostname()


@dataclass(frozen=True, slots=True)
class Process:
    """Who owns runs: one ``Assistant`` of one process."""

    id: str = field(default_factory=lambda: str(ULID()))
    host: str = field(default_factory=this_host)
    pid: int = field(default_factory=os.getpid)


@dataclass(frozen=True, slots=True)
class Started:
    """A question that was accepted."""

    conversation: str
    turn: str


def start(store: Database, process: Process, question: str, owner: str, conversation: str | None = None) -> Started:
    """Claim a new turn, in a new conversation when none is named.

    Raises:
        NotFound: there is no such conversation, or it is another owner's.
        UsageError: a question of the conversation is still being answered.
    """
    with store.writing() as db:
        if conversation is None:
            conversation = conversations.create(db, owner, question)
        else:
            conversations.check(db, conversation, owner)
        turn, time_ = str(ULID()), now()
        position = db.execute(
            "SELECT coalesce(max(position) + 1, 0) FROM turns WHERE conversation = ?", (conversation,)
        ).fetchone()[0]
        db.execute(
            "INSERT INTO turns (id, conversation, position, created, question) VALUES (?, ?, ?, ?, ?)",
            (turn, conversation, position, time_, question),
        )
        db.execute("UPDATE conversations SET updated = ? WHERE id = ?", (time_, conversation))
        try:
            db.execute(
                "INSERT INTO runs (turn, conversation, process, host, pid, heartbeat) VALUES (?, ?, ?, ?, ?, ?)",
                (turn, conversation, process.id, process.host, process.pid, time.time()),
            )
        except sqlite3.IntegrityError:
            raise UsageError(
                f"the last question of conversation {conversation} is still being answered; wait for it, "
                "or stop it first"
            ) from None
    return Started(conversation, turn)


def heartbeat(store: Database, process: Process) -> set[str]:
    """Say that ``process`` lives; returns its turns that somebody asked to stop."""
    with store.writing() as db:
        db.execute("UPDATE runs SET heartbeat = ? WHERE process = ?", (time.time(), process.id))
        return {row[0] for row in db.execute("SELECT turn FROM runs WHERE process = ? AND is_stopping", (process.id,))}


def ask_to_stop(store: Database, turn: str) -> None:
    """Leave a request for the process that owns the run; nothing happens when the run is over."""
    with store.writing() as db:
        db.execute("UPDATE runs SET is_stopping = 1 WHERE turn = ?", (turn,))


def is_going(store: Database, turn: str) -> bool:
    """Whether a process claims the run."""
    with store.reading() as db:
        return db.execute("SELECT 1 FROM runs WHERE turn = ?", (turn,)).fetchone() is not None


def interrupt_abandoned(store: Database, process: Process) -> list[str]:
    """End every run whose process is gone, as ``process`` sees it; returns their turns."""
    with store.reading() as db:
        if not _abandoned(db, process):
            return []
    with store.writing() as db:
        turns = _abandoned(db, process)
        for turn in turns:
            seq = db.execute("SELECT count(*) FROM events WHERE turn = ?", (turn,)).fetchone()[0]
            event_log.write(
                db,
                turn,
                seq,
                RunFinished(
                    status=Status.INTERRUPTED,
                    final_answer="",
                    invented_markers=0,
                    usage=Usage(),
                    message="the process that worked on this question ended before it was done; ask again",
                ),
            )
        return turns


def _abandoned(db: sqlite_utils.Database, process: Process) -> list[str]:
    rows = db.execute("SELECT turn, host, pid, heartbeat FROM runs").fetchall()
    return [turn for turn, host, pid, heartbeat in rows if _is_gone(host, pid, time.time() - heartbeat, process)]


def _is_gone(host: str, pid: int, silence: float, process: Process) -> bool:
    """Whether a process that was silent for so many seconds works no more, as ``process`` sees it."""
    if host != process.host or os.name != "posix":  # elsewhere signal 0 is not harmless
        return silence > STALE_SECONDS
    return silence > SUSPENDED_SECONDS or not _exists(pid)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
