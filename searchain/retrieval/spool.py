"""A corpus that is larger than memory: its passages go to disk as they are read, and are used from there.

What is held in memory is one line or page at a time, and eight bytes a passage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import overload

from searchain.retrieval import store
from searchain.retrieval.corpus import Corpus, Reading
from searchain.retrieval.extensions import Progress
from searchain.retrieval.readers import Format
from searchain.types import Passage

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
    # its name is that of a draft, so that one whose process was killed is collected with those
    with TemporaryDirectory(prefix=".spool-", suffix=".draft", dir=folder) as name:
        reading = Reading(sources, format)
        store.write(Path(name), _counted(reading, progress))
        yield reading.corpus(Stored(store.PassageStore(Path(name))) if store.count(Path(name)) else ())


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
