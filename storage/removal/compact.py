"""Rewrites the database file some time after deletions: a rewrite takes long and blocks writers, so one serves many."""

import logging
import threading

from searchain.errors import StorageError
from storage.database import Database
from storage.removal import delete

log = logging.getLogger(__name__)

DELAY = 300.0
"""Seconds from a deletion until the file is rewritten. It is rewritten no more often than that."""


class Compaction:
    """Rewrites the file some time after ``removal.remove``, also for turns that an earlier process removed."""

    def __init__(self, store: Database, delay: float = DELAY) -> None:
        self._store, self._delay = store, delay
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._is_needed = self._is_closed = False
        if not delete.is_compact(store):
            self._begin()

    def soon(self) -> None:
        """Plan a rewrite after a deletion."""
        self._is_needed = True
        self._begin()

    def close(self) -> None:
        """Stop the timer and rewrite the file now if this process has deleted text."""
        with self._lock:
            self._is_closed = True
            if self._timer:
                self._timer.cancel()
        if self._is_needed:
            self._compact()

    def _begin(self) -> None:
        with self._lock:
            if self._timer is None and not self._is_closed:
                self._timer = threading.Timer(self._delay, self._later)
                self._timer.daemon = True
                self._timer.start()

    def _later(self) -> None:
        with self._lock:
            self._timer = None
        if not self._compact():
            self._begin()

    def _compact(self) -> bool:
        self._is_needed = False
        try:
            return delete.compact(self._store)
        except StorageError as error:
            log.warning("deleted text is still in the file: %s", error)
            self._is_needed = True
            return False
