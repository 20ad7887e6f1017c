"""The desk: leases, quota, drafts, submitting, undoing. Real database, a clock that is told the time."""

import pytest

from searchain.annotation.protocol import GUIDELINES, Backing, Labels, default_labels
from searchain.errors import NotFound, UsageError
from storage.annotation.desk import Desk
from storage.annotation.history import history, labels
from storage.annotation.tasks import LEASE
from tests.support.judged_replies import ManualClock, desk_database, uniform_labels


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def store(tmp_path):
    store = desk_database(tmp_path / "desk.db", number=3)
    yield store
    store.close()


@pytest.fixture
def desk(store, clock):
    return Desk(store, clock=clock)


def work_through(desk, annotator):
    """Every item that the desk gives, judged; returns their ids in order."""
    had = []
    while task := desk.next_item(annotator):
        desk.submit(annotator, task.item.id, uniform_labels(task.item), seconds=30)
        had.append(task.item.id)
    return had


def test_a_task_begins_with_nothing_judged(desk, clock):
    task = desk.next_item("ann")
    assert task.labels == default_labels(task.item)
    assert (task.state, task.version, task.seconds, task.expires) == ("open", 0, 0.0, clock.now + LEASE)
    assert [task.item.answer[one.start : one.end] for one in task.labels.knowledge_items] == [
        "Nintendo has its headquarters in Kyoto",
        "Kyoto lies on Honshu",
        "Honshu is the largest island of Japan",
    ]
    assert desk.next_item("ann") == task


def test_each_annotator_judges_each_item_once_until_the_quota_is_met(desk, store):
    assert [len(set(work_through(desk, name))) for name in ("ann", "bob", "eve")] == [3, 3, 0]
    assert sorted((one.item.id, one.annotator) for one in labels(store)) == sorted(
        (item.id, name) for item in {one.item for one in labels(store)} for name in ("ann", "bob")
    )


def test_an_order_of_ones_own_that_stays(tmp_path):
    orders = {}
    for run in ("one", "two"):
        for name in ("ann", "bob", "eve"):
            store = desk_database(tmp_path / f"{run}-{name}.db", number=8, quota=1)
            with store.writing() as db:  # ids come from random turns: give both runs the same places
                numbers = dict(db.execute("SELECT id, number FROM annotation_items").fetchall())
                db.execute("UPDATE annotation_items SET shuffle = number * 268435399")
            orders[run, name] = [numbers[id] for id in work_through(Desk(store), name)]
            store.close()
    assert all(orders["one", name] == orders["two", name] for name in ("ann", "bob", "eve"))
    assert len({tuple(orders["one", name]) for name in ("ann", "bob", "eve")}) == 3


def test_what_others_began_comes_first(desk):
    first = desk.next_item("ann").item.id
    assert desk.next_item("bob").item.id == first
    assert desk.next_item("eve").item.id != first


def test_a_lease_ends_and_is_renewed_by_what_is_done(desk, clock):
    task = desk.next_item("ann")
    for _ in range(3):
        clock.now += LEASE - 1
        assert desk.save_draft("ann", task.item.id, task.labels, seconds=5) == clock.now + LEASE
    taken = [desk.open_item("bob", task.item.id)]
    with pytest.raises(UsageError, match="as many annotators as wanted have this reply already"):
        desk.open_item("eve", task.item.id)
    clock.now += LEASE + 1
    assert desk.open_item("eve", task.item.id).item == taken[0].item


def test_late_labels_are_taken_while_a_place_is_free(desk, clock, store):
    task = desk.next_item("ann")
    clock.now += LEASE + 1
    assert desk.submit("ann", task.item.id, uniform_labels(task.item), seconds=1000) == 1
    assert [(one.annotator, one.seconds) for one in labels(store)] == [("ann", 1000)]


def test_late_labels_are_kept_as_a_draft_when_every_place_is_taken(desk, clock, store):
    task = desk.next_item("ann")
    clock.now += LEASE + 1
    for name in ("bob", "eve"):
        desk.open_item(name, task.item.id)
        desk.submit(name, task.item.id, uniform_labels(task.item))
    late = uniform_labels(task.item, Backing.PARTIAL, comment="took me long")
    with pytest.raises(
        UsageError, match="as many annotators as wanted have this reply already; your work is kept as a draft"
    ):
        desk.submit("ann", task.item.id, late, seconds=1000)
    assert desk.open_item("ann", task.item.id).labels == late
    assert {one.annotator for one in labels(store)} == {"bob", "eve"}
    assert desk.next_item("ann").item.id != task.item.id


def test_incomplete_labels_are_kept_and_not_taken(desk, store):
    task = desk.next_item("ann")
    with pytest.raises(
        UsageError, match="the support of “Nintendo has its headquarters in Kyoto” is not judged yet, nor 4 more"
    ):
        desk.submit("ann", task.item.id, Labels(task.labels.knowledge_items, task.labels.marks, "later"), seconds=7)
    again = desk.next_item("ann")
    assert (again.item, again.labels.comment, again.seconds) == (task.item, "later", 7)
    assert labels(store) == []


def test_own_drafts_come_first(desk):
    first = desk.next_item("ann")
    desk.submit("ann", first.item.id, uniform_labels(first.item))
    second = desk.next_item("ann")
    desk.save_draft("ann", second.item.id, second.labels)
    third = next(id for id in work_through(desk, "bob") if id not in (first.item.id, second.item.id))
    desk.open_item("ann", third)
    assert desk.next_item("ann").item.id == second.item.id


def test_an_edit_is_a_new_version_and_the_newest_counts(desk, store):
    task = desk.next_item("ann")
    desk.submit("ann", task.item.id, uniform_labels(task.item), seconds=30)
    opened = desk.open_item("ann", task.item.id)
    assert (opened.state, opened.version, opened.labels) == ("submitted", 1, uniform_labels(task.item))
    changed = uniform_labels(task.item, Backing.NONE, comment="I looked again")
    assert desk.save_draft("ann", task.item.id, changed, seconds=40) is None
    assert desk.submit("ann", task.item.id, changed, seconds=50, version=1) == 2
    assert [(e.version, e.labels, e.seconds, e.guidelines) for e in labels(store)] == [(2, changed, 50, GUIDELINES)]
    kept = [(entry.version, entry.action, entry.comment) for entry in history(store)]
    assert kept == [(1, "submitted", ""), (2, "submitted", "I looked again")]


def test_a_stale_window_overwrites_nothing(desk, store):
    task = desk.next_item("ann")
    desk.submit("ann", task.item.id, uniform_labels(task.item), version=0)
    with pytest.raises(UsageError, match="judged in another window meanwhile; your work is kept as a draft"):
        desk.submit("ann", task.item.id, uniform_labels(task.item, Backing.NONE), version=0)
    assert [one.labels for one in labels(store)] == [uniform_labels(task.item)]
    assert desk.open_item("ann", task.item.id).labels == uniform_labels(task.item, Backing.NONE)


def test_undo_opens_the_last_one_again_and_the_history_keeps_both(desk, store):
    first = desk.next_item("ann")
    said = uniform_labels(first.item, comment="hm")
    desk.submit("ann", first.item.id, said, seconds=30)
    second = desk.next_item("ann")
    desk.skip("ann", second.item.id, "in French")
    back = desk.undo("ann")
    assert (back.item, back.state, back.version) == (second.item, "open", 2)
    back = desk.undo("ann")
    assert (back.item, back.state, back.version, back.labels) == (first.item, "open", 2, said)
    assert desk.undo("ann") is None
    assert [(entry.item, entry.version, entry.action, entry.comment) for entry in history(store)] == [
        (first.item.id, 1, "submitted", "hm"),
        (second.item.id, 1, "skipped", "in French"),
        (second.item.id, 2, "undone", ""),
        (first.item.id, 2, "undone", ""),
    ]
    assert labels(store) == []
    desk.submit("ann", first.item.id, back.labels)
    assert [one.version for one in labels(store)] == [3]


def test_undo_keeps_what_was_begun_since(desk):
    task = desk.next_item("ann")
    desk.submit("ann", task.item.id, uniform_labels(task.item))
    later = uniform_labels(task.item, Backing.NONE, comment="I looked again")
    desk.save_draft("ann", task.item.id, later, seconds=40)
    back = desk.undo("ann")
    assert (back.state, back.labels, back.seconds) == ("open", later, 40)


def test_an_undone_label_keeps_its_place(desk, clock):
    task = desk.next_item("ann")
    desk.submit("ann", task.item.id, uniform_labels(task.item))
    desk.open_item("bob", task.item.id)
    desk.undo("ann")
    with pytest.raises(UsageError, match="as many annotators as wanted"):
        desk.open_item("eve", task.item.id)
    clock.now += LEASE + 1
    desk.open_item("eve", task.item.id)


def test_a_skip_gives_the_place_to_others_and_does_not_come_again(desk):
    task = desk.next_item("ann")
    with pytest.raises(UsageError, match="say why"):
        desk.skip("ann", task.item.id, " ")
    desk.skip("ann", task.item.id, "in French")
    assert task.item.id not in work_through(desk, "ann")
    for name in ("bob", "eve"):
        assert task.item.id in work_through(desk, name)
    desk.undo("ann")
    desk.undo("ann")
    with pytest.raises(UsageError, match="cannot be reopened: as many annotators as wanted have this reply already"):
        desk.undo("ann")


def test_a_reason_is_text_of_some_length(desk, store):
    task = desk.next_item("ann")
    with pytest.raises(UsageError, match="the reason has 4,001 characters; write 4,000 or fewer"):
        desk.skip("ann", task.item.id, "x" * 4_001)
    desk.skip("ann", task.item.id, "half a \ud83d")
    assert [entry.comment for entry in history(store)] == ["half a \ufffd"]


def test_nobody_judges_what_was_never_given_to_them(desk):
    task = desk.next_item("ann")
    for act in (
        lambda: desk.submit("bob", task.item.id, uniform_labels(task.item)),
        lambda: desk.save_draft("bob", task.item.id, task.labels),
        lambda: desk.skip("bob", task.item.id, "no time"),
    ):
        with pytest.raises(UsageError, match="never given to you"):
            act()
    with pytest.raises(NotFound, match="there is no annotation item 'nothing'"):
        desk.open_item("ann", "nothing")
