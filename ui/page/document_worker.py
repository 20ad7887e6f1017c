"""The background thread of the page that reads, encodes and removes own documents."""

import logging
import threading
from collections.abc import Callable

from searchain.errors import SearChainError
from storage.collections import access, adding, documents, removing
from storage.collections.documents import State
from storage.database import Database

log = logging.getLogger(__name__)
STOP_SECONDS = 5.0
"""Seconds for which ``close`` waits for the thread."""
AGAIN_SECONDS = 60.0
"""After this time a collection is tried again that another process works on, or whose encoding failed."""


class Worker:
    """The thread that reads and encodes documents in small steps, the owners in turn."""

    def __init__(self, store: Database, visitor_days: float) -> None:
        """Start the thread. Visitors' collections are removed after ``visitor_days`` days."""
        self._store, self._visitor_days = store, visitor_days
        self._woken, self._is_closed = threading.Event(), False
        self._aside = set[str]()
        """The collections with which nothing can be done for now."""
        self._served = list[str]()
        """The owners, the one who had the last turn at the end."""
        self._thread = threading.Thread(target=self._run, name="documents", daemon=True)
        self._thread.start()

    def wake(self, collection: str) -> None:
        """Tell the thread that ``collection`` has documents to read or encode."""
        self._aside.discard(collection)
        self._woken.set()

    def close(self) -> None:
        """Stop the thread after its present step."""
        self._is_closed = True
        self._woken.set()
        self._thread.join(STOP_SECONDS)

    @property
    def is_alive(self) -> bool:
        """Whether the thread works or waits for work."""
        return self._thread.is_alive()

    def _run(self) -> None:
        self._try(lambda: removing.tidy(self._store))
        while not (self._is_closed or self._store.is_closed):
            self._woken.clear()
            if self._try(self._take_turn):
                continue
            self._try(self._expire)
            if not self._woken.wait(AGAIN_SECONDS):
                self._aside.clear()

    def _take_turn(self) -> bool:
        """Take one step for the owner who has waited longest; return whether there was anything to do.

        Files are read before any is encoded, so that all are soon found by words.
        """
        waiting = [one for one in documents.under_way(self._store) if one.collection not in self._aside]
        waiting = [one for one in waiting if one.state is not State.ENCODING] or waiting
        if not waiting:
            return False
        owner_of = access.owners(self._store)
        turns = {owner: turn for turn, owner in enumerate(self._served)}
        chosen = min(waiting, key=lambda one: (turns.get(owner_of.get(one.collection, ""), -1), one.bytes))
        owner = owner_of.get(chosen.collection, "")
        self._served = [*(one for one in self._served if one != owner), owner]
        if not self._try(lambda: adding.step(self._store, chosen.collection)):
            self._aside.add(chosen.collection)
        return True

    def _expire(self) -> None:
        """Remove visitors' collections that have reached their age limit."""
        for collection in access.older_than(self._store, "visitor:", self._visitor_days):
            removing.remove_collection(self._store, collection, with_quotes=True)

    def _try(self, action: Callable[[], bool | None]) -> bool:
        """Return what ``action`` returns; ``False`` if it fails, which is logged."""
        try:
            return bool(action())
        except SearChainError as error:
            log.warning("documents: %s", error)
        except Exception:
            log.exception("documents")
        return False
