"""Indexes by name: build, list, extend, remove and open them.

An index is a list of parts (see ``parts``) and the checkpoint that made them (see ``registry``). It points to new parts
only when they are complete, so a killed build leaves the old index as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from searchain.errors import RetrievalError, UsageError
from searchain.retrieval import checkpoint as checkpoints
from searchain.retrieval import parts, registry, updates
from searchain.retrieval.corpus import DEFAULT, Corpus, Skipped, default_corpus, read
from searchain.retrieval.extensions import Progress
from searchain.retrieval.readers import Format
from searchain.retrieval.registry import Index, get, list_indexes
from searchain.retrieval.spool import shards, spooled
from searchain.retrieval.store import PassageStore
from searchain.types import Passage

if TYPE_CHECKING:
    from searchain.retrieval.colbert import ColbertRetriever

__all__ = [
    "Built",
    "Index",
    "add_passages",
    "build_default_index",
    "build_index",
    "get",
    "list_indexes",
    "open_index",
    "remove_index",
]

SHARD = 1_000_000
"""Passages of a part at most: what one machine encodes and compresses at a time."""


@dataclass(frozen=True, slots=True)
class Built:
    """What a build or an addition did."""

    index: Index
    is_new: bool
    """False when everything was there already."""
    added: int
    skipped: tuple[Skipped, ...]


@registry.disk_errors()
def build_index(
    name: str,
    sources: Sequence[str | Path],
    *,
    checkpoint: str = checkpoints.EMBEDDED,
    format: Format = "auto",
    progress: Progress | None = None,
) -> Built:
    """Index the passages of ``sources`` (files, directories, ``default``) as ``name``, replacing an old one.

    The passages go through disk, so that a dump of Wikipedia needs no more memory than a page of it.

    Raises:
        UsageError: a bad name or source.
        RetrievalError: an unreadable source, no passage (EmptyCorpus), or no such checkpoint.
        SetupError: a part of the set-up is missing.
    """
    registry.check_name(name)
    if name == DEFAULT:
        raise UsageError(
            f"{DEFAULT!r} is the embedded corpus; choose another name; to include that corpus, give "
            f"{DEFAULT!r} as a source"
        )
    with spooled(sources, registry.parts_root(), format, progress) as corpus:
        return _build(name, corpus, checkpoint, progress)


@registry.disk_errors()
def build_default_index(progress: Progress | None = None) -> Built:
    """Index the embedded corpus as ``default``; at once when that is done already."""
    return _build(DEFAULT, default_corpus(), checkpoints.EMBEDDED, progress)


@registry.disk_errors()
def add_passages(name: str, sources: Sequence[str | Path], *, progress: Progress | None = None) -> Built:
    """Add the passages of ``sources`` to an index; those it holds already are left out.

    Parts that are not larger than what is added are put together with it, so their number grows with the logarithm
    of the additions.

    Raises:
        UsageError: the embedded corpus, or a bad source.
        RetrievalError: as ``build_index``; IndexNotFound, IndexMismatch.
    """
    if name == DEFAULT:
        raise UsageError(
            f"{DEFAULT!r} is the embedded corpus; make an index of your own: index build {DEFAULT} FILE… --name NAME"
        )
    corpus = read(sources)
    with registry.edit_lock(name):
        index = get(name)
        updates.checkpoint_of(index)
        new, skipped = _unknown(corpus, [PassageStore(registry.parts_root() / part) for part in index.parts])
        if not new:
            return Built(index, False, 0, skipped)
        named = dict.fromkeys((*index.sources, *corpus.sources))
        return Built(updates.append(index, new, tuple(named), progress), True, len(new), skipped)


@registry.disk_errors()
def remove_index(name: str) -> None:
    """Remove an index; whoever has it open keeps it until closing.

    Raises:
        IndexNotFound, UsageError: as ``get``.
    """
    registry.check_name(name)
    with registry.edit_lock(name), registry.pointer_lock():
        if not registry.path(name).is_file():
            get(name)  # raises
        registry.path(name).unlink()
        updates.collect_garbage()


@registry.disk_errors()
def open_index(name: str) -> ColbertRetriever:
    """The index, ready to search.

    Raises:
        IndexNotFound, UsageError: as ``get``.
        IndexMismatch: its checkpoint has changed since.
        RetrievalError: its files are damaged.
        SetupError: a part of the set-up is missing.
    """
    from searchain.retrieval.live import LiveIndex, searching

    return searching([LiveIndex(name)])


def _build(name: str, corpus: Corpus, checkpoint: str, progress: Progress | None) -> Built:
    directory = checkpoints.find(checkpoint)
    fingerprint = checkpoints.fingerprint(directory)
    keyed = [(parts.key(shard, fingerprint), shard) for shard in shards(corpus.passages, SHARD)]
    keys = tuple(key for key, _ in keyed)
    if checkpoint != checkpoints.EMBEDDED and Path(checkpoint).expanduser().is_dir():
        checkpoint = str(directory)
    with registry.edit_lock(name):
        if registry.path(name).is_file() and all((registry.parts_root() / key).is_dir() for key in keys):
            with suppress(RetrievalError):  # a damaged one is replaced
                if (index := registry.load(name)).parts == keys:
                    return Built(index, False, 0, corpus.skipped)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        index = Index(name, len(corpus.passages), checkpoint, fingerprint, corpus.sources, created, keys)
        _store(index, keyed, directory, progress)
    return Built(index, True, len(corpus.passages), corpus.skipped)


def _store(
    index: Index, keyed: Sequence[tuple[str, Sequence[Passage]]], directory: Path, progress: Progress | None
) -> None:
    """Build the parts that are missing, and point the index to all of them at once."""
    root = registry.parts_root()
    with ExitStack() as locks:
        for key in sorted(index.parts):  # in one order, so that two builds cannot wait for each other
            locks.enter_context(parts.lock(root, key))
        while True:
            with registry.pointer_lock():
                if all(parts.is_there(root, key) for key in index.parts):
                    for key in index.parts:
                        parts.publish(root, key)
                    registry.save(index)
                    updates.collect_garbage()
                    return
            from searchain.retrieval.encoder import shared_encoder

            for key, passages in keyed:
                if not parts.is_there(root, key):
                    parts.build(root, key, passages, shared_encoder(directory), progress)


def _unknown(corpus: Corpus, stores: Sequence[PassageStore]) -> tuple[list[Passage], tuple[Skipped, ...]]:
    """The passages that no store holds, and those whose id stands for another passage there."""
    wanted = {passage.id: passage for passage in corpus.passages}
    clashes = []
    for store in stores:
        for old in store:
            if wanted.pop(old.id, old) != old:
                clashes.append(Skipped("index", 0, f"another passage has the id {old.id!r}"))
    return list(wanted.values()), (*corpus.skipped, *clashes)
