"""A backup that is made while people work restores conversations, documents and their index elsewhere."""

import errno
import os
import tarfile
import threading
from pathlib import Path

import pytest

from searchain.retrieval import registry, updates
from storage.collections import access, backup, documents, removing
from storage.collections.documents import State
from storage.database import Database
from storage.log import event_log, runs
from storage.log.runs import Process
from tests.storage.collections.test_documents import asked
from tests.support.own_documents import add, collection_of, store, toy_parser  # noqa: F401
from tests.support.retrieval_home import share_models
from tests.support.shell import printed as run

PUMP = "The zanzibar pump must be oiled every ninety days."


@pytest.fixture
def elsewhere(index_home, tmp_path, monkeypatch):
    """Call it for the home to which a backup is restored."""

    def go():
        home = share_models(tmp_path / "elsewhere")
        monkeypatch.setenv("SEARCHAIN_HOME", str(home))
        return home

    return go


@pytest.fixture
def manuals(store):
    return collection_of(store, "ann")


def test_all_comes_back_elsewhere(store, manuals, index_home, tmp_path, elsewhere):
    (pump,) = add(store, manuals, pump=PUMP)
    turn = asked(store, manuals.index, "ann")
    is_done = threading.Event()

    def write(number):
        runs.start(store, Process(), f"Question {number}?", owner="bob")

    def write_on():
        number = 1
        while not is_done.wait(0.005):
            write(number)
            number += 1

    write(0)
    writer = threading.Thread(target=write_on)
    writer.start()
    try:
        run("backup", tmp_path / "all.tar")
    finally:
        is_done.set()
        writer.join()
    assert "is there already" in run("backup", tmp_path / "all.tar", status=2)
    assert (tmp_path / "all.tar").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in index_home.rglob(".backup-*")] == []
    home = elsewhere()
    assert "all.tar is restored" in run("restore", tmp_path / "all.tar")
    assert "there is a database at" in run("restore", tmp_path / "all.tar", status=2)
    loose = [path for path in home.rglob("*") if not path.is_symlink() and path.name != ".lock" and is_open(path)]
    assert loose == []
    restored = Database(home / "searchain.db")
    assert event_log.turn(restored, turn).final_answer == "every ninety days"
    assert documents.get(restored, pump.id).state is State.READY
    assert event_log.turn(restored, asked(restored, manuals.index, "ann")).final_answer == "every ninety days"
    assert restored.row("SELECT count(*) > 0 FROM runs")[0]
    restored.close()


@pytest.mark.parametrize("left", ["searchain.db", "searchain.db-wal", "searchain.db-shm"])
def test_nothing_is_restored_beside_files_of_another_database(store, tmp_path, elsewhere, left):
    backup.backup(store, tmp_path / "all.tar")
    (elsewhere() / left).write_bytes(b"words of another")
    said = run("restore", tmp_path / "all.tar", status=2)
    assert (f"elsewhere/{left})" in said, "SEARCHAIN_HOME" in said) == (True, True), said


def test_no_backup_shares_its_index_with_a_database_that_goes_on(store, manuals, index_home, tmp_path):
    add(store, manuals, pump=PUMP)
    backup.backup(store, tmp_path / "all.tar")
    (valve,) = add(store, manuals, valve="The zanzibar valve must be opened slowly.")
    said = run("restore", tmp_path / "all.tar", "--db", tmp_path / "other.db", status=2)
    assert (f"{manuals.index}.json)" in said, (tmp_path / "other.db").exists()) == (True, False), said
    assert valve.id in updates.documents_of(registry.get(manuals.index))


def test_a_database_may_be_on_another_disk_than_the_home(store, tmp_path, elsewhere, monkeypatch):
    (pump,) = add(store, collection_of(store, "ann"), pump=PUMP)
    backup.backup(store, tmp_path / "all.tar")
    elsewhere()

    def on_one_disk(move):
        def moved(source, target, **options):
            if len({(tmp_path / "disk") in Path(path).parents for path in (source, target)}) == 2:
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
            return move(source, target, **options)

        return moved

    monkeypatch.setattr(os, "rename", on_one_disk(os.rename))
    monkeypatch.setattr(os, "replace", on_one_disk(os.replace))
    path = tmp_path / "disk" / "chat.db"
    assert backup.restore(tmp_path / "all.tar", path) == 0
    restored = Database(path)
    assert documents.get(restored, pump.id).state is State.READY
    restored.close()
    assert list(tmp_path.glob("*/**/.backup-*")) == []


def is_open(path):
    return path.is_file() and "indexes" not in path.parts[-2:] and path.stat().st_mode & 0o077


def test_documents_that_the_index_of_a_backup_lacks_are_read_again(store, manuals, tmp_path, elsewhere, monkeypatch):
    (pump,) = add(store, manuals, pump=PUMP)
    monkeypatch.setattr(backup.access, "owners", lambda store: {})
    backup.backup(store, tmp_path / "all.tar")
    monkeypatch.undo()
    home = elsewhere()
    assert backup.restore(tmp_path / "all.tar", home / "searchain.db") == 1
    restored = Database(home / "searchain.db")
    assert documents.get(restored, pump.id).state is State.QUEUED
    assert access.owners(restored) == {manuals.id: "ann"}
    restored.close()


def test_what_a_killed_backup_left_goes_after_a_day(store, manuals, index_home):
    add(store, manuals, pump=PUMP)
    left = [index_home / ".backup-killed", index_home / "indexes" / ".backup-killed", index_home / ".backup-goes-on"]
    for folder in left:
        folder.mkdir()
        (folder / "database.db").write_text(PUMP)
        os.utime(folder, (0, 0) if folder.name == ".backup-killed" else None)
    removing.tidy(store)
    assert [folder.exists() for folder in left] == [False, False, True]


def test_what_is_no_whole_backup_restores_nothing(store, tmp_path, elsewhere):
    add(store, collection_of(store, "ann"), pump=PUMP)
    backup.backup(store, tmp_path / "all.tar")
    content = (tmp_path / "all.tar").read_bytes()
    home = elsewhere()
    changed = content.replace(PUMP.encode(), PUMP.replace("pump", "gate").encode())
    spoilt = {"cut.tar": content[: len(content) // 2], "text.tar": b"no tar", "changed.tar": changed}
    for name, bad in spoilt.items():
        (tmp_path / name).write_bytes(bad)
        assert "backup" in run("restore", tmp_path / name, status=1 if name == "changed.tar" else 2)
    with tarfile.open(tmp_path / "evil.tar", "w") as packed:
        packed.add(tmp_path / "text.tar", "../outside")
    assert "backup" in run("restore", tmp_path / "evil.tar", status=2)
    assert sorted(one.name for one in home.iterdir() if one.suffix == ".db" or one.name.startswith(".restore")) == []
    assert not os.path.exists(home.parent / "outside")
