"""Brings documents from ``queued`` to ``ready``: parsed in a child process, searchable by words, then encoded.

Only the holder of a collection's lock works on it. The lock is released when its process dies; the next process
continues from the states in the database and the pointer of the index.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from searchain.errors import DocumentRefused, SearChainError
from storage.collections import documents
from storage.collections.access import index_of
from storage.collections.documents import Document, State
from storage.collections.files import Files
from storage.collections.removing import drop_unused
from storage.database import Database

if TYPE_CHECKING:
    from searchain.documents import ParsedDocument
    from searchain.retrieval.extensions import Progress
    from searchain.types import Passage

log = logging.getLogger(__name__)
BATCH = 256
"""The number of passages that are encoded together as one part of the index."""
Report = Callable[[Document], None]


def work(
    store: Database,
    collection: str,
    *,
    report: Report = lambda document: None,
    progress: Progress | None = None,
    wait: bool = True,
) -> bool:
    """Parse and encode the pending documents of a collection; with ``wait=False``, return whether another process does.

    Args:
        report: called after every change of a document's state.

    Raises:
        SetupError, RetrievalError: encoding failed; the documents can be searched by words, and the next call
            continues.
        StorageError: a state could not be stored.
    """
    files = Files(store)
    files.root.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = FileLock(files.root / f".{collection}.lock")
    try:
        with lock.acquire(blocking=wait):
            while pending := documents.under_way(store, collection):
                _Worker(store, files, collection, report, progress).run(pending)
    except Timeout:
        return True
    return False


class _Worker:
    """One pass over the pending documents of a collection."""

    def __init__(
        self, store: Database, files: Files, collection: str, report: Report, progress: Progress | None
    ) -> None:
        self.store, self.files, self.collection = store, files, collection
        self.index, self.report, self.progress = index_of(collection), report, progress

    def run(self, pending: list[Document]) -> None:
        announced = 0
        for document in pending:
            announced += self._announce(document)
            if announced >= BATCH:
                self._encode()
                announced = 0
        self._encode()

    def _announce(self, document: Document) -> int:
        """Parse a document and make it searchable by words; return the number of its passages."""
        from searchain.retrieval import updates

        before = documents.get(self.store, document.id).sha256
        if before != document.sha256 or self._is_announced(document):
            return 0
        if not self._tell(document, State.PARSING):
            return 0
        try:
            parsed, passages = self._read(document)
        except DocumentRefused as error:
            updates.forget(self.index, [document.id])  # an older version
            self._tell(document, State(error.state), reason=error.reason)
            drop_unused(self.store, self.files)
            return 0
        self.files.put_text(parsed)
        updates.announce(
            self.index, passages, is_wanted=lambda id: documents.is_wanted(self.store, id, document.sha256)
        )
        told = {
            "type": parsed.type,
            "pages": len(parsed.pages) or None,
            "parser": parsed.parser,
            "reason": parsed.unread,
        }
        self._tell(document, State.ENCODING, **told)
        return len(passages)

    def _read(self, document: Document) -> tuple[ParsedDocument, list[Passage]]:
        """Return the text of a document and its passages. Raises ``DocumentRefused`` if it has none."""
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

    def _is_announced(self, document: Document) -> bool:
        """Return whether an earlier process has made this version searchable."""
        if document.state is not State.ENCODING:
            return False
        return self._indexed().get(document.id) == document.sha256

    def _encode(self) -> None:
        """Encode the waiting passages, and set their documents to ``ready``."""
        from searchain.retrieval import updates

        if not self._is_begun():
            return
        try:
            updates.encode(self.index, self.progress)
            there = self._indexed()
            for document in documents.under_way(self.store, self.collection):
                if document.state is State.ENCODING and there.get(document.id) == document.sha256:
                    self._tell(document, State.READY, reason=self._unread(document))
            updates.compact(self.index, self.progress)
            drop_unused(self.store, self.files)
        except SearChainError as error:
            for document in documents.under_way(self.store, self.collection):
                if document.state is State.ENCODING:
                    self._tell(document, State.ENCODING, reason=str(error))
            raise

    def _unread(self, document: Document) -> str | None:
        """Return what of a readable document was not read; until now its reason may have been an error of encoding."""
        parsed = self.files.parsed(document.sha256, document.type or "") if document.reason else None
        return parsed.unread if parsed else None

    def _is_begun(self) -> bool:
        """Return whether the collection has an index; removed documents may still have to be deleted from it."""
        from searchain.errors import IndexNotFound
        from searchain.retrieval import registry

        try:
            registry.get(self.index)
        except IndexNotFound:
            return False
        return True

    def _indexed(self) -> dict[str, str]:
        """Map the IDs of the documents in the index to their versions."""
        from searchain.errors import IndexNotFound
        from searchain.retrieval import registry, updates

        try:
            return updates.documents_of(registry.get(self.index))
        except IndexNotFound:
            return {}

    def _tell(self, document: Document, state: State, **values: object) -> bool:
        """Store and report a state; return ``False`` if the document no longer has this version."""
        changed = documents.set_state(self.store, document, state, **values)
        if changed:
            self.report(changed)
        return changed is not None
