"""Read a corpus larger than memory: write its passages to disk as they are read, one shard at a time.

Memory holds one line or page, and eight bytes per passage of the shard.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count, islice
from pathlib import Path
from typing import overload

from filelock import Timeout

from searchain.retrieval import parts, store
from searchain.retrieval.extensions import Progress
from searchain.types import Passage

_PREFIX = "spool-"
REPORTED = 10_000
"""How many passages are read between two reports of progress."""


@contextmanager
def spooled(
    passages: Iterable[Passage], folder: Path, size: int, progress: Progress | None = None
) -> Iterator[Iterator[Stored]]:
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


def _shards(passages: Iterator[Passage], directory: Path, size: int) -> Iterator[Stored]:
    for number in count():
        place = directory / str(number)
        place.mkdir()
        store.write(place, islice(passages, size))
        if not store.count(place):
            return
        yield Stored(store.PassageStore(place))
        shutil.rmtree(place)


def _drop_abandoned(folder: Path) -> None:
    """Remove the folders of processes that were killed."""
    for directory in folder.glob(f".{_PREFIX}*.draft"):
        lock = parts.lock(folder, directory.name.removeprefix(".").removesuffix(".draft"))
        with suppress(Timeout), lock.acquire(blocking=False):
            shutil.rmtree(directory, ignore_errors=True)
            Path(lock.lock_file).unlink(missing_ok=True)


class Stored(Sequence[Passage]):
    """The passages ``start`` to ``stop - 1`` of a store; each is read from disk when it is used."""

    def __init__(self, passages: store.PassageStore, start: int = 0, stop: int | None = None) -> None:
        self._passages, self._rows = passages, range(start, len(passages) if stop is None else stop)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, position: int) -> Passage: ...
    @overload
    def __getitem__(self, position: slice) -> Stored: ...
    def __getitem__(self, position: int | slice) -> Passage | Stored:
        if isinstance(position, int):
            return self._passages[self._rows[position]]
        rows = self._rows[position]
        if rows.step != 1:
            raise ValueError("only passages that stand together can be taken out")
        return Stored(self._passages, rows.start, rows.stop)


def _counted(passages: Iterable[Passage], progress: Progress | None) -> Iterator[Passage]:
    for number, passage in enumerate(passages, 1):
        if progress and number % REPORTED == 0:
            progress("reading passages", number, 0)
        yield passage
