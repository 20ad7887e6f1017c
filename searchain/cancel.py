"""Cancel a run from any thread; connections that wait for a network response are closed at once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from searchain.errors import Cancelled
from searchain.types import Usage


class CancelToken:
    """Set once, never cleared."""

    spent = Usage()
    """What the run has cost so far: known also where it ends without saying so."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_set = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        """Cancel, and run every registered callback once in this thread."""
        with self._lock:
            if self._is_set:
                return
            self._is_set = True
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def check(self) -> None:
        """Raise ``Cancelled`` if the token is set."""
        if self._is_set:
            raise Cancelled

    @contextmanager
    def on_set(self, callback: Callable[[], None]) -> Iterator[None]:
        """Run ``callback`` when the token is set while the block runs (at once if it is set already)."""
        with self._lock:
            is_set = self._is_set
            if not is_set:
                self._callbacks.append(callback)
        if is_set:
            callback()
        try:
            yield
        finally:
            with self._lock:
                if callback in self._callbacks:
                    self._callbacks.remove(callback)
