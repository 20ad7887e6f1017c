"""Passages on disk: JSON Lines beside an array of line offsets, read through a memory map.

Opening costs the same for ten passages and for ten million, and a reader keeps what it opened when the files are
replaced.
"""

from __future__ import annotations

import mmap
import sys
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

from searchain.retrieval.corpus import from_line, to_line
from searchain.types import Passage

PASSAGES, OFFSETS = "passages.jsonl", "passages.offsets"


def write(directory: Path, passages: Iterable[Passage]) -> None:
    """Write ``passages.jsonl`` and ``passages.offsets`` (little-endian unsigned 64-bit, one more than passages)."""
    offsets = array("Q", [0])
    with (directory / PASSAGES).open("wb") as file:
        for passage in passages:
            file.write(to_line(passage).encode())
            offsets.append(file.tell())
    if sys.byteorder == "big":
        offsets.byteswap()
    (directory / OFFSETS).write_bytes(offsets.tobytes())


class PassageStore:
    """The passages of ``directory`` by position; thread-safe."""

    def __init__(self, directory: Path) -> None:
        self._offsets = array("Q", (directory / OFFSETS).read_bytes())
        if sys.byteorder == "big":
            self._offsets.byteswap()
        with (directory / PASSAGES).open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, position: int) -> Passage:
        return from_line(self._map[self._offsets[position] : self._offsets[position + 1]])

    def __iter__(self) -> Iterator[Passage]:
        return (self[position] for position in range(len(self)))
