"""Store passages on disk as JSON Lines with an array of line offsets, and read them memory-mapped.

Opening takes the same time for ten passages as for ten million. A reader can still read files that were replaced after
it opened them.
"""

import json
import mmap
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import overload

from searchain.retrieval.corpus import from_line, to_line
from searchain.types import Passage

PASSAGES, OFFSETS = "passages.jsonl", "passages.offsets"
DOCUMENTS = "documents.json"


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows ``start`` to ``stop - 1`` of a part, which hold one version of a document."""

    version: str
    start: int
    stop: int


def write_documents(directory: Path, passages: Iterable[Passage]) -> None:
    """Write the rows of each document to ``documents.json``; write no file if no passage has a place."""
    found: dict[str, Rows] = {}
    for number, passage in enumerate(passages):
        if passage.place is not None:
            document, version = passage.place.document, passage.place.version
            first = found.get(document, Rows(version, number, number))
            if first != Rows(version, first.start, number):
                raise ValueError(f"the passages of document {document} do not stand together")
            found[document] = Rows(version, first.start, number + 1)
    if found:
        (directory / DOCUMENTS).write_text(json.dumps({document: asdict(rows) for document, rows in found.items()}))


def read_documents(directory: Path) -> dict[str, Rows]:
    """Return document → its rows in the part; empty if the passages have no places."""
    path = directory / DOCUMENTS
    return {id: Rows(**rows) for id, rows in json.loads(path.read_text()).items()} if path.is_file() else {}


def count(directory: Path) -> int:
    """Return how many passages are stored in ``directory``."""
    return (directory / OFFSETS).stat().st_size // 8 - 1


def write(directory: Path, passages: Iterable[Passage]) -> None:
    """Write ``passages.jsonl`` and ``passages.offsets`` (one more offset than passages, little-endian uint64)."""
    offsets = array("Q", [0])
    with (directory / PASSAGES).open("wb") as file:
        for passage in passages:
            file.write(to_line(passage).encode())
            offsets.append(file.tell())
    if sys.byteorder == "big":
        offsets.byteswap()
    (directory / OFFSETS).write_bytes(offsets.tobytes())


class PassageStore(Sequence[Passage]):
    """The passages of ``directory`` by position; thread-safe."""

    def __init__(self, directory: Path) -> None:
        self._offsets = array("Q", (directory / OFFSETS).read_bytes())
        if sys.byteorder == "big":
            self._offsets.byteswap()
        with (directory / PASSAGES).open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, position: int) -> Passage: ...
    @overload
    def __getitem__(self, position: slice) -> list[Passage]: ...
    def __getitem__(self, position: int | slice) -> Passage | list[Passage]:
        rows = range(len(self))[position]
        return self._at(rows) if isinstance(rows, int) else list(map(self._at, rows))

    def __iter__(self) -> Iterator[Passage]:
        return map(self._at, range(len(self)))

    def _at(self, row: int) -> Passage:
        return from_line(self._map[self._offsets[row] : self._offsets[row + 1]])
