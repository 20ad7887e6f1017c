"""The background thread of the page that reads, encodes and removes own documents."""

import logging
import queue
import threading
from collections.abc import Callable

from searchain.errors import SearChainError
from storage.collections import access as collections
from storage.collections import adding, documents, removing
from storage.collections.documents import Document
from storage.database import Database

log = logging.getLogger(__name__)


class Worker:
    """The thread that reads and encodes documents, one collection after the other."""

    def __init__(self, store: Database, visitor_days: float) -> None:
        """Start the thread. Visitors' collections are removed after ``visitor_days`` days."""
        self._store, self._visitor_days = store, visitor_days
        self._waiting: queue.Queue[str | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="documents", daemon=True)
        self._thread.start()

    def wake(self, collection: str) -> None:
        """Queue ``collection``, because it has documents to read or encode."""
        self._waiting.put(collection)

    def close(self) -> None:
        """Stop the thread after the collection that it works on."""
        self._waiting.put(None)
        self._thread.join(5.0)

    def _run(self) -> None:
        self._try(lambda: removing.tidy(self._store))
        self._try(self._expire)
        for collection in {document.collection for document in self._under_way()}:
            self._waiting.put(collection)
        while (next_one := self._waiting.get()) is not None:
            self._try(lambda: adding.work(self._store, next_one))
            self._try(self._expire)

    def _under_way(self) -> list[Document]:
        try:
            return documents.under_way(self._store)
        except SearChainError:
            return []

    def _expire(self) -> None:
        """Remove visitors' collections that have reached their age limit."""
        for collection in collections.older_than(self._store, "visitor:", self._visitor_days):
            removing.remove_collection(self._store, collection, with_quotes=True)

    def _try(self, action: Callable[[], object]) -> None:
        try:
            action()
        except SearChainError as error:
            log.warning("documents: %s", error)
        except Exception:
            log.exception("documents")
