"""The database as commands open it: runs whose process is gone are ended first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from searchain.errors import DatabaseReadOnly, DiskFull
from storage.database import Database, default_path
from storage.log import runs


@contextmanager
def opened(path: Path | None, *, create: bool = False) -> Iterator[Database]:
    """The database for reading, and for writing where that is possible; ``None`` is the default one.

    Raises:
        StorageError: as ``Database``; a missing file too, without ``create``.
    """
    path = path or default_path()
    try:
        store = Database(path, create=create)
        runs.interrupt_abandoned(store, runs.Process())
    except (DatabaseReadOnly, DiskFull):
        store = Database(path, read_only=True)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def writable(path: Path | None, *, create: bool = False) -> Iterator[Database]:
    """The database for changing it. Raises ``StorageError`` as ``Database`` does."""
    store = Database(path or default_path(), create=create)
    try:
        runs.interrupt_abandoned(store, runs.Process())
        yield store
    finally:
        store.close()
