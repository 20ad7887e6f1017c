"""Record which passages a corpus already has, in a table on disk, so that memory does not grow with the corpus.

The hash table uses open addressing in a memory-mapped temporary file; the system can page it out.
"""

from __future__ import annotations

import hashlib
import mmap
import struct
from tempfile import TemporaryFile
from typing import IO, Literal

_SLOT = struct.Struct("<QQ")
_FIRST = 1 << 12
"""The slots of a new table. It doubles when half of them are taken."""


class Known:
    """The hashes of ids and their contents. Among 20 million ids any two share a hash with a chance of 1 in 100,000."""

    def __init__(self) -> None:
        self._slots, self._taken = _FIRST, 0
        self._file, self._map = _table(_FIRST)

    def note(self, id: str, content: str) -> Literal["new", "same", "clash"]:
        """Record ``id`` with ``content``; tell whether it is new, known with the same content, or a clash."""
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
        """Return the position of the slot of ``key``, or of the free slot that it would take."""
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
