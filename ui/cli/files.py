"""Files that commands read and write, whole or not at all, and the database, with its abandoned runs ended first."""

import gzip
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import BinaryIO

import click

from searchain.errors import DatabaseReadOnly, DiskFull, StorageError, UsageError
from searchain.files.writing import write_whole
from storage.database import Database, default_path
from storage.log import runs


@contextmanager
def target(out: Path | None) -> Iterator[Callable[[str | bytes], object]]:
    """Yield ``write(piece)`` for standard output or for ``out``, which is replaced only when all text is written."""
    if out is None:
        try:
            yield lambda piece: click.echo(_bytes(piece), nl=False)  # UTF-8, whatever the terminal speaks
        except BrokenPipeError:
            raise  # whoever read has enough
        except OSError as error:
            raise StorageError(f"cannot write standard output ({error.strerror}); write to a file with -o") from error
        return
    try:
        place = out.resolve()
        if place.exists() and not place.is_file():  # a device or a pipe is written to, not replaced
            with place.open("wb") as pipe:
                yield lambda piece: pipe.write(_bytes(piece))
            return
        with write_whole(place) as draft, draft.open("wb") as file:
            yield lambda piece: file.write(_bytes(piece))
    except OSError as error:
        raise StorageError(f"cannot write {str(out)!r} ({error.strerror}); name another file with -o") from error


def _bytes(piece: str | bytes) -> bytes:
    return piece if isinstance(piece, bytes) else piece.encode()


MAX_LINE = 100_000_000
"""The most bytes of a line; the longest stored turn is far shorter."""


def lines(file: Path) -> Iterator[bytes]:
    """Yield the lines of ``file`` (``-``: standard input). Raises ``StorageError`` if it cannot be read."""
    try:
        if str(file) == "-":
            yield from _bounded(sys.stdin.buffer, file)
            return
        with file.open("rb") as plain:
            is_packed = plain.read(2) == b"\x1f\x8b"
        with gzip.open(file) if is_packed else file.open("rb") as lines:
            yield from _bounded(lines, file)
    except (OSError, EOFError, zlib.error) as error:
        raise StorageError(f"cannot read {str(file)!r} ({error}); nothing was imported") from error


def _bounded(lines: BinaryIO | BufferedIOBase, file: Path) -> Iterator[bytes]:
    while line := lines.readline(MAX_LINE):
        if len(line) == MAX_LINE and not line.endswith(b"\n"):
            raise StorageError(f"a line of {str(file)!r} is longer than {MAX_LINE:,} bytes; nothing was imported")
        yield line


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
    with closing(store):
        yield store


@contextmanager
def writable(path: Path | None, *, create: bool = False) -> Iterator[Database]:
    """Open the database for writing. Raises ``StorageError`` as ``Database`` does."""
    with closing(Database(path or default_path(), create=create)) as store:
        runs.interrupt_abandoned(store, runs.Process())
        yield store


def confirm(question: str, yes: bool) -> None:
    """Ask for confirmation unless ``yes``. Raises ``UsageError`` if there is no terminal to ask at."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError("nobody is there to be asked; add --yes")
    click.confirm(question, abort=True, err=True)
