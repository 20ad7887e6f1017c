"""Snapshots: what they hold, for how long, and who ends them."""

import time
from functools import partial

import pytest

from searchain.errors import NotFound, UsageError
from storage.log import runs, verify
from storage.log.runs import Process
from storage.people import shares
from storage.removal import delete, redact
from tests.storage.removal.test_delete import on_disk
from tests.support.shell import told
from tests.support.stories import nintendo
from tests.support.story_runs import store_run


def questions(store, token):
    share = shares.find(store, token)
    return share and [record.question for record in shares.records(store, share)]


def test_a_snapshot_stays_as_it_was(store):
    first = store_run(store, nintendo("first?"))
    token, share = shares.make(store, first.conversation, owner="local")
    store_run(store, nintendo("second?"), conversation=first.conversation)
    store.write("UPDATE conversations SET title = 'renamed'")
    later, _ = shares.make(store, first.conversation, owner="local")
    assert (questions(store, token), questions(store, later)) == (["first?"], ["first?", "second?"])
    [record] = shares.records(store, share)
    assert (record.title, share.title, share.turns, share.conversation) == ("first?", "first?", 1, first.conversation)


def test_a_turn_that_is_being_answered_is_left_out(store):
    begun = runs.start(store, Process(), "still?", "local")
    with pytest.raises(UsageError, match="no question of this conversation is answered yet"):
        shares.make(store, begun.conversation, owner="local")
    assert shares.shares_of(store, "local") == []


def test_the_secret_is_stored_nowhere_and_nothing_else_opens_the_snapshot(store):
    token, share = shares.make(store, store_run(store).conversation, owner="local")
    assert len(token) == 43
    assert token.encode() not in on_disk(store)
    assert share.id.encode() in on_disk(store)
    for other in ("", share.id, token[:-1], token + "A", token.swapcase(), "\ud800", "x" * 100_000):
        assert shares.find(store, other) is None


def test_a_link_expires(store, monkeypatch):
    token, share = shares.make(store, store_run(store).conversation, owner="local", days=2)
    assert share.expires == pytest.approx(time.time() + 2 * 24 * 3600, abs=60)
    monkeypatch.setattr(time, "time", lambda: share.expires - 1)
    assert shares.find(store, token) == share
    monkeypatch.setattr(time, "time", lambda: share.expires)
    assert (shares.find(store, token), shares.shares_of(store, "local")) == (None, [])


def test_only_the_owner_makes_lists_and_revokes(store):
    theirs = store_run(store, owner="ann").conversation
    with pytest.raises(NotFound, match="no conversation"):
        shares.make(store, theirs, owner="bob")
    token, share = shares.make(store, theirs, owner="ann")
    assert [shares.shares_of(store, owner) for owner in ("bob", "ann", None)] == [[], [share], [share]]
    with pytest.raises(NotFound, match="no shared link"):
        shares.revoke(store, share.id, owner="bob")
    assert shares.find(store, token) == share
    shares.revoke(store, share.id, owner="ann")
    assert shares.find(store, token) is None


@pytest.mark.parametrize(
    "change",
    [lambda store, turn: delete.delete(store, [turn]), lambda store, turn: redact.redact(store, [turn], ["Kyoto"])],
)
def test_what_is_deleted_or_redacted_takes_its_snapshots_along(store, change):
    first = store_run(store)
    second = store_run(store, conversation=first.conversation)
    both, _ = shares.make(store, first.conversation, owner="local")
    other, _ = shares.make(store, store_run(store).conversation, owner="local")
    change(store, second.turn)
    assert (shares.find(store, both), shares.find(store, other) is not None) == (None, True)
    assert list(verify.verify(store)) == []


def test_the_commands_make_list_and_end_links(store):
    run = partial(told, "logs", db=store.path)
    first = store_run(store, nintendo("first\x1b[31m?"), owner="ann")
    status, out, err = run("share", first.conversation, "--days", "3", "--page", "https://chat.example.org/")
    address, token = out.strip().rsplit("/", 1)
    [share] = shares.shares_of(store, None)
    assert (status, address, shares.find(store, token)) == (0, "https://chat.example.org/s", share)
    assert (
        err
        == f"1 turn, as it is now; whoever has the link can read it until {day(share)}; logs unshare {share.id} ends it\n"
    )
    status, out, _ = run("shares")
    assert (status, out) == (0, f"{share.id} until {day(share)}, 1 turn of {first.conversation}: first?\n")
    assert run("unshare", share.id) == (0, "", f"the link {share.id} works no more\n")
    assert run("shares") == (0, "", "nothing is shared\n")


def day(share):
    return time.strftime("%Y-%m-%d", time.gmtime(share.expires))


@pytest.mark.parametrize("days", [0, -1, 366])
def test_a_time_that_is_none_is_refused(store, days):
    with pytest.raises(UsageError, match=f"1 to 365 days, not {days}"):
        shares.make(store, store_run(store).conversation, owner="local", days=days)
