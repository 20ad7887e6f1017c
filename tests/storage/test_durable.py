"""What must not come back after a power cut is on the disk before it is confirmed: SQLite syncs its log for it."""

import pytest

from storage.people import shares, tokens, users
from storage.removal import delete
from tests.support.story_runs import store_run


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
    modes, begun = [], store._writer.conn

    def note(statement):
        if statement.startswith("PRAGMA synchronous"):
            modes.append(statement.rpartition(" ")[2])
        if statement == "COMMIT":
            modes.append("commit")

    begun.set_trace_callback(note)
    end(store, run, share)
    begun.set_trace_callback(None)
    assert modes == ["FULL", "commit", "NORMAL"]
    assert begun.execute("PRAGMA synchronous").fetchone()[0] == 1
