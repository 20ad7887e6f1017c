"""One SQLite file for many threads and several processes.

Writes share one connection, guarded by a lock, in short transactions. Reads use a pool of connections and never wait
for writers (WAL). Errors of SQLite are translated in one place to one line with advice.
"""

import os
import sqlite3
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from searchain.errors import DatabaseLocked, DatabaseReadOnly, DiskFull, NotADatabase, StorageError, UsageError
from searchain.files.mounts import network_file_system

if TYPE_CHECKING:
    from sqlite_utils import Database as Connection
else:
    Connection = Any  # the library takes 0.2 s that `--help` need not pay

Values = Sequence[Any] | dict[str, Any]
"""The parameters of a statement."""
APPLICATION_ID = 0x53434831
""""SCH1": marks a database as one of this program."""
BUSY_SECONDS = 10.0
"""Seconds for which a write waits for the writes of other processes."""
LOG_ENDS = "-wal", "-shm"
"""How the names of the files end that SQLite keeps beside an open database."""
LOG_WAIT = 1000
"""Milliseconds for which emptying the log waits for readers. If they take longer, old text stays until they end."""


def now() -> str:
    """Return the present time in the stored format: UTC, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def first(db: Connection, sql: str, *values: Any) -> Any:
    """Return the first row of a query over an open connection; ``None`` if it has no row."""
    return db.execute(sql, values).fetchone()


def insert_row(db: Connection, table: str, row: Mapping[str, Any], *, or_ignore: bool = False) -> bool:
    """Insert a row inside the caller's transaction; return whether it was; ``or_ignore`` leaves out what clashes."""
    into = f"INSERT {'OR IGNORE ' * or_ignore}INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
    return bool(db.execute(into, list(row.values())).rowcount)


class Database:
    """An open database file. Thread-safe; several processes may open the same file."""

    def __init__(self, path: Path | str, *, create: bool = True, read_only: bool = False) -> None:
        """Open ``path`` and migrate it to the current schema; ``read_only`` needs no write permission and never writes.

        Raises:
            DatabaseReadOnly: the file or its folder cannot be written.
            NotADatabase: the file is not a database, or is another program's.
            DiskFull: there is no space for the first tables.
            StorageError: the file is missing (without ``create``), a folder, on a network file system, damaged, of a
                newer version, or with ``read_only`` of an earlier one.
        """
        self.path = Path(path).expanduser().absolute()
        self.is_read_only = read_only
        self._lock = threading.Lock()
        self._pool: list[Connection] = []
        self._pool_lock = threading.Lock()
        self.is_closed = False
        """Whether ``close`` was called."""
        if self.path.is_dir():
            raise StorageError(f"{str(self.path)!r} is a folder, not a database file; name a file in it with --db")
        if kind := network_file_system(self.path):
            raise StorageError(  # writers of several machines would not see each other's locks
                f"database {str(self.path)!r} is on a network file system ({kind}), where it would be "
                "damaged; name a file on a disk of this machine with --db"
            )
        if self.path.exists():
            self._refuse_cut_off()
        else:
            if read_only or not create:
                raise StorageError(
                    f"there is no database at {str(self.path)!r}; ask or import something first, or check the name "
                    "after --db"
                )
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                why = f"cannot make the folder of database {str(self.path)!r} ({error.strerror})"
                raise StorageError(f"{why}; name another file with --db") from error
            with suppress(OSError):  # for its owner alone; SQLite says what is wrong when it opens the file
                os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
        with self._translated():
            self._writer = self._connect()
            try:
                self._prepare()
            except BaseException:
                self._writer.close()
                raise

    @contextmanager
    def writing(self, *, beside: Path | None = None, is_final: bool = False) -> Iterator[Connection]:
        """Open a short transaction: it is committed when the block ends and rolled back if it raises. Not reentrant.

        The database file ``beside`` is attached as the schema ``beside`` meanwhile. With ``is_final`` the change is on
        the disk when the block ends, and so outlives a power cut, too. Raises ``StorageError`` if the transaction
        failed; nothing of the block was stored.
        """
        with self._lock, self._translated():
            if self.is_closed:
                raise StorageError(f"database {str(self.path)!r} is closed")
            if beside is not None:
                self._writer.execute("ATTACH ? AS beside", (str(beside),))
            if is_final:
                self._writer.execute("PRAGMA synchronous = FULL")
            try:
                # IMMEDIATE: a transaction that reads before it writes fails at once when another process has written
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield self._writer
                    self._writer.commit()
                except BaseException:
                    self._writer.rollback()
                    raise
            finally:
                if is_final:
                    self._writer.execute("PRAGMA synchronous = NORMAL")
                if beside is not None:
                    self._writer.execute("DETACH beside")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Lend a connection for reading; results must be fetched inside the block."""
        with self._translated():
            with self._pool_lock:
                if self.is_closed:
                    raise StorageError(f"database {str(self.path)!r} is closed")
                connection = self._pool.pop() if self._pool else None
            connection = connection or self._connect()
            try:
                yield connection
            finally:
                with self._pool_lock:
                    if not self.is_closed:
                        self._pool.append(connection)
                        connection = None
                if connection is not None:
                    connection.close()

    def rows(self, sql: str, values: Values = ()) -> list[Any]:
        """Return the rows of a query as tuples."""
        with self.reading() as db:
            return db.execute(sql, values).fetchall()

    def row(self, sql: str, values: Values = ()) -> Any:
        """Return the first row of a query; ``None`` if it has no row."""
        with self.reading() as db:
            return db.execute(sql, values).fetchone()

    def named_rows(self, sql: str, values: Values = ()) -> list[dict[str, Any]]:
        """Return the rows of a query, each as values by the names of the columns."""
        with self.reading() as db:
            return list(db.query(sql, values))

    def write(self, sql: str, values: Values = (), *, is_final: bool = False) -> int:
        """Run one statement in a transaction of its own; return the number of changed rows."""
        with self.writing(is_final=is_final) as db:
            return db.execute(sql, values).rowcount

    def vacuum(self) -> None:
        """Rewrite the whole file, which makes it small. Others cannot write meanwhile.

        Raises ``StorageError`` if there is no space, or another program keeps writing.
        """
        with self._lock, self._translated():
            self._writer.execute("VACUUM")

    def empty_log(self) -> bool:
        """Move the write-ahead log into the file; return whether no old content is left beside it.

        Raises ``StorageError`` if the file cannot be written.
        """
        with self._pool_lock:  # idle connections of our own hold nothing back
            idle, self._pool = self._pool, []
        for connection in idle:
            connection.close()
        with self._lock, self._translated():
            self._writer.execute(f"PRAGMA busy_timeout = {LOG_WAIT}")
            is_busy = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            self._writer.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")
            return not is_busy

    def check_writable(self) -> None:
        """Write what is there already. Raises ``StorageError`` if the file cannot be written."""
        with self.writing() as db:
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    def backup(self, out: Path) -> int:
        """Copy the present state of the database to the new file ``out``; return its size in bytes.

        Others may write meanwhile. If the copy fails, there is no file ``out``.

        Raises ``UsageError`` if the file ``out`` exists already, and ``StorageError`` if it cannot be written.
        """
        from searchain.files.writing import write_whole  # here, because `--help` need not load its lock

        if out.exists():
            raise UsageError(f"{str(out)!r} is there already; name a new file")
        try:
            with write_whole(out) as draft:
                draft.touch(0o600)  # for its owner alone; and whether the place can be written, in its own words
                with self.reading() as db:
                    db.execute("VACUUM INTO ?", (str(draft),))
            return out.stat().st_size
        except OSError as error:
            raise StorageError(f"cannot write {str(out)!r} ({error.strerror}); name another file") from error

    def close(self) -> None:
        """Close all connections; a connection in use is closed when its read ends."""
        with self._pool_lock:
            self.is_closed = True
            idle, self._pool = self._pool, []
        for connection in idle:
            connection.close()
        with self._lock:
            self._writer.close()

    def _refuse_cut_off(self) -> None:
        """Raise ``StorageError`` for an empty file with a log: SQLite would take it for new and delete the log."""
        log = self.path.with_name(self.path.name + "-wal")
        if not self.path.stat().st_size and log.exists() and log.stat().st_size:
            raise StorageError(
                f"database {str(self.path)!r} is damaged (it is empty, and its log {log.name!r} is not); "
                "restore a copy, or name another file with --db"
            )

    def _connect(self) -> Connection:
        sqlite_utils = _sqlite_utils()
        mode = "ro" if self.is_read_only else "rwc"
        if self.is_read_only and not self.path.with_name(self.path.name + "-wal").exists():
            mode += "&immutable=1"  # nobody has it open, and the files that SQLite reads WAL with cannot be made
        connection = sqlite3.connect(
            f"{self.path.as_uri()}?mode={mode}", uri=True, timeout=BUSY_SECONDS, check_same_thread=False
        )
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten, so that no rewrite is needed
        return sqlite_utils.Database(connection, execute_plugins=False)

    def _prepare(self) -> None:
        from storage.migrations import KNOWN, Script, migrations  # here, because it needs sqlite_utils

        db = self._writer
        is_ours = first(db, "PRAGMA application_id")[0] == APPLICATION_ID
        if not is_ours and (self.is_read_only or db.table_names()):
            raise NotADatabase(f"{str(self.path)!r} is not a database of this program; name another file with --db")
        if unknown := {migration.name for migration in migrations.applied(db)} - KNOWN:
            steps = ", ".join(sorted(unknown))
            raise StorageError(
                f"database {str(self.path)!r} has steps that this version does not know ({steps}): a newer version "
                "wrote it, or one between two releases; take the version that wrote it"
            )
        if self.is_read_only:
            if migrations.pending(db):
                raise StorageError(
                    f"database {str(self.path)!r} was made by an earlier version and cannot be brought up to date "
                    "where it is; make it and its folder writable, or copy it"
                )
            return
        db.enable_wal()
        db.execute("BEGIN IMMEDIATE")  # shows now, not at the first question, whether the file can be written
        try:
            migrations.apply(Script(db.conn, execute_plugins=False))
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.commit()
        except BaseException:
            db.rollback()
            raise

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _translation(error, str(self.path)) from error


def _may_only_be_read(path: str) -> bool:
    """Return whether the file can be read, but it or its folder cannot be written."""
    return os.access(path, os.R_OK) and not (os.access(path, os.W_OK) and os.access(Path(path).parent, os.W_OK))


def _translation(error: sqlite3.Error, path: str) -> StorageError:
    name = getattr(error, "sqlite_errorname", None) or ""  # the module's own errors carry none
    if name.startswith("SQLITE_READONLY") or (name.startswith("SQLITE_CANTOPEN") and _may_only_be_read(path)):
        return DatabaseReadOnly(
            f"database {path!r} cannot be written; make it and its folder writable, or name another file with --db"
        )
    if name == "SQLITE_FULL":
        return DiskFull(f"no space left for database {path!r}; free some space and ask again")
    if name == "SQLITE_NOTADB":
        return NotADatabase(f"{path!r} is not a database; name another file with --db")
    if name.startswith("SQLITE_CORRUPT"):
        return StorageError(f"database {path!r} is damaged ({error}); restore a copy, or name another file with --db")
    if name.startswith("SQLITE_CANTOPEN"):
        return StorageError(f"database {path!r} cannot be opened; check that its folder exists and can be written")
    if name.startswith("SQLITE_BUSY"):
        return DatabaseLocked(f"database {path!r} stayed locked by another program for {BUSY_SECONDS:.0f} s; try again")
    if str(error).startswith("no such table"):
        return StorageError(f"database {path!r} was deleted or emptied while it was open; start this program again")
    return StorageError(f"database {path!r} failed: {error} ({name or type(error).__name__})")


def default_path() -> Path:
    """Return the path of the default database: ``searchain.db`` in ``$SEARCHAIN_HOME``."""
    from searchain.files.home import home  # here, because `--help` need not find the platform's folders

    return home() / "searchain.db"


@cache
def _sqlite_utils() -> ModuleType:
    """Import sqlite-utils without pandas and numpy, which take longer to import than all else that lists turns.

    It only looks whether they are there, to know their types as types of columns.
    """
    hidden = [name for name in ("pandas", "numpy") if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # as if they were not installed
    try:
        import sqlite_utils
    finally:
        for name in hidden:
            del sys.modules[name]
    return sqlite_utils
