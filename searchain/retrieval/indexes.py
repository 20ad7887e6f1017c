"""Build, list, extend, remove and open indexes by name.

An index is a list of parts (see ``parts``) and the checkpoint that made them (see ``registry``). It points to new parts
only when they are complete, so a killed build leaves the old index as it was. A corpus may be larger than memory: its
passages are written to disk as they are read, one shard at a time. Memory holds one line or page, and eight bytes per
passage of the shard.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from filelock import Timeout

from searchain.errors import RetrievalError, UsageError
from searchain.retrieval import checkpoint as checkpoints
from searchain.retrieval import parts, registry, store, updates
from searchain.retrieval.base import Progress
from searchain.retrieval.corpus import DEFAULT, Format, Reading, Skipped
from searchain.retrieval.parts import SHARD
from searchain.retrieval.registry import Index, Shard, get
from searchain.retrieval.registry import list_indexes as list_indexes
from searchain.retrieval.store import PassageStore
from searchain.types import Passage

if TYPE_CHECKING:
    from searchain.retrieval.colbert import ColbertRetriever

_PREFIX = "spool-"
REPORTED = 10_000
"""How many passages are read between two reports of progress."""


@contextmanager
def spooled(
    passages: Iterable[Passage], folder: Path, size: int, progress: Progress | None = None
) -> Iterator[Iterator[Sequence[Passage]]]:
    """Cut ``passages`` into shards of at most ``size``, and yield an iterator over the shards.

    Each shard stays in a hidden folder in ``folder`` until the next one is requested. Raises what reading the passages
    raises.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _drop_abandoned(folder)
    key = f"{_PREFIX}{secrets.token_hex(8)}"
    directory = folder / f".{key}.draft"
    with parts.lock(folder, key) as held:
        directory.mkdir()
        try:
            yield _shards(_counted(passages, progress), directory, size)
        finally:
            shutil.rmtree(directory, ignore_errors=True)
            Path(held.lock_file).unlink(missing_ok=True)


def _shards(passages: Iterator[Passage], directory: Path, size: int) -> Iterator[Sequence[Passage]]:
    for number in count():
        place = directory / str(number)
        place.mkdir()
        store.write(place, islice(passages, size))
        if not store.count(place):
            return
        yield PassageStore(place)
        shutil.rmtree(place)


def _drop_abandoned(folder: Path) -> None:
    for directory in folder.glob(f".{_PREFIX}*.draft"):
        lock = parts.lock(folder, directory.name.removeprefix(".").removesuffix(".draft"))
        with suppress(Timeout), lock.acquire(blocking=False):
            shutil.rmtree(directory, ignore_errors=True)
            Path(lock.lock_file).unlink(missing_ok=True)


def _counted(passages: Iterable[Passage], progress: Progress | None) -> Iterator[Passage]:
    for number, passage in enumerate(passages, 1):
        if progress and number % REPORTED == 0:
            progress("reading passages", number, 0)
        yield passage


@dataclass(frozen=True, slots=True)
class Built:
    """The result of building an index or adding passages to it."""

    index: Index
    is_new: bool
    """False if the index already held everything."""
    added: int
    skipped: tuple[Skipped, ...]


class Builder(Protocol):
    """Builds the parts of an index, in this process or on the machines of a cluster."""

    def build(self, root: Path, key: str, passages: Sequence[Passage], checkpoint: Path) -> None:
        """Begin the draft of the part ``key``, unless it exists. ``passages`` are all read before this returns."""

    def wait(self) -> None:
        """Wait until every draft is complete. Raises the error of a draft that failed."""


class LocalBuilder:
    """Builds each part at once in this process."""

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress

    def build(self, root: Path, key: str, passages: Sequence[Passage], checkpoint: Path) -> None:
        from searchain.retrieval.encoder import shared_encoder

        with parts.lock(root, key):
            if not parts.is_there(root, key):
                parts.build(root, key, passages, shared_encoder(checkpoint), self._progress)

    def wait(self) -> None:
        pass


@registry.disk_errors()
def build_index(
    name: str,
    sources: Sequence[str | Path],
    *,
    checkpoint: str = checkpoints.EMBEDDED,
    format: Format = "auto",
    shard_size: int = SHARD,
    builder: Builder | None = None,
    progress: Progress | None = None,
) -> Built:
    """Index the passages of ``sources`` (files, directories, ``default``) as ``name``, replacing an old one.

    The passages are written to disk, and each ``shard_size`` of them become a part as soon as they are read. A killed
    build continues from its complete parts and from the vectors of the unfinished one.

    Raises ``UsageError`` for a bad name or source, ``RetrievalError`` for an unreadable source, no passage
    (``EmptyCorpus``) or no such checkpoint, and ``SetupError`` if a part of the set-up is missing.
    """
    registry.check_name(name)
    if name == DEFAULT:
        raise UsageError(
            f"{DEFAULT!r} is the embedded corpus; choose another name; to include that corpus, give "
            f"{DEFAULT!r} as a source"
        )
    directory = checkpoints.find(checkpoint)
    if checkpoint != checkpoints.EMBEDDED and Path(checkpoint).expanduser().is_dir():
        checkpoint = str(directory)
    with registry.edit_lock(name):
        while True:
            reading = Reading(sources, format)
            with spooled(reading, registry.parts_root(), shard_size, progress) as found:
                shards = _make(found, directory, builder or LocalBuilder(progress))
            if built := _point(name, shards, checkpoint, directory, reading):
                return built


def build_default_index(progress: Progress | None = None) -> Index:
    """Index the embedded corpus as ``default``, unless that index exists; until then its words are searched.

    Another process that builds it is waited for. Raises as ``updates.encode``.
    """
    updates.announce_default()
    updates.encode(DEFAULT, progress)
    return get(DEFAULT)


@registry.disk_errors()
def add_passages(name: str, sources: Sequence[str | Path], *, progress: Progress | None = None) -> Built:
    """Add the passages of ``sources`` to an index, except those that it already holds.

    The new part is merged with last parts that are not larger, so the number of parts grows with the logarithm of the
    additions. Raises ``UsageError`` for the embedded corpus or a bad source, ``RetrievalError`` as ``build_index``, and
    ``IndexNotFound`` and ``IndexMismatch``.
    """
    if name == DEFAULT:
        raise UsageError(
            f"{DEFAULT!r} is the embedded corpus; make an index of your own: index build {DEFAULT} FILE… --name NAME"
        )
    reading = Reading(sources)
    with registry.edit_lock(name):
        index, added = get(name), 0
        checkpoints.of_index(index)
        held = chain.from_iterable(PassageStore(registry.parts_root() / part) for part in index.parts)
        with spooled(reading.beyond(held), registry.parts_root(), SHARD, progress) as found:
            for passages in found:
                named = dict.fromkeys((*index.sources, *reading.sources))
                index = updates.append(index, passages, tuple(named), progress)
                added += len(passages)
        return Built(index, added > 0, added, reading.skipped)


@registry.disk_errors()
def remove_index(name: str) -> None:
    """Remove an index; a process that has it open can still search it. Raises as ``get``."""
    registry.check_name(name)
    with registry.edit_lock(name), registry.pointer_lock():
        if not registry.path(name).is_file():
            get(name)  # raises
        registry.path(name).unlink()
        updates.collect_garbage()


@registry.disk_errors()
def open_index(name: str) -> ColbertRetriever:
    """Open the index ``name`` for searching. Raises as ``LiveIndex.current``."""
    from searchain.retrieval.live import LiveIndex, searching

    return searching([LiveIndex(name)])


def _make(found: Iterable[Sequence[Passage]], checkpoint: Path, builder: Builder) -> list[Shard]:
    """Build the missing parts of the shards in ``found``, one shard at a time; return all shards."""
    root, fingerprint = registry.parts_root(), checkpoints.fingerprint(checkpoint)
    shards: list[Shard] = []
    for passages in found:
        key = parts.key(passages, fingerprint)
        if not (root / key).is_dir():
            builder.build(root, key, passages, checkpoint)
        shards.append(Shard((key,), len(passages), passages[0].id, passages[-1].id))
        parts.keep(root, (key for shard in shards for key in shard.parts))
    builder.wait()
    return shards


def _point(name: str, shards: Sequence[Shard], checkpoint: str, directory: Path, reading: Reading) -> Built | None:
    """Write the index file, which names all parts; return ``None`` if a part was removed meanwhile."""
    root, keys = registry.parts_root(), tuple(key for shard in shards for key in shard.parts)
    with registry.pointer_lock():
        if not all(parts.is_there(root, key) for key in keys):
            return None
        if registry.path(name).is_file() and all((root / key).is_dir() for key in keys):
            with suppress(RetrievalError):  # a damaged one is replaced
                if (index := registry.load(name)).parts == keys:
                    return Built(index, False, 0, reading.skipped)
        for key in keys:
            parts.publish(root, key)
        index = Index(
            name,
            sum(shard.passages for shard in shards),
            checkpoint,
            checkpoints.fingerprint(directory),
            reading.sources,
            datetime.now(UTC).isoformat(timespec="seconds"),
            keys,
            shards=tuple(shards) if len(shards) > 1 else (),
        )
        registry.save(index)
        updates.collect_garbage()
    return Built(index, True, index.passages, reading.skipped)
