"""A corpus that is larger than memory: its passages go to disk as they are read, and are used from there.

What is held in memory is one line or page at a time, and eight bytes a passage.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import overload

from filelock import Timeout

from searchain.retrieval import parts, store
from searchain.retrieval.corpus import Corpus, Reading
from searchain.retrieval.extensions import Progress
from searchain.retrieval.readers import Format
from searchain.types import Passage

_PREFIX = "spool-"
REPORTED = 10_000
"""Passages after which progress is shown again."""


@contextmanager
def spooled(
    sources: Sequence[str | Path], folder: Path, format: Format = "auto", progress: Progress | None = None
) -> Iterator[Corpus]:
    """Read ``sources`` into a hidden folder in ``folder``, which goes in the end; yields the corpus.

    Raises:
        UsageError, RetrievalError, EmptyCorpus: as ``corpus.read``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _drop_abandoned(folder)
    key = f"{_PREFIX}{secrets.token_hex(8)}"
    directory = folder / f".{key}.draft"
    with parts.lock(folder, key) as held:
        directory.mkdir()
        try:
            reading = Reading(sources, format)
            store.write(directory, _counted(reading, progress))
            yield reading.corpus(Stored(store.PassageStore(directory)) if store.count(directory) else ())
        finally:
            shutil.rmtree(directory, ignore_errors=True)
            Path(held.lock_file).unlink(missing_ok=True)


def _drop_abandoned(folder: Path) -> None:
    """Remove what processes left that were killed."""
    for directory in folder.glob(f".{_PREFIX}*.draft"):
        lock = parts.lock(folder, directory.name.removeprefix(".").removesuffix(".draft"))
        with suppress(Timeout), lock.acquire(blocking=False):
            shutil.rmtree(directory, ignore_errors=True)
            Path(lock.lock_file).unlink(missing_ok=True)


class Stored(Sequence[Passage]):
    """The passages ``start`` to ``stop - 1`` of a store, read when they are asked for."""

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


def shards(passages: Sequence[Passage], size: int) -> list[Sequence[Passage]]:
    """Cut ``passages`` into pieces of at most ``size``; of a store nothing is read."""
    return [passages[start : start + size] for start in range(0, len(passages), size)]


def _counted(passages: Reading, progress: Progress | None) -> Iterator[Passage]:
    for number, passage in enumerate(passages, 1):
        if progress and number % REPORTED == 0:
            progress("reading passages", number, 0)
        yield passage
