"""Back up a database with its documents and indexes to one tar file while they are in use, and restore them.

database.db                  a copy by SQLite
documents/objects, texts     the bytes and texts of its documents, as ``files`` names them
indexes/NAME.json, parts     own documents and built indexes; not the encyclopedia, which is built again
"""

import hashlib
import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from searchain.errors import IndexNotFound, StorageError, UsageError
from searchain.files.writing import write_whole
from searchain.types import is_own
from storage.collections import access, documents
from storage.collections.documents import State
from storage.collections.files import Files
from storage.database import LOG_ENDS, Database

_DATABASE = "database.db"


def backup(store: Database, out: Path) -> int:
    """Write everything to the new file ``out``; return its size in bytes. Others may read and write meanwhile.

    Raises ``UsageError`` if the file ``out`` exists already, and ``StorageError`` if it cannot be written.
    """
    if out.exists():
        raise UsageError(f"{str(out)!r} is there already; name a new file")
    with (
        _disk_errors(out),
        TemporaryDirectory(prefix=".backup-", dir=store.path.parent) as folder,
        write_whole(out) as draft,
    ):
        copy, files = Path(folder) / _DATABASE, Files(store)
        with _linked(store) as indexes, tarfile.open(draft, "w") as packed:
            draft.chmod(0o600)
            store.backup(copy)
            packed.add(copy, _DATABASE)
            if indexes is not None:
                packed.add(indexes, "indexes")
            with closing(Database(copy, read_only=True)) as there:
                stored = there.rows("SELECT DISTINCT sha256, type FROM documents WHERE removed IS NULL")
            for sha256, type in stored:
                for path in (files.original(sha256), files.text(sha256, type or "")):
                    with suppress(FileNotFoundError):  # removed meanwhile, or not read so far
                        packed.add(path, f"documents/{path.relative_to(files.root)}")
        return draft.stat().st_size


@contextmanager
def _linked(store: Database) -> Iterator[Path | None]:
    """Yield a folder with links to the present state of the indexes, whose parts may be collected meanwhile."""
    from searchain.retrieval import registry
    from searchain.retrieval.corpus import DEFAULT

    if not registry.root().is_dir():
        yield None
        return
    with TemporaryDirectory(prefix=".backup-", dir=registry.root()) as folder:
        linked = Path(folder)
        with registry.pointer_lock():
            known = access.owners(store)
            for index in registry.list_indexes():
                if index.name != DEFAULT and (not is_own(index.name) or access.collection_of(index.name) in known):
                    _link(registry.path(index.name), linked / f"{index.name}.json")
                    for part in (*index.parts, *index.waiting):
                        source, target = registry.parts_root() / part, linked / "parts" / part
                        shutil.copytree(source, target, copy_function=_link, dirs_exist_ok=True)
        yield linked


def _link(source: str | Path, target: str | Path) -> None:
    try:
        os.link(source, target)
    except FileExistsError:  # two indexes share the part
        pass
    except OSError:  # the file system has no links
        shutil.copy2(source, target)


def restore(file: Path, path: Path) -> int:
    """Restore a backup: the database to ``path``, where none may be; return the number of documents to be read again.

    Other indexes that are there already stay as they are. A restoration that was cut off can be repeated.

    Raises:
        UsageError: there is a database or a part of one, or an index of its own documents, or ``file`` is not a backup.
        StorageError: it is damaged or cannot be written.
    """
    from searchain.retrieval import registry

    log_files = [path.with_name(path.name + end) for end in LOG_ENDS]
    if there := [str(one) for one in (path, *log_files) if one.exists()]:
        raise UsageError(
            f"there is a database at {str(path)!r} already; move all its files away ({', '.join(there)}), or set "
            "SEARCHAIN_HOME to another folder"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with _disk_errors(path), TemporaryDirectory(prefix=".restore-", dir=path.parent) as folder:
        draft = Path(folder)
        try:
            with tarfile.open(file) as packed:
                packed.extractall(draft, filter="data")
        except (tarfile.TarError, EOFError) as error:
            raise UsageError(f"{str(file)!r} is no whole backup ({error}); name a file that `backup` wrote") from error
        if not (draft / _DATABASE).is_file():
            raise UsageError(f"{str(file)!r} is no backup: it has no database; name a file that `backup` wrote")
        _check(draft)
        with registry.pointer_lock():  # so that nobody takes a part without an index for garbage
            _refuse_indexed(draft)
            for kind in ("objects", "texts"):
                _move(draft / "documents" / kind, Files.root_of(path) / kind, "??/*")
            _move(draft / "indexes" / "parts", registry.parts_root(), "*")
            _move(draft / "indexes", registry.root(), "*.json")  # late: with them there, it cannot be repeated
            (draft / _DATABASE).replace(path)
    with closing(Database(path)) as store:
        return _read_again(store)


def _refuse_indexed(draft: Path) -> None:
    """Raise ``UsageError`` if collections of the backup are indexed already: a database that uses them may go on."""
    from searchain.retrieval import registry

    own = (registry.path(file.stem) for file in draft.glob("indexes/*.json") if is_own(file.stem))
    if there := sorted(str(path) for path in own if path.exists()):
        raise UsageError(
            f"own documents of the backup are indexed already, perhaps for another database ({', '.join(there)}); set "
            "SEARCHAIN_HOME to another folder, or move these files away if no database uses them"
        )


def _check(draft: Path) -> None:
    """Raise ``StorageError`` unless the database and the documents are undamaged; bring the database up to date."""
    for original in draft.glob("documents/objects/??/*"):
        with original.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != original.name:
                raise StorageError(f"the backup is damaged: document {original.name} has other bytes; take another one")
    with closing(Database(draft / _DATABASE)) as store:
        if (found := store.row("PRAGMA quick_check")[0]) != "ok":
            raise StorageError(f"the backup is damaged: its database has faults ({found}); take another one")


def _move(source: Path, target: Path, pattern: str) -> None:
    """Move what fits ``pattern`` whole to ``target``, perhaps on another disk, where it is not there already."""
    if not source.is_dir():
        return
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    with TemporaryDirectory(prefix=".backup-", dir=target) as beside:
        for path in source.glob(pattern):
            to = target / path.relative_to(source)
            if not to.exists():
                to.parent.mkdir(exist_ok=True, mode=0o700)
                Path(shutil.move(path, beside)).replace(to)


def _read_again(store: Database) -> int:
    """Queue the documents that changed between the copies of indexes and database; return their number."""
    from searchain.retrieval import registry, updates

    missing = []
    for collection in access.owners(store):
        there: dict[str, str] = {}
        with suppress(IndexNotFound):
            there = updates.documents_of(registry.get(access.index_of(collection)))
        missing += [
            document
            for document in documents.of_collection(store, collection)
            if document.state in (State.READY, State.ENCODING) and there.get(document.id) != document.sha256
        ]
    for document in missing:
        documents.set_state(store, document, State.QUEUED)
    return len(missing)


@contextmanager
def _disk_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"cannot write {str(path)!r} ({error.strerror or error}); make room or name another file"
        ) from error
