"""Brings documents from ``queued`` to ``ready``: parsed in a child process, searchable by words, then encoded.

Only the holder of a collection's lock works on it. The lock is released when its process dies; the next process
continues from the states in the database and the pointer of the index.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from searchain.errors import DocumentRefused, IndexNotFound, SearChainError, StorageError
from storage.collections import documents, places
from storage.collections.access import index_of
from storage.collections.documents import Document, State
from storage.collections.files import Files
from storage.collections.removing import drop_unused
from storage.database import Database

if TYPE_CHECKING:
    from searchain.documents import ParsedDocument
    from searchain.retrieval.base import Progress
    from searchain.retrieval.registry import Index
    from searchain.types import Passage

log = logging.getLogger(__name__)
SLICE = 256
"""The number of passages after whose encoding others have their turn."""
Report = Callable[[Document], None]


def work(
    store: Database, collection: str, *, report: Report = lambda document: None, progress: Progress | None = None
) -> None:
    """Parse and encode the pending documents of a collection; wait where another process does so.

    ``report`` is called after every change of a document's state.

    Raises:
        SetupError, RetrievalError: encoding failed; the documents can be searched by words, and the next call
            continues.
        StorageError: a state could not be stored.
    """
    worker = _Worker(store, collection, report, progress)
    with worker.lock:
        while worker.step():
            pass


def step(store: Database, collection: str) -> bool:
    """Read the smallest file of a collection that is not read, or else encode a slice of its passages.

    Return whether anything changed; not so if another process works on the collection.

    Raises:
        SetupError, RetrievalError, StorageError: as ``work``.
    """
    worker = _Worker(store, collection)
    try:
        with worker.lock.acquire(blocking=False):
            worker.step()
            return worker.has_told
    except Timeout:
        return False


class _Worker:
    """The work on the documents of one collection, in steps. Each step is to be taken under ``lock``."""

    def __init__(
        self, store: Database, collection: str, report: Report = lambda document: None, progress: Progress | None = None
    ) -> None:
        self.store, self.files, self.collection = store, Files(store), collection
        self.index, self.report, self.progress = index_of(collection), report, progress
        self.has_told = False
        """Whether a state was stored, or was not because the document went or has another version."""
        self.files.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.lock = FileLock(self.files.root / f".{collection}.lock")

    def step(self) -> bool:
        """Read one document, so that all are soon found by words; once all are read, encode a slice of them.

        Return whether there was anything to do."""
        from searchain.retrieval import updates

        unread = documents.next_up(self.store, self.collection)
        if unread and unread[0].state is State.ENCODING:
            there = self._indexed(updates.documents_of)
            pending = documents.under_way(self.store, self.collection)
            unread = [document for document in pending if there.get(document.id) != document.sha256]
            if not unread:
                self._encode()
                return True
        for document in sorted(unread, key=lambda document: document.bytes)[:1]:
            self._announce(document)
        return bool(unread)

    def _announce(self, document: Document) -> None:
        from searchain.retrieval import updates

        if not self._tell(document, State.PARSING):
            return
        try:
            parsed, passages = self._read(document)
        except DocumentRefused as error:
            updates.forget(self.index, [document.id])  # an older version
            self._tell(document, State(error.state), reason=error.reason)
            self._tidy()
            return
        try:
            self.files.put_text(parsed)
        except StorageError:
            if documents.is_wanted(self.store, document.id, document.sha256):
                raise
            return  # it was removed meanwhile, with what was written
        updates.announce(
            self.index, passages, is_wanted=lambda id: documents.is_wanted(self.store, id, document.sha256)
        )
        places.recheck(self.store, self.files, document, parsed)
        about = {"type": parsed.type, "pages": len(parsed.pages) or None, "parser": parsed.parser}
        self._tell(document, State.ENCODING, reason=parsed.unread, **about)

    def _read(self, document: Document) -> tuple[ParsedDocument, list[Passage]]:
        from searchain.documents import parse_file, passages_of

        original = self.files.original(document.sha256)
        if not original.is_file():
            raise DocumentRefused("failed", "Its bytes are not there any more; add it again.")
        try:
            parsed = parse_file(original, document.name)
            passages = passages_of(parsed, document.id, document.sha256)
        except SearChainError:
            raise
        except Exception as error:  # one document must not keep the others waiting
            log.exception("document %s", document.id)
            raise DocumentRefused("failed", f"The program could not read it ({type(error).__name__}).") from error
        if not passages:
            raise DocumentRefused("no_text", "No text was found in it.")
        return parsed, passages

    def _encode(self) -> None:
        """Encode a slice of the waiting passages, and set the documents that are encoded to ``ready``."""
        from searchain.retrieval import updates

        try:
            updates.encode(self.index, self.progress, most=SLICE)
            there = self._indexed(updates.encoded_in)
            for document in documents.under_way(self.store, self.collection):
                if document.state is State.ENCODING and there.get(document.id) == document.sha256:
                    self._tell(document, State.READY, reason=self._unread(document))
            self._tidy()
        except SearChainError as error:
            for document in documents.under_way(self.store, self.collection):
                if document.state is State.ENCODING:
                    self._tell(document, State.ENCODING, reason=str(error))
            raise

    def _unread(self, document: Document) -> str | None:
        """Return what of a readable document was not read; until now its reason may have been an error of encoding."""
        parsed = self.files.parsed(document.sha256, document.type or "") if document.reason else None
        return parsed.unread if parsed else None

    def _tidy(self) -> None:
        """Leave no text of removed documents and versions on the disk."""
        from searchain.retrieval import updates

        with suppress(IndexNotFound):
            updates.compact(self.index, self.progress)
        drop_unused(self.store, self.files)

    def _indexed(self, which: Callable[[Index], dict[str, str]]) -> dict[str, str]:
        """Map the IDs of documents in the index to their versions."""
        from searchain.retrieval import registry

        try:
            return which(registry.get(self.index))
        except IndexNotFound:
            return {}

    def _tell(self, document: Document, state: State, **values: object) -> bool:
        """Store and report a state; return ``False`` if the document no longer has this version."""
        changed = documents.set_state(self.store, document, state, **values)
        self.has_told = True
        if changed:
            self.report(changed)
        return changed is not None
