"""What is deleted or redacted leaves the annotation desk too; what people judged stays, and fits."""

import json

import pytest

from searchain.annotation.labels import check, item_from_json, to_json
from searchain.annotation.measures import counts
from searchain.annotation.protocol import Backing, default_labels
from searchain.errors import NotFound, UsageError
from storage.annotation import import_items, items, withdrawing
from storage.annotation.desk import Desk
from storage.annotation.gold import adjudicate, gold
from storage.annotation.history import history, labels
from storage.annotation.withdrawing import withdrawn
from storage.history import finished_turns
from storage.people import shares
from storage.removal import delete, redact
from tests.searchain.annotation.test_protocol import ITEM, reply
from tests.storage.removal.test_delete import on_disk
from tests.support import shell
from tests.support.judged_replies import judge, simulate_judging, uniform_labels
from tests.support.stories import nintendo
from tests.support.story_runs import store_run

FOREIGN = {
    "question": "Where is Nintendo?",
    "system": "a search engine",
    "answer": "Zebediah knows: Kyoto [1].",
    "citations": [{"number": 1, "title": "Zebediah's page", "text": "By Zebediah.", "url": "https://zebediah.example"}],
}


@pytest.fixture
def judged_turn(store):
    """A turn whose reply ann has judged, and bob has begun."""
    turn = store_run(store, nintendo("Where does Zebediah live?")).turn
    assert import_items.own_turn(store, turn, "local")
    item = judge(store, "ann", Backing.PARTIAL, comment="Zebediah is not in the documents", seconds=30)
    adjudicate(store, item.id, uniform_labels(item, comment="all but Zebediah"), "eve", [("ann", 1)])
    desk = Desk(store)
    desk.save_draft("bob", desk.next_item("bob").item.id, uniform_labels(item, comment="who is Zebediah?"))
    return turn, item


def test_old_conversations_with_replies_on_the_desk_stay_until_these_are_removed(store, judged_turn):
    turn, item = judged_turn
    token, _ = shares.make(store, store_run(store, nintendo("shared?")).conversation, owner="local")
    ended, share = shares.make(store, store_run(store, nintendo("no longer shared?")).conversation, owner="local")
    shares.revoke(store, share.id, owner="local")
    store_run(store, nintendo("old?"))
    store.write("UPDATE conversations SET updated = '2020-01-01'")
    assert delete.remove_older(store, 1) == 2
    with store.reading() as db:
        assert (items.get(db, item.id), bool(shares.find(store, token))) == (item, True)
    with store.writing() as db:
        db.execute("UPDATE shares SET expires = 1")
        withdrawing.remove(db, item.id, with_labels=False)
    assert delete.remove_older(store, 1) == 2
    assert finished_turns.count(store) == (0, 0)


def run(store, *args, **options):
    return shell.run(*args, db=store.path, **options)


@pytest.mark.parametrize(
    "item",
    [
        ITEM,
        reply("It is [1], and that is known [2].", "Où est-elle [1][2], which we know [3]?", "हिन्दी [1]."),
        *simulate_judging(replies=4).items,
    ],
    ids=lambda item: item.answer[:20],
)
def test_a_withdrawn_item_has_the_limits_of_before_and_no_text(item):
    after = withdrawn(item)
    assert item_from_json(to_json(after)) == after
    assert default_labels(after) == default_labels(item)
    assert (after.marks, after.sentences) == (item.marks, item.sentences)
    assert counts(after, uniform_labels(item)) == counts(item, uniform_labels(item))
    check(uniform_labels(item), after)
    text = after.question + after.answer + "".join(s.title + s.text + (s.url or "") for s in after.sources)
    assert set("".join(letter if letter.isalpha() else " " for letter in text).split()) <= {"and", "which", "or", "but"}


def test_a_deleted_turn_leaves_the_desk_and_its_labels_stay(store, judged_turn):
    turn, item = judged_turn
    assert b"ebediah" in on_disk(store)
    assert b"Honshu" in on_disk(store)
    assert delete.delete(store, [turn])
    assert b"ebediah" not in on_disk(store)
    assert b"Honshu" not in on_disk(store)
    [one] = labels(store)
    assert (one.labels, one.item, one.seconds) == (uniform_labels(item, Backing.PARTIAL), withdrawn(item), 30)
    assert [entry.labels for entry in gold(store)] == [uniform_labels(item)]
    desk = Desk(store)
    assert desk.next_item("bob") is None
    assert desk.next_item("cid") is None
    with pytest.raises(NotFound, match="was removed and cannot be judged any more"):
        desk.open_item("bob", item.id)
    with pytest.raises(NotFound, match="was removed and cannot be judged any more"):
        adjudicate(store, item.id, uniform_labels(item), "eve", [])


def test_who_works_on_what_is_deleted_is_told_and_keeps_the_work(store, judged_turn):
    turn, item = judged_turn
    delete.delete(store, [turn])
    desk = Desk(store)
    late = uniform_labels(item, Backing.NONE, comment="Zebediah is nowhere")
    with pytest.raises(NotFound, match="removed meanwhile, and its text is gone; what you judged is kept: submit it"):
        desk.save_draft("bob", item.id, late)
    assert desk.submit("bob", item.id, late, seconds=20) == 1
    partial, none = (uniform_labels(item, support) for support in (Backing.PARTIAL, Backing.NONE))
    assert {one.annotator: one.labels for one in labels(store)} == {"ann": partial, "bob": none}
    with pytest.raises(UsageError, match="never given to you"):
        desk.submit("cid", item.id, late)
    assert b"ebediah" not in on_disk(store)


def test_a_skip_of_what_is_deleted_quotes_nothing(store, judged_turn):
    turn, item = judged_turn
    delete.delete(store, [turn])
    Desk(store).skip("bob", item.id, "Zebediah is my uncle")
    assert [(entry.action, entry.comment) for entry in history(store)] == [("submitted", ""), ("skipped", "removed")]


def test_labels_go_too_when_that_is_asked(store, judged_turn):
    turn, item = judged_turn
    assert run(store, "logs", "delete", turn, "--with-labels", "--yes").stderr == "1 turn deleted\n"
    for table in ("items", "tasks", "labels", "gold"):
        assert store.rows(f"SELECT 1 FROM annotation_{table}") == []
    with pytest.raises(NotFound, match="there is no annotation item .*, or not any more; go on with the next one"):
        Desk(store).submit("bob", item.id, uniform_labels(item))
    assert run(store, "logs", "verify").exit_code == 0


def test_a_redacted_text_is_covered_on_the_desk(store, judged_turn):
    turn, item = judged_turn
    done = run(store, "logs", "redact", turn, "--text", "zebediah", "--text", "Honshu", "--yes")
    assert done.stderr == "1 turn redacted\n"
    assert b"ebediah" not in on_disk(store)
    assert b"Honshu" not in on_disk(store)
    task = Desk(store).next_item("bob")
    assert (task.item.question, task.labels.comment) == ("Where does ████████ live?", "who is ████████?")
    assert (
        task.item.answer
        == "Nintendo has its headquarters in Kyoto [1]. Kyoto lies on ██████ [2]. ██████ is the largest island of Japan."
    )
    [one] = labels(store)
    assert one.labels == uniform_labels(item, Backing.PARTIAL, comment="████████ is not in the documents")
    assert [entry.labels.comment for entry in gold(store)] == ["all but ████████"]


def test_a_redaction_with_labels_removes_what_holds_the_text(store, judged_turn):
    turn, item = judged_turn
    assert redact.redact(store, [turn], ["nobody says this"], with_labels=True) == ({}, True)
    assert len(labels(store)) == 1
    redact.redact(store, [turn], ["zebediah"], with_labels=True)
    assert labels(store) == gold(store) == []
    assert Desk(store).next_item("bob") is None


def test_replies_that_are_no_turn_here_are_redacted_everywhere_or_removed(store, judged_turn):
    import_items.file(store, [json.dumps(FOREIGN).encode()])
    done = run(store, "logs", "redact", "--everywhere", "--text", "zebediah", "--yes")
    assert done.stderr == "1 turn redacted, and 1 more on the annotation desk\n"
    assert b"ebediah" not in on_disk(store)
    listed = run(store, "annotate", "status", "--items").stdout.splitlines()
    rows = [line.split("\t")[1:] for line in listed]
    assert rows == [
        ["1 of 2", "searchain", "Where does ████████ live?"],
        ["0 of 2", "a search engine", "Where is Nintendo?"],
    ]
    id = listed[1].split()[0]
    done = run(store, "annotate", "remove", id, "nothing", "--yes")
    assert done.stderr.startswith("error: there is no annotation item 'nothing'")
    assert run(store, "annotate", "remove", id).stderr == "error: nobody is there to be asked; add --yes\n"
    assert b"Kyoto" in on_disk(store)
    assert run(store, "annotate", "remove", id, "--yes").stderr == "1 removed\n"
    left = run(store, "annotate", "status", "--items").stdout.splitlines()
    assert left[1] == f"{id}\t0 of 2\ta search engine\t(removed)"
    assert run(store, "annotate", "remove", id, "--with-labels", "--yes").stderr == "1 removed\n"
    assert len(run(store, "annotate", "status", "--items").stdout.splitlines()) == 1


def test_a_deleted_turn_does_not_come_back_through_a_file(store, judged_turn):
    turn, item = judged_turn
    exported = run(store, "annotate", "export").stdout, run(store, "export").stdout
    delete.delete(store, [turn], with_labels=True)
    for text in exported:
        done = run(store, "annotate", "import", "-", input=text)
        assert f"turn {turn} was deleted on " in done.stderr
        assert done.exit_code == 1


def test_a_redaction_that_only_a_comment_holds(store, judged_turn):
    turn, item = judged_turn
    import_items.file(store, [json.dumps(FOREIGN).encode()])  # which is no turn here
    assert redact.redact(store, [turn], ["not in the documents"]) == ({turn: 1}, True)
    assert labels(store)[0].labels.comment == "Zebediah is ████████████████████"
