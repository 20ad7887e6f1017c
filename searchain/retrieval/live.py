"""Search indexes that change: each run sees the documents that exist when it starts, without a restart.

``LiveIndex`` checks the pointer file (one ``stat``). If the file changed, it opens the new parts and reuses the others.
One run searches a ``Pinned`` generation, which stays the same to the end of the run, except that documents removed
meanwhile by any process are no longer found.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from safetensors import SafetensorError

from searchain.errors import IndexMismatch, IndexNotFound, RetrievalError
from searchain.retrieval import checkpoint as checkpoints
from searchain.retrieval import parts, registry, updates
from searchain.retrieval.colbert import ColbertRetriever, Part, WaitingPart
from searchain.retrieval.corpus import DEFAULT
from searchain.retrieval.encoder import shared_encoder
from searchain.retrieval.registry import Index
from searchain.types import JOINT, Passage, Search, is_own


@dataclass(frozen=True, slots=True)
class Generation:
    """The state of an index at one moment."""

    index: Index
    opened: dict[str, Part]
    """Name of a part → the open part."""
    documents: frozenset[tuple[str, str]]
    """(document, version) of all documents that can be found."""


class LiveIndex:
    """An index that this process searches while any process may change it; thread-safe."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._stamp: tuple[int, int, int] | None = None
        self._generation: Generation | None = None

    def current(self) -> Generation:
        """Return the present generation; open new parts and drop removed ones first.

        Raises as ``registry.get``; ``IndexMismatch`` if the checkpoint has changed, ``RetrievalError`` if its files are
        damaged, and ``SetupError`` if a part of the set-up is missing.
        """
        with self._lock:
            stamp = self._look()
            if self._generation is None or stamp != self._stamp:
                self._generation = self._open(self._generation)
                self._stamp = stamp
            return self._generation

    def _look(self) -> tuple[int, int, int] | None:
        """Return a stamp that changes whenever the pointer file does; ``None`` without the file."""
        registry.check_name(self.name)
        try:
            status = registry.path(self.name).stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_ino, status.st_size

    def _open(self, old: Generation | None) -> Generation:
        try:
            if self.name == DEFAULT:
                updates.announce_default()
            directory = checkpoints.of_index(registry.get(self.name))
        except IndexNotFound:
            if not is_own(self.name):
                raise
            return Generation(Index(self.name, 0, "", "", (), "", ()), {}, frozenset())
        known = old.opened if old else {}
        encoder = shared_encoder(directory)
        with registry.pointer_lock():  # no part is removed meanwhile
            index = registry.get(self.name)
            root = registry.parts_root()
            try:
                opened = {name: known.get(name) or parts.open_part(root / name) for name in index.parts}
                opened |= {name: known.get(name) or WaitingPart(root / name, encoder) for name in index.waiting}
            except (OSError, ValueError, RuntimeError, KeyError, TypeError, SafetensorError) as error:
                raise registry.damaged(self.name, error) from error
        documents = {
            (id, rows.version)
            for name, part in opened.items()
            for id, rows in part.documents.items()
            if id not in index.removed.get(name, ())
        }
        return Generation(index, opened, frozenset(documents))


class Pinned:
    """One generation of an index, without the documents removed since."""

    def __init__(self, live: LiveIndex, pinned: Generation) -> None:
        self._live, self._pinned = live, pinned
        self.name, self.generation = live.name, pinned.index.generation
        self._seen: Generation | None = None
        self._now: list[tuple[Part, frozenset[int]]] = []
        self._has_documents = any(part.documents for part in pinned.opened.values())

    @property
    def index(self) -> Index:
        return self._pinned.index

    def now(self) -> Sequence[tuple[Part, frozenset[int]]]:
        """Return the parts of the generation, each with the rows of removed documents."""
        now = self._pinned if not self._has_documents else self._current()
        if now is not self._seen:
            self._now = [(part, self._gone(name, part, now)) for name, part in self._pinned.opened.items()]
            self._seen = now
        return self._now

    def passages_of(self, document: str) -> Iterator[Passage]:
        """Yield the passages of one document in order; none if it was removed."""
        for part, gone in self.now():
            if rows := part.documents.get(document):
                yield from (part.store[row] for row in range(rows.start, rows.stop) if row not in gone)

    def _current(self) -> Generation:
        """Return the present generation; one without documents if the index was removed or is unusable."""
        with suppress(RetrievalError):
            return self._live.current()
        return Generation(self._pinned.index, {}, frozenset())

    def _gone(self, name: str, part: Part, now: Generation) -> frozenset[int]:
        removed = self._pinned.index.removed.get(name, ())
        return frozenset(
            row
            for id, rows in part.documents.items()
            if id in removed or (id, rows.version) not in now.documents
            for row in range(rows.start, rows.stop)
        )


def searching(indexes: Sequence[LiveIndex], search: Search | None = None) -> ColbertRetriever:
    """Return a retriever over all ``indexes`` in their present state.

    ``search``: how passages are found; ``None``: by words and meaning if own documents are searched, else by meaning.
    Raises ``IndexNotFound`` if no index holds a passage, ``IndexMismatch`` if they were made with different
    checkpoints, and else as ``LiveIndex.current``.
    """
    pins = [Pinned(live, live.current()) for live in indexes]
    there = [pin for pin in pins if pin.index.parts or pin.index.waiting]
    if not there:
        raise IndexNotFound(
            "the collection holds no document that can be searched",
            hint="add some: python assistant.py documents add FILE… --collection NAME",
        )
    if len({pin.index.fingerprint for pin in there}) > 1:
        names = ", ".join(f"{pin.name} ({pin.index.checkpoint})" for pin in there)
        raise IndexMismatch(f"these cannot be searched together, they were made with different checkpoints: {names}")
    search = search or ("fused" if any(is_own(pin.name) for pin in pins) else "meaning")
    return ColbertRetriever(shared_encoder(checkpoints.of_index(there[0].index)), there, search)


class Shelf:
    """The live indexes of one process; those used last stay open."""

    def __init__(self) -> None:
        self._live = lru_cache(maxsize=32)(LiveIndex)

    def searching(self, names: str, search: Search | None = None) -> ColbertRetriever:
        """Return a retriever over the indexes ``names`` (joined by ``+``). Raises as ``searching``."""
        return searching([self._live(name) for name in names.split(JOINT)], search)
