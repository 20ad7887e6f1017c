"""A copy of the whole database in one file, made while it is in use."""

from __future__ import annotations

from pathlib import Path

from searchain.errors import StorageError, UsageError
from searchain.files.writing import write_whole
from storage.database import Database


def backup(store: Database, out: Path) -> int:
    """Copy ``store`` to the new file ``out``, complete or not at all; returns its size in bytes.

    Raises:
        UsageError: ``out`` is there already.
        StorageError: it cannot be written.
    """
    if out.exists():
        raise UsageError(f"{str(out)!r} is there already; name a new file")
    try:
        with write_whole(out) as draft:
            draft.touch(0o600)  # for its owner alone; and whether the place can be written, in its own words
            store.copy_to(draft)
        return out.stat().st_size
    except OSError as error:
        raise StorageError(f"cannot write {str(out)!r} ({error.strerror}); name another file") from error
