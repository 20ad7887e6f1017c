"""Which passages a corpus has already, in a table on disk: memory stays flat however many there are.

It is a hash table with open addressing in a mapped temporary file, which the system writes out when memory is short.
"""

from __future__ import annotations

import hashlib
import mmap
import struct
from tempfile import TemporaryFile
from typing import IO, Literal

_SLOT = struct.Struct("<QQ")
_FIRST = 1 << 12
"""Slots of a new table; it doubles when half of them are taken."""


class Known:
    """Ids with what each stands for. Of two ids of 20 million, the chance that they share a hash is 1 in 100,000."""

    def __init__(self) -> None:
        self._slots, self._taken = _FIRST, 0
        self._file, self._map = _table(_FIRST)

    def note(self, id: str, content: str) -> Literal["new", "same", "clash"]:
        """Note that ``id`` stands for ``content``; say whether it did before, or stood for something else."""
        if 2 * self._taken >= self._slots:
            self._double()
        key, value = (_hash(text) for text in (id, content))
        key |= 1  # no key is 0, which marks a free slot
        at = self._place(key)
        there = _SLOT.unpack_from(self._map, at)
        if there[0] == key:
            return "same" if there[1] == value else "clash"
        _SLOT.pack_into(self._map, at, key, value)
        self._taken += 1
        return "new"

    def close(self) -> None:
        self._map.close()
        self._file.close()

    def _place(self, key: int) -> int:
        """Return where the slot of ``key`` is, or the free one that it would get."""
        slot = (key >> 1) % self._slots
        while _SLOT.unpack_from(self._map, slot * _SLOT.size)[0] not in (0, key):
            slot = (slot + 1) % self._slots
        return slot * _SLOT.size

    def _double(self) -> None:
        file, old = self._file, self._map
        self._slots *= 2
        self._file, self._map = _table(self._slots)
        for key, value in _SLOT.iter_unpack(old):
            if key:
                _SLOT.pack_into(self._map, self._place(key), key, value)
        old.close()
        file.close()


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def _table(slots: int) -> tuple[IO[bytes], mmap.mmap]:
    file = TemporaryFile()  # noqa: SIM115  (it lives as long as the table)
    file.truncate(slots * _SLOT.size)
    return file, mmap.mmap(file.fileno(), slots * _SLOT.size)
