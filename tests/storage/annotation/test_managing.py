"""Assigning, adjudicating and removing by the command line: who may, which places are taken, what is kept."""

import json
import shutil

import pytest

from searchain.annotation.protocol import Backing
from storage.annotation.desk import Desk
from storage.annotation.gold import gold
from storage.annotation.history import labels
from storage.annotation.tasks import LEASE
from storage.database import Database
from storage.people import users
from tests.support.json_lines import kept
from tests.support.judged_replies import ManualClock, desk_database, judge, uniform_labels
from tests.support.shell import annotate


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Passwords take their time to be hashed: once is enough."""
    path = tmp_path_factory.mktemp("desk") / "desk.db"
    store = desk_database(path, number=3)
    for name, role in (("ann", "annotator"), ("bob", "annotator"), ("eve", "admin"), ("joe", "chat")):
        users.add(store, users.new(name, role, "a long password"))
    store.close()
    return path


@pytest.fixture
def store(tmp_path, prepared):
    store = Database(shutil.copy(prepared, tmp_path / "desk.db"))
    yield store
    store.close()


def run(store, *args):
    return annotate(*args, db=store.path)


def ids(store):
    return [line.partition("\t")[0] for line in run(store, "status", "--items").stdout.splitlines()]


def test_what_is_assigned_comes_first_and_does_not_end(store):
    third = ids(store)[2]
    assert run(store, "assign", third, "--to", "ANN", "--to", "bob").stderr == "2 assigned\n"
    assert run(store, "assign", third, "--to", "ann").stderr == "0 assigned, 1 judged, skipped or assigned before\n"
    clock = ManualClock()
    clock.now = 4e9
    task = Desk(store, clock=clock).next_item("ann")
    assert (task.item.id, task.expires, task.is_assigned) == (third, None, True)
    clock.now += 2 * LEASE
    assert Desk(store, clock=clock).next_item("eve").item.id != third
    assert "--quota" in run(store, "assign", third, "--to", "eve").stderr
    assert run(store, "assign", third, "--to", "eve", "--quota", "3").stderr == "1 assigned\n"
    clock.now += 2 * LEASE
    assert [Desk(store, clock=clock).next_item(name).item.id for name in ("bob", "eve")] == [third, third]


def test_all_of_them_as_far_as_there_is_place(store):
    first, second, third = ids(store)
    judge(store, "ann", id=first)
    Desk(store).open_item("ann", second)
    Desk(store).skip("ann", second, "in French")
    run(store, "assign", third, "--to", "bob", "--to", "eve")
    assert run(store, "assign", "--all", "--to", "ann").stderr == (
        "0 assigned, 2 judged, skipped or assigned before, 1 without a free place (--quota raises their number)\n"
    )
    assert run(store, "assign", second, "--to", "ann").stderr == "1 assigned\n"
    assert Desk(store).next_item("ann").item.id == second


def test_an_assignment_is_taken_back_and_the_draft_stays(store):
    first = ids(store)[0]
    run(store, "assign", first, "--to", "ann")
    task = Desk(store).next_item("ann")
    Desk(store).save_draft("ann", first, uniform_labels(task.item))
    assert run(store, "assign", "--all", "--to", "ann", "--undo").stderr == "1 taken back\n"
    assert run(store, "assign", "--all", "--to", "ann", "--undo").stderr == "0 taken back\n"
    for name in ("bob", "eve"):
        Desk(store).open_item(name, first)
    assert Desk(store).next_item("ann").item.id != first


@pytest.mark.parametrize(("args", "status", "words"), kept("annotation-mistakes.json"))
def test_mistakes_are_one_line_and_change_nothing(store, args, status, words):
    done = run(store, *args)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (status, "", 1)
    assert words in done.stderr
    assert store.row("SELECT count(*) FROM annotation_tasks") == (0,)


def test_what_an_annotator_said_becomes_gold_beside_it(store):
    first = ids(store)[0]
    item = judge(store, "ann", Backing.PARTIAL, first, "half of it")
    judge(store, "bob", id=first)
    decided = run(store, "adjudicate", first, "--from", "ANN", "--by", "Eve")
    assert decided.stderr == f"item {first} decided by eve, beside 2 labels\n"
    [one] = gold(store)
    half = uniform_labels(item, Backing.PARTIAL, comment="half of it")
    assert (one.labels, one.adjudicator, one.based_on) == (half, "eve", (("ann", 1), ("bob", 1)))
    assert len(labels(store)) == 2
    done = run(store, "adjudicate", first, "--from", "eve")
    assert (done.exit_code, done.stderr) == (
        2,
        f"error: eve has submitted no labels of item {first} that count; who has: ann, bob\n",
    )
    assert "joe may not annotate" in run(store, "adjudicate", first, "--from", "ann", "--by", "joe").stderr


def test_a_pseudonym_names_an_annotator_too(store):
    first = ids(store)[0]
    judge(store, "ann", id=first)
    [line] = [line for line in run(store, "export", "--pseudonyms").stdout.splitlines() if '"label"' in line]
    assert run(store, "adjudicate", first, "--from", json.loads(line)["label"]["annotator"]).exit_code == 0
    assert gold(store)[0].adjudicator == "local"


def test_the_newest_decision_counts(store):
    first = ids(store)[0]
    item = judge(store, "ann", id=first)
    judge(store, "bob", Backing.NONE, first)
    for name in ("ann", "bob"):
        assert run(store, "adjudicate", first, "--from", name).exit_code == 0
    assert [one.labels for one in gold(store)] == [uniform_labels(item, Backing.NONE)]
    assert store.row("SELECT count(*) FROM annotation_gold") == (2,)
