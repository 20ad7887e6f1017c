"""Indexes by name: build, list, extend, remove and open them.

An index is a list of parts (see ``parts``) and the checkpoint that made them (see ``registry``). It points to new parts
only when they are complete, so a killed build leaves the old index as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from searchain.errors import IndexMismatch, RetrievalError, UsageError
from searchain.files.checkout import SET_UP
from searchain.retrieval import checkpoint as checkpoints
from searchain.retrieval import parts, registry
from searchain.retrieval.corpus import DEFAULT, Corpus, Skipped, default_corpus, read
from searchain.retrieval.extensions import Progress
from searchain.retrieval.registry import Index, get, list_indexes
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
    progress: Progress | None = None,
) -> Built:
    """Index the passages of ``sources`` (files, directories, ``default``) as ``name``, replacing an old one.

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
    return _build(name, read(sources), checkpoint, progress)


@registry.disk_errors()
def build_default_index(progress: Progress | None = None) -> Built:
    """Index the embedded corpus as ``default``; at once when that is done already."""
    return _build(DEFAULT, default_corpus(), checkpoints.EMBEDDED, progress)


@registry.disk_errors()
def add_passages(name: str, sources: Sequence[str | Path], *, progress: Progress | None = None) -> Built:
    """Add the passages of ``sources`` to an index; those it holds already are left out.

    Parts that are not larger than what is added are built anew together with it, so their number grows with the
    logarithm of the additions.

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
        directory = _checkpoint_of(index)
        stores = [PassageStore(registry.parts_root() / part) for part in index.parts]
        new, skipped = _unknown(corpus, stores)
        if not new:
            return Built(index, False, 0, skipped)
        added, kept = len(new), list(zip(index.parts, stores, strict=True))
        while kept and len(kept[-1][1]) <= len(new):
            new = [*kept.pop()[1], *new]
        named = tuple(dict.fromkeys((*index.sources, *corpus.sources)))
        index = _store(name, [part for part, _ in kept], new, index.checkpoint, directory, named, progress)
    return Built(index, True, added, skipped)


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
        _collect_garbage()


@registry.disk_errors()
def open_index(name: str) -> ColbertRetriever:
    """The index, ready to search.

    Raises:
        IndexNotFound, UsageError: as ``get``.
        IndexMismatch: its checkpoint has changed since.
        RetrievalError: its files are damaged.
        SetupError: a part of the set-up is missing.
    """
    directory = _checkpoint_of(get(name))

    from safetensors import SafetensorError

    from searchain.retrieval.colbert import ColbertRetriever
    from searchain.retrieval.encoder import Encoder

    encoder = Encoder(directory)
    with registry.pointer_lock():  # no part is removed meanwhile
        try:
            opened = [parts.open_part(registry.parts_root(), part, encoder) for part in get(name).parts]
        except (OSError, ValueError, RuntimeError, KeyError, SafetensorError) as error:
            raise registry.damaged(name, error) from error
    return ColbertRetriever(encoder, opened)


def _build(name: str, corpus: Corpus, checkpoint: str, progress: Progress | None) -> Built:
    directory = checkpoints.find(checkpoint)
    key = parts.key(corpus.passages, checkpoints.fingerprint(directory))
    if checkpoint != checkpoints.EMBEDDED and Path(checkpoint).expanduser().is_dir():
        checkpoint = str(directory)
    with registry.edit_lock(name):
        if registry.path(name).is_file() and (registry.parts_root() / key).is_dir():
            with suppress(RetrievalError):  # a damaged one is replaced
                if (index := registry.load(name)).parts == (key,):
                    return Built(index, False, 0, corpus.skipped)
        index = _store(name, [], corpus.passages, checkpoint, directory, corpus.sources, progress)
    return Built(index, True, len(corpus.passages), corpus.skipped)


def _store(
    name: str,
    kept: Sequence[str],
    passages: Sequence[Passage],
    checkpoint: str,
    directory: Path,
    sources: Sequence[str],
    progress: Progress | None,
) -> Index:
    """Build the part of ``passages`` and point ``name`` to it, after the parts ``kept``."""
    fingerprint = checkpoints.fingerprint(directory)
    key = parts.key(passages, fingerprint)
    with parts.lock(registry.parts_root(), key):
        while True:
            with registry.pointer_lock():
                if parts.publish(registry.parts_root(), key):
                    count = sum(len(PassageStore(registry.parts_root() / part)) for part in kept) + len(passages)
                    index = Index(
                        name,
                        count,
                        checkpoint,
                        fingerprint,
                        tuple(sources),
                        datetime.now(UTC).isoformat(timespec="seconds"),
                        (*kept, key),
                    )
                    registry.save(index)
                    _collect_garbage()
                    return index
            from searchain.retrieval.encoder import Encoder

            parts.build(registry.parts_root(), key, passages, Encoder(directory), progress)


def _unknown(corpus: Corpus, stores: Sequence[PassageStore]) -> tuple[list[Passage], tuple[Skipped, ...]]:
    """The passages that no store holds, and those whose id stands for another passage there."""
    wanted = {passage.id: passage for passage in corpus.passages}
    clashes = []
    for store in stores:
        for old in store:
            if wanted.pop(old.id, old) != old:
                clashes.append(Skipped("index", 0, f"another passage has the id {old.id!r}"))
    return list(wanted.values()), (*corpus.skipped, *clashes)


def _checkpoint_of(index: Index) -> Path:
    directory = checkpoints.find(index.checkpoint)
    if checkpoints.fingerprint(directory) != index.fingerprint:
        again = (
            SET_UP
            if index.name == DEFAULT
            else f"python assistant.py index build {' '.join(index.sources)} --name {index.name}"
        )
        raise IndexMismatch(
            f"index {index.name!r} was made with another checkpoint than the present "
            f"{index.checkpoint!r}; build it again: {again}"
        )
    return directory


def _collect_garbage() -> None:
    parts.collect_garbage(registry.parts_root(), {part for index in list_indexes() for part in index.parts})
