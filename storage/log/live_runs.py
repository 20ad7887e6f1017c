"""Runs of this process: worker threads that store each event before they show it, and followers of the events.

A run goes on when the page or command that started it is closed. Followers may begin at any event. They read from
memory in this process, and from the log in another process.
"""

import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime

from searchain.cancel import CancelToken
from searchain.errors import Cancelled, DatabaseLocked, SearChainError, StorageError
from searchain.events import Event, RunFinished
from searchain.types import Status
from storage.database import Database
from storage.log import event_log, runs
from storage.log.event_log import StoredEvent
from storage.log.runs import Process

log = logging.getLogger(__name__)

BEAT_SECONDS = 0.5
"""Seconds between heartbeats, which also fetch the stop requests of other processes."""
LOCKED_SECONDS = 600.0
"""Seconds for which a run waits to store an event while another program has the file locked."""
POLL_SECONDS = 0.2
"""Seconds between looks at the log of a run that another process owns."""

Stream = Callable[[CancelToken], Generator[Event, None, None]]
"""The function that yields the events of a run; it is called in the run's worker thread."""
Watch = Callable[[StoredEvent], object]
"""The function that takes each event after followers can see it; what it raises is logged."""


class LiveRun:
    """One run of a turn in this process."""

    def __init__(self, store: Database, process: Process, turn: str, stream: Stream, watch: Watch | None) -> None:
        self.turn = turn
        self.cancel = CancelToken()
        self.is_saved = True
        """Whether the whole log is in the database; ``False`` after a write failed."""
        self.error: BaseException | None = None
        """The error that ended the run, with its hint and exit status."""
        self._store, self._process, self._stream, self._watch = store, process, stream, watch
        self._events: list[StoredEvent] = []
        self._changed = threading.Condition()
        self.thread = threading.Thread(target=self._work, name=f"turn {turn}", daemon=True)

    @property
    def is_over(self) -> bool:
        return bool(self._events) and isinstance(self._events[-1].event, RunFinished)

    @property
    def events(self) -> tuple[StoredEvent, ...]:
        """The events so far."""
        with self._changed:
            return tuple(self._events)

    def batches(self, after: int, patience: float | None) -> Iterator[list[StoredEvent]]:
        """Yield the events above ``after`` in lists until the run ends; an empty one after ``patience`` seconds."""
        seen = after + 1
        while True:
            with self._changed:
                if len(self._events) <= seen and not self.is_over:
                    self._changed.wait(patience)
                fresh, is_over = self._events[seen:], self.is_over
            yield fresh
            seen += len(fresh)
            if is_over:
                return

    def save_end(self) -> None:
        """Try again to store the last event, whose first write failed. Raises ``StorageError`` if that fails too."""
        end = self.events[-1]
        event_log.append(self._store, self.turn, self._process.id, end.seq, end.event)
        self.is_saved = True

    def _work(self) -> None:
        try:
            self._record_all()
        except StorageError as error:  # nothing more can be stored, so nothing more is shown but this
            self.cancel.set()
            self.is_saved = False
            self._show(StoredEvent(len(self._events), datetime.now(UTC), self._ended(Status.FAILED, str(error))))

    def _record_all(self) -> None:
        try:
            with closing(self._stream(self.cancel)) as events:
                for event in events:
                    self._record(event)
                    if self.is_over:
                        return
            end = self._ended(Status.FAILED, "the run ended without saying how; ask again")
        except Cancelled:
            end = self._ended(Status.STOPPED)
        except StorageError:
            raise
        except SearChainError as error:
            self.error = error
            end = self._ended(Status.FAILED, str(error))
        except BaseException as error:  # the top of a thread: whatever it is, followers must hear of the end
            log.exception("turn %s failed", self.turn)
            self.error = error
            end = self._ended(Status.FAILED, f"unexpected {type(error).__name__}: {error}; ask again")
        self._record(end)

    def _ended(self, status: Status, message: str = "") -> RunFinished:
        """Return the last event of a run that did not say how it ends, with what it has cost."""
        return runs.ended(status, message, self.cancel.spent)

    def _record(self, event: Event) -> None:
        """Store ``event``, then show it. While the file is locked this thread waits, but the model keeps writing."""
        until = time.monotonic() + LOCKED_SECONDS
        while True:
            try:
                stored = event_log.append(self._store, self.turn, self._process.id, len(self._events), event)
                break
            except DatabaseLocked:
                if time.monotonic() > until:
                    raise
        self._show(stored)

    def _show(self, stored: StoredEvent) -> None:
        with self._changed:
            self._events.append(stored)
            self._changed.notify_all()
        try:
            if self._watch:
                self._watch(stored)
        except Exception:
            log.exception("turn %s is not watched any more", self.turn)
            self._watch = None


class LiveRuns:
    """The runs of this process, and the heartbeat that shows other processes that it is alive."""

    def __init__(self, store: Database, process: Process) -> None:
        self._store, self._process = store, process
        self._lock = threading.Lock()
        self._runs: dict[str, LiveRun] = {}
        self._claiming = 0
        self._is_closing = False
        self._closed = threading.Event()
        self._heart: threading.Thread | None = None

    @contextmanager
    def claiming(self) -> Iterator[None]:
        """Hold back ``close`` while the block claims and starts a turn.

        Raises ``StorageError`` if the program is ending; it starts no more turns.
        """
        with self._lock:
            if self._is_closing:
                raise StorageError("this program is ending and takes no more questions; ask again when it is back")
            self._claiming += 1
        try:
            yield
        finally:
            with self._lock:
                self._claiming -= 1

    def start(self, turn: str, stream: Stream, watch: Watch | None = None) -> LiveRun:
        """Run a claimed turn in its own thread."""
        run = LiveRun(self._store, self._process, turn, stream, watch)
        with self._lock:
            self._runs = {id: other for id, other in self._runs.items() if not (other.is_over and other.is_saved)}
            run.thread.start()  # before anybody can wait for its end
            self._runs[turn] = run
            if self._heart is None:
                self._heart = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
                self._heart.start()
        return run

    def get(self, turn: str) -> LiveRun | None:
        """Return the run while it goes on or its end is not stored yet; otherwise ``None``."""
        with self._lock:
            return self._runs.get(turn)

    def batches(self, turn: str, after: int, patience: float | None = None) -> Iterator[list[StoredEvent]]:
        """Yield the events of a turn above ``after`` in lists until its end, whichever process owns the run."""
        run = self.get(turn)
        return run.batches(after, patience) if run else self._poll(turn, after)

    def close(self, timeout: float) -> None:
        """Stop every run and wait for them to end, at most ``timeout`` seconds."""
        with self._lock:
            self._is_closing = True
        deadline = time.monotonic() + timeout
        while True:
            going, _ = self._open_runs()
            for run in going:
                run.cancel.set()
            for run in going:
                run.thread.join(max(0.0, deadline - time.monotonic()))
            with self._lock:
                is_over = not going and not self._claiming
            if is_over or time.monotonic() > deadline:
                break
            time.sleep(0.01)
        self._closed.set()
        if self._heart is not None:
            self._heart.join(timeout)
        with suppress(StorageError):  # what could not be stored before is tried a last time
            for run in self._open_runs()[1]:
                run.save_end()

    def _poll(self, turn: str, after: int) -> Iterator[list[StoredEvent]]:
        while True:
            is_going = runs.is_going(self._store, turn)  # asked before reading, so that the last events are not missed
            fresh = event_log.events(self._store, turn, after)
            yield fresh
            if not is_going:
                return
            if fresh:
                after = fresh[-1].seq
            elif not runs.interrupt_abandoned(self._store, self._process):
                time.sleep(POLL_SECONDS)

    def _open_runs(self) -> tuple[list[LiveRun], list[LiveRun]]:
        """Return the runs that go on, and the finished runs whose end is not stored yet."""
        with self._lock:
            every = list(self._runs.values())
        return [run for run in every if not run.is_over], [run for run in every if run.is_over and not run.is_saved]

    def _beat(self) -> None:
        while not self._closed.wait(BEAT_SECONDS):
            going, unsaved = self._open_runs()
            try:
                for run in unsaved:
                    run.save_end()
                if going:
                    stops = runs.heartbeat(self._store, self._process)
                    for run in going:
                        if run.turn in stops:
                            run.cancel.set()
            except StorageError as error:  # followers hear it from the run itself, whose writes fail as well
                log.debug("no heartbeat: %s", error)
