"""Hand a question of the shell to a process that has loaded its models: the page, or one that ``ask`` left.

Such a process listens at a socket in ``$SEARCHAIN_HOME/warm``, a folder that only its owner may enter. The socket's
name is a sum over program, database and options, so one with other parts is not found. The question alone is handed
over: its run is followed, and stopped, by way of the database, as any other process follows it.
"""

import hashlib
import json
import os
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from filelock import FileLock

from searchain.assemble import Choice
from searchain.chain.memory import keep_loaded, uncollected
from searchain.errors import SearChainError
from searchain.files.checkout import ROOT
from searchain.files.home import home
from searchain.files.processes import environment
from searchain.methods.base import find
from searchain.settings import Settings
from searchain.types import TaskKind
from searchain.version import VERSION
from storage.database import default_path
from storage.log.runs import Started

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assistant import Assistant

PATIENCE = 60.0
"""Seconds in which a question must be taken: longer than a locked database keeps anybody waiting."""
LOADING = 120.0
"""Seconds in which a process that is left behind must have loaded its models."""
_LOOK = 0.2  # seconds
_MOST = 1_000_000  # bytes of a request
_OF_ENVIRONMENT = "SEARCHAIN_MODEL", "SEARCHAIN_BASE_URL", "OPENAI_API_KEY", "SEARCHAIN_WEB_ALLOW"


def place(named: Mapping[str, Any]) -> Path:
    """Return the socket of a process with these options of ``open_assistant``."""
    chosen = {one.name: _whole(value) for one in fields(Choice) if (value := named.get(one.name)) not in (None, {})}
    environ = [os.environ.get(name, "") for name in _OF_ENVIRONMENT]
    database = (named.get("db") or default_path()).absolute()
    of = json.dumps([VERSION, _newest(), str(ROOT), str(database), chosen, environ], default=str, sort_keys=True)
    return home() / "warm" / hashlib.sha256(of.encode()).hexdigest()[:12]


def _newest() -> int:
    """Return when a module of the program changed last, in nanoseconds: a process with older ones is not asked."""
    files = (file for folder in ("searchain", "storage", "ui") for file in (ROOT / folder).rglob("*.py"))
    return max(file.stat().st_mtime_ns for file in files)


def _whole(value: Any) -> Any:
    return value.absolute() if isinstance(value, Path) else value


def settings_of(system: str | None, profile: str, changes: Mapping[str, Any]) -> Settings:
    """Make the settings of a run from the options of ``ask``. Raises ``UsageError`` for what cannot be."""
    changes = {**changes, "task": TaskKind(changes["task"]) if changes.get("task") else None}
    return find(system).settings(is_small=True, **changes) if system else Settings.of(profile, **changes)


class Door:
    """Takes questions for ``assistant`` at the socket ``at`` while the block runs; none where that cannot be."""

    def __init__(self, assistant: "Assistant", at: Path) -> None:
        self._assistant, self._at = assistant, at
        self._server: socketserver.BaseServer | None = None
        self._lock, self._going, self._last = threading.Lock(), 0, time.monotonic()

    @property
    def is_open(self) -> bool:
        """Whether questions arrive here; not where another process with the same parts takes them."""
        return self._server is not None

    @property
    def idle(self) -> float:
        """Seconds since the last run ended; 0 while one goes on."""
        return 0.0 if self._going else time.monotonic() - self._last

    def __enter__(self) -> Self:
        with suppress(OSError, NameError):  # the path is too long for a socket, or the system has none
            self._at.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._at.parent.chmod(0o700)
            with FileLock(self._at.with_suffix(".lock")):  # else two that begin would unlink each other's socket
                if _answers(self._at):
                    return self
                self._at.unlink(missing_ok=True)
                self._server = _Server(str(self._at), self)
                threading.Thread(target=self._server.serve_forever, name="shell", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._at.unlink(missing_ok=True)

    def start(self, asked: Mapping[str, Any]) -> Started:
        """Start the run of a question that was handed over. Raises as ``Assistant.start``."""
        settings = settings_of(asked["system"], asked["profile"], asked["changes"])
        where = {"conversation": asked["conversation"], "index": asked["index"]}
        return self._assistant.start(asked["question"], settings=settings, **where)

    @contextmanager
    def busy(self) -> "Iterator[None]":
        """Count a run that goes on."""
        with self._lock:
            self._going += 1
        try:
            yield
        finally:
            with self._lock:
                self._going, self._last = self._going - 1, time.monotonic()

    def wait_for_end(self, turn: str) -> None:
        """Return when the run has ended."""
        for _ in self._assistant.follow(turn):
            pass


if hasattr(socketserver, "UnixStreamServer"):  # Windows has none

    class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
        daemon_threads = True

        def __init__(self, at: str, door: Door) -> None:
            super().__init__(at, _Handler)
            self.door = door


class _Handler(socketserver.StreamRequestHandler):
    timeout = PATIENCE
    server: "_Server"

    def handle(self) -> None:
        line = self.rfile.readline(_MOST)
        if not line:
            return  # somebody looks whether anybody listens
        door = self.server.door
        with door.busy():
            try:
                started = door.start(json.loads(line))
            except SearChainError as error:
                self._say({"error": error.at_the_shell, "status": error.exit_status})
                return
            self._say({"turn": started.turn, "conversation": started.conversation, "pid": os.getpid()})
            door.wait_for_end(started.turn)

    def _say(self, values: Mapping[str, Any]) -> None:
        with suppress(OSError):  # whoever asked has gone; the run goes on
            self.wfile.write(json.dumps(values).encode() + b"\n")


class Refused(SearChainError):
    """The process that was asked refused the question."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.exit_status = status


def hand_over(at: Path, asked: Mapping[str, Any]) -> tuple[Started, int] | None:
    """Hand a question to the process at the socket; return its turn and the process; ``None`` where nobody takes it.

    Raises ``Refused`` if the process refuses the question, with its message, or takes too long to store it.
    """
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PATIENCE)
            line.connect(str(at))
            line.sendall(json.dumps(asked).encode() + b"\n")
            with line.makefile() as answer:
                said = json.loads(answer.readline())
    except TimeoutError:  # it may have the question already
        raise Refused("the process that answers is busy; ask again, or see: python assistant.py logs list", 1) from None
    except (OSError, ValueError, AttributeError):  # no such socket, or nobody there; Windows has no AF_UNIX
        return None
    if "error" in said:
        raise Refused(said["error"], said["status"])
    return Started(said["conversation"], said["turn"]), said["pid"]


def leave_behind(named: Mapping[str, Any], minutes: int) -> subprocess.Popen[bytes]:
    """Start a process with these parts, which ends after ``minutes`` without a question.

    Returns when it takes questions, or when it has failed: then the caller answers itself, and meets the cause.
    """
    at = place(named)
    wanted = json.dumps([dict(named), minutes], default=str)
    process = subprocess.Popen(
        (sys.executable, "-m", "ui.cli.warm"),
        stdin=subprocess.PIPE,  # the address of a model may hold a secret, and arguments can be read by all
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # the terminal may close
        env=environment(),
    )
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write(wanted.encode())
        process.stdin.close()
    until = time.monotonic() + LOADING
    while process.poll() is None and time.monotonic() < until and not _answers(at):
        time.sleep(_LOOK)
    return process


def _answers(at: Path) -> bool:
    """Return whether a process listens at the socket."""
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(1)
            line.connect(str(at))
            return True
    except (OSError, AttributeError):
        return False


def main(named: dict[str, Any], minutes: float) -> None:
    """Take questions until none came for so many minutes."""
    from assistant import open_assistant
    from ui.cli.main import log_path, log_to

    log_to("file", "warning", log_path())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # as ctrl-C: runs are stopped, and the socket goes
    named |= {name: Path(named[name]) for name in ("db", "gguf") if named.get(name)}
    if named.get("reader") and "://" not in named["reader"]:
        named["reader"] = Path(named["reader"])
    at = place(named)
    with closing(open_assistant(**named)) as assistant:
        with uncollected():
            assistant.prepare()
        keep_loaded()
        with Door(assistant, at) as door:
            while door.is_open and door.idle < 60 * minutes:
                time.sleep(_LOOK)


if __name__ == "__main__":
    main(*json.load(sys.stdin))
