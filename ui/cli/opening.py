"""Opens the database for commands, and first ends runs whose process is dead."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from searchain.errors import DatabaseReadOnly, DiskFull
from storage.database import Database, default_path
from storage.log import runs


@contextmanager
def opened(path: Path | None, *, create: bool = False) -> Iterator[Database]:
    """Open the database for reading, and for writing if possible; ``None`` is the default database.

    Raises:
        StorageError: as ``Database``; also if the file is missing and ``create`` is not set.
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
def together(paths: Sequence[Path]) -> Iterator[Database]:
    """Open one database for reading: the only one of ``paths``, else the default one, or a merged copy of several.

    Raises:
        StorageError: as ``opened``; or two of them contain the same turn.
    """
    paths = list(dict.fromkeys(path.expanduser().resolve() for path in paths))
    if len(paths) < 2:
        with opened(paths[0] if paths else None) as store:
            yield store
        return
    from storage.annotation import import_items, pseudonyms  # here, because most commands read one database
    from storage.annotation.export_jsonl import write
    from storage.transfer import import_turns

    with TemporaryDirectory(prefix="searchain-together-") as folder:
        whole = Database(Path(folder) / "all.db")
        try:
            for path in paths:
                with opened(path) as store:
                    import_turns.copy_all(whole, store)
                    lines = (line.encode() for line in write(store, pseudonyms.names(store, are_hidden=False)))
                    import_items.file(whole, lines)
            yield whole
        finally:
            whole.close()


@contextmanager
def writable(path: Path | None, *, create: bool = False) -> Iterator[Database]:
    """Open the database for writing. Raises ``StorageError`` as ``Database`` does."""
    store = Database(path or default_path(), create=create)
    try:
        runs.interrupt_abandoned(store, runs.Process())
        yield store
    finally:
        store.close()
