"""``annotate certificate``: the plan, the replies that wait, and the sentence with the numbers behind it."""

import json
from dataclasses import replace

import pytest

from searchain.annotation.certificate import most_wrong, ordered
from searchain.annotation.protocol import Machine
from storage.annotation import certifying, history, items
from storage.database import Database
from tests.support.judged_replies import fill_desk, simulate_judging
from tests.support.shell import told


def run(db, *words):
    return told("annotate", "certificate", *words, db=db)


@pytest.fixture
def db(tmp_path):
    store = Database(tmp_path / "desk.db")
    fill_desk(store, simulate_judging(replies=30, seed=7))
    store.close()
    return tmp_path / "desk.db"


def test_from_the_plan_to_the_sentence(db, tmp_path):
    Database(tmp_path / "x.db").close()
    status, _, err = run(tmp_path / "x.db")
    assert (status, "there are no replies with citations on the desk" in err) == (2, True)
    status, out, _ = run(db, "--at-most", 0.05)
    assert status == 0
    assert out.startswith("if 0 of them are wrong: judge ")
    status, out, err = run(db, "--judged", 40, "--at-most", 0.9, "--json")
    assert status == 0, err
    found = json.loads(out)
    assert len(found["sample"]) == found["judged"] == 40
    assert found["wrong"] == sum(not one["is_right"] for one in found["sample"]) > 0
    assert found["most"] == most_wrong(found["citations"], 40, found["wrong"], 0.9)
    status, out, _ = run(db, "--judged", 40, "--at-most", 0.9)
    assert out == f"{found['sentence']}\n"
    status, _, err = run(db, "--judged", 40, "--at-most", 0.01)
    assert (status, "more than 1 % may be wrong" in err, "judge more" in err) == (1, True, False)


def test_an_invented_citation_is_not_counted_as_judged_by_people(db):
    store = Database(db)
    population = certifying.population(store, None)
    first = next(item for item in population if item.id == ordered(population, 0)[0][0])
    changed = items.encoded(replace(first, sources=(), machine=Machine(first.machine.supports)))
    store.write("UPDATE annotation_items SET content = ? WHERE id = ?", (changed, first.id))
    store.close()
    status, out, err = run(db, "--judged", 1, "--at-most", 1, "--json")
    assert status == 0, err
    found = json.loads(out)
    assert (found["judged"], found["wrong"], found["invented"]) == (1, 1, 1)
    assert found["sentence"].endswith("; 0 were judged by people, 0 of them wrong; 1 more cited what is not there.")


@pytest.mark.parametrize("other", [("--judged", 50), ("--judged", 30), ("--judged", 40, "--seed", 1)])
def test_the_first_sample_is_the_only_one(db, other):
    assert run(db, "--judged", 40, "--at-most", 1)[0] == 0
    status, out, err = run(db, *other, "--at-most", 1)
    assert (status, out, "use --judged 40 --seed 0" in err) == (2, "", True)
    assert run(db, "--judged", 40, "--at-most", 1, "--sure", 0.8)[0] == 0


def test_a_sample_that_is_not_judged_yet_proves_nothing(db):
    store = Database(db)
    new = next(items.items(store))
    assert history.labels(store, new.id)
    store.write("DELETE FROM annotation_labels WHERE item = ?", (new.id,))
    citations = sum(len(one.marks) for one in certifying.population(store, None))
    store.close()
    status, out, err = run(db, "--judged", citations, "--json")
    assert status == 1
    assert json.loads(out)["sentence"] is None
    assert err.strip() == f"error: the sample is not judged yet; judge these replies on the desk: {new.id}"
