"""A fair queue: so many run at once, and the others wait, each owner in turn."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from searchain.cancel import CancelToken
from searchain.events import Waiting

TOLD_SECONDS = 1.0
"""Between two looks at how many are ahead."""
_FINE = 5
"""From how many ahead on each step is told; of more only every tenth part."""


class FairQueue:
    """Places in the order of coming, but an owner with fewer runs goes first. Thread-safe."""

    def __init__(self, at_once: int) -> None:
        """``at_once`` places are served at the same time."""
        self._at_once = at_once
        self._lock = threading.Lock()
        self._served: Counter[str] = Counter()
        self._waiting: list[Place] = []
        self._order: list[Place] | None = None

    def place(self, owner: str) -> Place:
        """Take the place behind all others of ``owner``. Close it, or the places behind it wait for ever."""
        place = Place(self, owner)
        with self._lock:
            self._waiting.append(place)
            self._changed()
        return place

    def ahead(self, place: Place) -> int:
        """Return how many are served before ``place``; 0 for the next one, and for one that is served."""
        with self._lock:
            if place.is_served.is_set():
                return 0
            if self._order is None:
                self._order = self._sorted()
            return self._order.index(place) if place in self._order else 0

    def leave(self, place: Place) -> None:
        """Give the place up, served or not; a second time does nothing."""
        with self._lock:
            if place in self._waiting:
                self._waiting.remove(place)
            elif not place.is_left:
                self._served[place.owner] -= 1
            place.is_left = True
            self._changed()

    def _changed(self) -> None:
        """Serve whoever is next, as far as places are free."""
        self._order = None
        while self._waiting and self._served.total() < self._at_once:
            place = min(self._waiting, key=lambda one: self._served[one.owner])  # the first of equals
            self._waiting.remove(place)
            self._served[place.owner] += 1
            place.is_served.set()
        self._served = +self._served

    def _sorted(self) -> list[Place]:
        """The waiting in the order in which they are served if nobody comes: each owner's next one counts one more."""
        ranks, counts = [], Counter(self._served)
        for number, place in enumerate(self._waiting):
            ranks.append((counts[place.owner], number, place))
            counts[place.owner] += 1
        return [place for _, _, place in sorted(ranks, key=lambda rank: rank[:2])]


class Place:
    """One place in the queue. A context manager: leaving the block gives it up."""

    def __init__(self, queue: FairQueue, owner: str) -> None:
        self.owner = owner
        self.is_served = threading.Event()
        self.is_left = False
        self._queue = queue

    def waiting(self, cancel: CancelToken) -> Iterator[Waiting]:
        """Wait to be served, and yield how many are ahead, at once and as they become fewer.

        Raises:
            Cancelled: ``cancel`` was set; the place is to be closed all the same.
        """
        told: int | None = None
        with cancel.on_set(self.is_served.set):
            while not self.is_served.wait(0 if told is None else TOLD_SECONDS):
                ahead = self._queue.ahead(self)
                if told is None or ahead < told - max(0, told - _FINE) // 10:
                    told = ahead
                    yield Waiting(ahead=ahead)
        cancel.check()

    def close(self) -> None:
        """Give the place up."""
        self._queue.leave(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
