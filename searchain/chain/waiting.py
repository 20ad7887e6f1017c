"""Queue runs fairly: a limited number run at once, and owners of the others take turns. Tell what a run waits for."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from queue import SimpleQueue
from typing import TypeVar

from searchain.cancel import CancelToken
from searchain.chain.memory import uncollected
from searchain.events import Event, ModelFault, Waiting
from searchain.llm.base import heard_by

T = TypeVar("T")

CHECK_SECONDS = 1.0
"""Seconds between two checks of how many runs are ahead."""
RUSH_GAP = 0.5
"""Seconds within which the next place must be taken to belong to the same rush."""
CLOSE_GAP = 0.1
"""Seconds within which a second place may begin a rush; a run that began then would slow down all others."""
RUSH_SECONDS = 5.0
"""Seconds from the beginning of a rush in which served runs wait, so that every request is accepted first."""
_RUSH_CHECK_SECONDS = 0.05
_FINE = 5  # up to this many runs ahead, every change is reported; above it, every change by a tenth of the excess


class FairQueue:
    """A queue in order of arrival, in which an owner with fewer runs goes first. Thread-safe."""

    def __init__(self, at_once: int) -> None:
        """Make a queue that serves ``at_once`` places at the same time."""
        self._at_once = at_once
        self._lock = threading.Lock()
        self._served: Counter[str] = Counter()
        self._waiting: list[Place] = []
        self._order: list[Place] | None = None
        self._rush_began = self._last_taken = float("-inf")
        self._taken_in_rush = 0

    def place(self, owner: str) -> Place:
        """Take a place behind all others of ``owner``. Close it, or the places behind it wait for ever."""
        place = Place(self, owner)
        with self._lock:
            self._count(time.monotonic())
            self._waiting.append(place)
            self._changed()
        return place

    def is_rushed(self) -> bool:
        """Return whether a rush goes on: places are taken faster than they can be served.

        Up to ``at_once`` places make a rush only if each follows within ``CLOSE_GAP``, so that two people who ask in
        the same moment wait only a tenth of a second.
        """
        with self._lock:
            now = time.monotonic()
            gap = RUSH_GAP if self._taken_in_rush > self._at_once else CLOSE_GAP
            return self._taken_in_rush > 1 and now - self._last_taken < gap and now - self._rush_began < RUSH_SECONDS

    def ahead(self, place: Place) -> int:
        """Return how many places are served before ``place``; 0 if it is next or already served."""
        with self._lock:
            if place.is_served.is_set():
                return 0
            if self._order is None:
                self._order = self._sorted()
            return self._order.index(place) if place in self._order else 0

    def leave(self, place: Place) -> None:
        """Give ``place`` up, served or not; a second call does nothing."""
        with self._lock:
            if place in self._waiting:
                self._waiting.remove(place)
            elif not place.is_left:
                self._served[place.owner] -= 1
            place.is_left = True
            self._changed()

    def _count(self, now: float) -> None:
        if now - self._last_taken > RUSH_GAP:
            self._rush_began, self._taken_in_rush = now, 0
        self._last_taken = now
        self._taken_in_rush += 1

    def _changed(self) -> None:
        """Serve the next places while there is room."""
        self._order = None
        while self._waiting and self._served.total() < self._at_once:
            place = min(self._waiting, key=lambda one: self._served[one.owner])  # min returns the first of equals
            self._waiting.remove(place)
            self._served[place.owner] += 1
            place.is_served.set()
        self._served = +self._served

    def _sorted(self) -> list[Place]:
        """Return the waiting places in the order in which they will be served if no one else arrives.

        Each further place of an owner counts as one more run of that owner.
        """
        ranks, counts = [], Counter(self._served)
        for number, place in enumerate(self._waiting):
            ranks.append((counts[place.owner], number, place))
            counts[place.owner] += 1
        return [place for _, _, place in sorted(ranks, key=lambda rank: rank[:2])]


class Place(AbstractContextManager["Place"]):
    """One place in the queue. As a context manager it is given up at the end of the block."""

    def __init__(self, queue: FairQueue, owner: str) -> None:
        self.owner = owner
        self.is_served = threading.Event()
        self.is_left = False
        self._queue = queue

    def waiting(self, cancel: CancelToken) -> Iterator[Waiting]:
        """Wait to be served; yield how many runs are ahead, at once and whenever the number falls.

        During a rush a served place waits a little longer. Raises ``Cancelled`` if ``cancel`` was set; the place must
        still be closed.
        """
        told: int | None = None
        with cancel.on_set(self.is_served.set):
            while not self.is_served.wait(0 if told is None else CHECK_SECONDS):
                ahead = self._queue.ahead(self)
                if told is None or ahead < told - max(0, told - _FINE) // 10:
                    told = ahead
                    yield Waiting(ahead=ahead)
        while self._queue.is_rushed() and not cancel.is_set:
            time.sleep(_RUSH_CHECK_SECONDS)
        cancel.check()

    def close(self) -> None:
        """Give the place up."""
        self._queue.leave(self)

    def __exit__(self, *_: object) -> None:
        self.close()


def in_background(make: Callable[[], T]) -> Future[T]:
    """Call ``make`` in a thread for which the end of the process does not wait, unlike that of an executor."""
    made: Future[T] = Future()

    def work() -> None:
        try:
            made.set_result(make())
        except BaseException as error:  # for whoever asks for the result
            made.set_exception(error)

    threading.Thread(target=work, name="prepare", daemon=True).start()
    return made


def prepared(prepare: Callable[[], T], cancel: CancelToken, *, is_loading: bool = False) -> Generator[Event, None, T]:
    """Return what ``prepare`` returns, and yield meanwhile what people wait for.

    Raises ``Cancelled`` if ``cancel`` was set. Nobody waits for the thread in which ``prepare`` goes on.
    """
    if is_loading:
        yield Waiting(ahead=0, is_loading=True)
    heard: SimpleQueue[ModelFault | None] = SimpleQueue()
    loading = uncollected() if is_loading else nullcontext()

    def prepare_aloud() -> T:
        try:
            with heard_by(lambda what, action: heard.put(ModelFault(what=what, action=action))), loading:
                return prepare()
        finally:
            heard.put(None)

    made = in_background(prepare_aloud)
    with cancel.on_set(lambda: heard.put(None)):
        yield from iter(heard.get, None)
    cancel.check()
    return made.result()
