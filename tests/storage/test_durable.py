"""What must not come back after a power cut is on the disk before it is confirmed: SQLite syncs its log for it."""

from contextlib import contextmanager

import pytest

from storage.annotation.desk import Desk
from storage.collections import files, removing
from storage.people import shares, tokens, users
from storage.removal import delete
from tests.support.judged_replies import desk_database, uniform_labels
from tests.support.own_documents import collection_of, submit
from tests.support.story_runs import store_run

FINAL = ["FULL", "commit", "NORMAL"]


@contextmanager
def modes_of(store):
    """Yield how far the commits of the block are synced."""
    modes, begun = [], store._writer.conn

    def note(statement):
        if statement.startswith("PRAGMA synchronous"):
            modes.append(statement.rpartition(" ")[2])
        if statement == "COMMIT":
            modes.append("commit")

    begun.set_trace_callback(note)
    yield modes
    begun.set_trace_callback(None)


@pytest.mark.parametrize(
    "end",
    [
        lambda store, run, share: tokens.revoke(store, "ann"),
        lambda store, run, share: tokens.end(store, "any"),
        lambda store, run, share: shares.revoke(store, share.id, owner=None),
        lambda store, run, share: users.change(store, "ann", password="another one"),
        lambda store, run, share: users.remove(store, "ann"),
        lambda store, run, share: delete.remove(store, [run.turn]),
    ],
    ids=["revoked", "signed out", "unshared", "password", "removed", "deleted"],
)
def test_what_ends_access_outlives_a_power_cut(store, end):
    users.add(store, users.new("ann", "chat", "correct horse"))
    run = store_run(store)
    _, share = shares.make(store, run.conversation, owner=None)
    with modes_of(store) as modes:
        end(store, run, share)
    assert modes == FINAL
    assert store._writer.conn.execute("PRAGMA synchronous").fetchone()[0] == 1


def test_a_submitted_label_outlives_a_power_cut(tmp_path):
    store = desk_database(tmp_path / "desk.db", number=1)
    desk = Desk(store)
    task = desk.next_item("ann")
    with modes_of(store) as modes:
        desk.submit("ann", task.item.id, uniform_labels(task.item), seconds=30)
    assert modes == FINAL
    store.close()


def test_an_erased_document_outlives_a_power_cut(store, tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    document, _ = submit(store, collection_of(store, "ann"), "a.txt", "Text.")
    with modes_of(store) as modes:
        removing.erase(store, [document])
    assert (modes[:3], modes[-3:]) == (FINAL, FINAL)  # it is hidden first, and its row goes last


def test_the_bytes_of_a_document_are_on_the_disk_before_its_row(store, monkeypatch):
    store_files, done = files.Files(store), []
    monkeypatch.setattr(files.os, "fsync", lambda number: done.append(sorted(store_files.root.rglob("*.incoming"))))
    store_files.put([b"Text."])
    assert [len(drafts) for drafts in done] == [1]
