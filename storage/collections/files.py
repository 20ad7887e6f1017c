"""Documents' bytes and parsed texts on disk, in files named by their hash that only their owner can read.

    documents/objects/ab/abcdef…            original bytes
    documents/texts/ab/abcdef….pdf.json     parsed text, which can be made again

The names of uploaded files are never used as paths.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from searchain.errors import DiskFull, StorageError, UsageError
from storage.database import Database, default_path

if TYPE_CHECKING:
    from searchain.documents import ParsedDocument

MAX_BYTES = 50_000_000
"""The most bytes of one file."""
CHUNK = 1 << 20
INCOMING_HOURS = 24
"""Hours after which parts of unfinished uploads are deleted."""


@dataclass(frozen=True, slots=True)
class Stored:
    sha256: str
    bytes: int


class Files:
    """The files that belong to one database."""

    def __init__(self, store: Database) -> None:
        self.root = self.root_of(store.path)

    @staticmethod
    def root_of(database: Path) -> Path:
        """Return the folder of the documents that belong to the database with this path."""
        return database.with_name("documents" if database == default_path() else f"{database.name}.documents")

    def original(self, sha256: str) -> Path:
        """Return the path of the original bytes, whether or not it exists."""
        return self.root / "objects" / sha256[:2] / sha256

    def text(self, sha256: str, type: str) -> Path:
        """Return the path of the parsed text, whether or not it exists."""
        return self.root / "texts" / sha256[:2] / f"{sha256}.{type}.json"

    def put(self, chunks: Iterable[bytes], limit: int = MAX_BYTES) -> Stored:
        """Store the bytes of ``chunks``.

        Raises:
            UsageError: there are no bytes, or more than ``limit``; nothing was stored.
            StorageError: they cannot be written.
        """
        digest, size = hashlib.sha256(), 0
        with self._translated():
            draft = _private(self.root / "objects") / f".{secrets.token_hex(8)}.incoming"
            try:
                with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                    for chunk in chunks:
                        size += len(chunk)
                        if size > limit:
                            raise UsageError(
                                f"the file is larger than {limit // 1_000_000:,} MB, the most that is taken"
                            )
                        digest.update(chunk)
                        file.write(chunk)
                    file.flush()
                    os.fsync(file.fileno())  # else a power cut could leave a row with other bytes than its hash
                if not size:
                    raise UsageError("the file is empty")
                path = self.original(digest.hexdigest())
                _private(path.parent)
                draft.replace(path)
            except BaseException:
                draft.unlink(missing_ok=True)
                raise
        return Stored(digest.hexdigest(), size)

    def put_file(self, path: Path, limit: int = MAX_BYTES) -> Stored:
        """Store the bytes of a readable file, as ``put`` does."""
        with path.open("rb") as file:
            return self.put(iter(lambda: file.read(CHUNK), b""), limit)

    def put_text(self, parsed: ParsedDocument) -> None:
        """Store a parsed text. Raises ``StorageError`` if it cannot be written."""
        from searchain.files.writing import write_whole

        path = self.text(parsed.version, parsed.type)
        with self._translated():
            _private(path.parent)
            with write_whole(path) as draft:
                draft.touch(0o600)
                draft.write_text(parsed.to_json(), encoding="utf-8")

    def parsed(self, sha256: str, type: str) -> ParsedDocument | None:
        """Read a parsed text; ``None`` if it does not exist or has another format."""
        from searchain.documents import ParsedDocument

        try:
            return ParsedDocument.from_json(self.text(sha256, type).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def drop(self, sha256: str) -> None:
        """Delete the bytes and all texts parsed from them, also those that a killed process did not complete."""
        with self._translated():
            self.original(sha256).unlink(missing_ok=True)
            for name in (f"{sha256}.*", f".{sha256}.*.draft"):
                for path in self.text(sha256, "").parent.glob(name):
                    path.unlink(missing_ok=True)

    def stored(self) -> set[str]:
        """Return the SHA-256 hashes of all stored bytes and texts, also of those that are not complete."""
        files = [*self.root.glob("objects/??/*"), *self.root.glob("texts/??/*")]
        return {path.name.removeprefix(".").partition(".")[0] for path in files}

    def drop_unfinished(self, indexes: Path) -> None:
        """Delete the old files of uploads, writers and backups that were killed; backups also link to ``indexes``."""
        folders = (path for home in (self.root.parent, indexes) for path in home.glob(".backup-*"))
        for path in (*self.root.glob("objects/.*.incoming"), *self.root.glob("texts/??/.*.draft"), *folders):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > INCOMING_HOURS * 3600:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            place = repr(str(self.root))
            if error.errno == errno.ENOSPC:
                raise DiskFull(f"no space left for documents in {place}; free some and add it again") from error
            raise StorageError(f"cannot use the documents in {place}: {error.strerror}") from error


def _private(folder: Path) -> Path:
    """Create ``folder`` so that only its owner can enter it."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
