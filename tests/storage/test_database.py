"""The database file: opened, shared, refused in one clear line, and safe when it cannot be written."""

import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from searchain.errors import DatabaseReadOnly, DiskFull, NotADatabase, StorageError
from storage import migrations  # noqa: F401  loaded before a test gives up its rights to read Python's own files
from storage.database import Database


@pytest.fixture
def store(tmp_path):
    database = Database(tmp_path / "deep" / "chat.db")
    yield database
    database.close()


def add(store, text):
    store.write("INSERT INTO passages (hash, title, text) VALUES (?, '', '')", (text,))


def stored(store):
    return {row[0] for row in store.rows("SELECT hash FROM passages")}


def test_a_new_file_is_ready_and_stays_what_it_is_when_opened_again(store):
    add(store, "a")
    again = Database(store.path)
    pragmas = {name: again.row(f"PRAGMA {name}")[0] for name in ("journal_mode", "foreign_keys", "synchronous")}
    assert pragmas == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 1}
    assert stored(again) == {"a"}
    again.close()


@pytest.mark.skipif(os.name != "posix", reason="such rights are POSIX's")
def test_nobody_else_on_the_machine_can_read_it_or_a_copy(store):
    add(store, "secret")
    store.backup(store.path.with_name("copy.db"))
    files = list(store.path.parent.iterdir())
    assert len(files) >= 3  # the database, what SQLite keeps beside it, and the copy
    assert {oct(file.stat().st_mode & 0o777) for file in files} == {"0o600"}


def test_a_block_that_raises_leaves_nothing(store):
    def broken():
        with store.writing() as db:
            db.execute("INSERT INTO passages (hash, title, text) VALUES ('a', '', '')")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert stored(store) == set()


def garbage(path):
    path.write_bytes(os.urandom(5_000))


def another_programs(path):
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")


def newer(path):
    store = Database(path)
    store.write(
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('searchain', 'm999_later', '')"
    )
    store.close()


def damaged(path):
    store = Database(path)
    add(store, "x" * 50_000)
    store.close()
    with path.open("r+b") as file:
        file.seek(4_096)
        file.write(b"\xff" * 8_192)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (garbage, NotADatabase, "is not a database"),
        (another_programs, NotADatabase, "not a database of this program"),
        (newer, StorageError, r"does not know \(m999_later\): a newer version wrote it, or one between"),
        (damaged, StorageError, "damaged"),
        (Path.mkdir, StorageError, "is a folder"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(tmp_path, make, error, words):
    path = tmp_path / "chat.db"
    make(path)
    before = None if path.is_dir() else path.read_bytes()
    with pytest.raises(error, match=words) as caught:
        Database(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert before is None or path.read_bytes() == before


def test_a_missing_file_is_made_only_when_that_was_asked_for(tmp_path):
    for how in ({"create": False}, {"read_only": True}):
        with pytest.raises(StorageError, match="there is no database"):
            Database(tmp_path / "none" / "chat.db", **how)
    assert not (tmp_path / "none").exists()


def test_a_full_disk_keeps_what_was_stored(store):
    add(store, "a")
    with store.writing() as db:
        db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(DiskFull, match="no space left"):
        add(store, "b" * 100_000)
    store.write("PRAGMA max_page_count = 100000")
    add(store, "c")
    assert stored(store) == {"a", "c"}


def left_open(path):
    add(Database(path), "a")
    os._exit(0)


def closed(path):
    store = Database(path)
    add(store, "a")
    store.close()


def filled(fill, folder):
    """The path of a database that a process of its own has filled."""
    process = multiprocessing.get_context("fork").Process(target=fill, args=(folder / "chat.db",))
    process.start()
    process.join()
    return folder / "chat.db"


@pytest.mark.parametrize("fill", [left_open, closed])
def test_a_file_that_may_only_be_read(only_readable, fill):
    make, as_nobody = only_readable
    path = make(fill)

    def use(connection):
        try:
            Database(path)
        except DatabaseReadOnly as error:
            connection.send(str(error))
        connection.send(stored(Database(path, read_only=True)))

    refusal, found = as_nobody(use, 2)
    assert "cannot be written" in refusal
    assert "--db" in refusal
    assert "\n" not in refusal
    assert found == {"a"}


@pytest.mark.parametrize("fill", [left_open, closed])
def test_a_file_system_that_may_only_be_read(read_only_file_system, fill):
    path = read_only_file_system(fill)
    with pytest.raises(DatabaseReadOnly, match="make it and its folder writable, or name another file with --db"):
        Database(path)
    assert stored(Database(path, read_only=True)) == {"a"}
    with pytest.raises(StorageError, match="check that its folder exists and can be written"):
        Database(path.with_name("new.db"))


@pytest.fixture
def read_only_file_system(tmp_path):
    """Make a file on a file system of its own that may then only be read."""

    def mount(*options):
        return subprocess.run(["mount", "-t", "tmpfs", *options, "tmpfs", tmp_path], capture_output=True)

    if os.getuid() or mount("-o", "size=8m").returncode:
        pytest.skip("needs the right to mount")

    def make(fill):
        path = filled(fill, tmp_path)
        assert not mount("-o", "remount,ro").returncode
        return path

    yield make
    subprocess.run(["umount", "--lazy", tmp_path], check=True)


@pytest.fixture
def only_readable():
    """Make a file in a folder, and use it in a process that may write neither."""
    folder = Path(tempfile.mkdtemp())  # not tmp_path, whose parents are closed to others

    def make(fill):
        path = filled(fill, folder)
        for file in folder.iterdir():
            file.chmod(0o444)
        folder.chmod(0o555)
        return path

    def as_nobody(use, answers):
        ours, theirs = multiprocessing.Pipe()

        def drop_rights_and_use():
            if os.getuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            use(theirs)

        process = multiprocessing.get_context("fork").Process(target=drop_rights_and_use)
        process.start()
        theirs.close()
        try:
            return [ours.recv() for _ in range(answers)]
        finally:
            process.join()

    yield make, as_nobody
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_processes_make_and_share_one_file(tmp_path):
    path = tmp_path / "chat.db"
    program = (
        "import sys; from storage.database import Database; from tests.storage.test_database import add\n"
        "store = Database(sys.argv[1])\n"
        "for number in range(50): add(store, f'{sys.argv[2]}-{number}')"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", program, path, name], stderr=subprocess.PIPE, text=True)
        for name in "abc"
    ]
    errors = [process.communicate()[1] for process in processes]
    assert errors == [""] * 3
    assert stored(Database(path)) == {f"{name}-{number}" for name in "abc" for number in range(50)}


def test_a_closed_database_says_so(store):
    store.close()
    with pytest.raises(StorageError, match="closed"):
        add(store, "a")
    with pytest.raises(StorageError, match="closed"):
        stored(store)


def test_a_file_that_is_deleted_while_it_is_open_is_told_with_the_next_step(tmp_path):
    store = Database(tmp_path / "chat.db")
    for file in tmp_path.glob("chat.db*"):
        file.unlink()
    with (
        pytest.raises(StorageError, match=r"was deleted or emptied .*; start this program again$"),
        store.reading() as db,
    ):
        db.execute("SELECT * FROM turns")
    store.close()


def test_a_database_on_a_network_file_system_is_refused(tmp_path, monkeypatch):
    table = tmp_path / "mountinfo"
    table.write_text(f"22 1 254:0 / / rw - ext4 /dev/vda rw\n30 22 0:41 / {tmp_path}/shared rw - nfs4 box:/x rw\n")
    monkeypatch.setattr("searchain.files.mounts.MOUNTS", table)
    with pytest.raises(StorageError, match=r"is on a network file system \(nfs4\).* with --db"):
        Database(tmp_path / "shared" / "x.db")
    Database(tmp_path / "x.db").close()


def test_a_database_opens_without_pandas_and_numpy_which_stay_importable(tmp_path):
    script = (
        "import sys; from pathlib import Path; from storage.database import Database; "
        "Database(Path(sys.argv[1])).close(); print(*sorted({'pandas', 'numpy'} & set(sys.modules))); import numpy"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "a.db")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "\n")
