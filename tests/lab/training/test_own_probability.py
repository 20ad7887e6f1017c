"""Fitting how likely answers from own documents are right."""

import numpy as np
import pytest

from lab.training import own_collections, own_probability
from lab.training.own_collections import Asked, Collection, collections
from lab.training.own_probability import ENCYCLOPEDIC, figures, fitted, judged, kept_apart, looked, passages
from searchain.verification.features import NAMES
from searchain.verification.trees import Trees
from tests.support.json_lines import write_lines


def lines(collection, *, questions=40, seed=0):
    """Look-ups of a collection: of their readings those with a great f are mostly right."""
    rng = np.random.default_rng(seed)
    for number in range(questions):
        values = rng.normal(size=(4, len(NAMES)))
        right = values[:, NAMES.index("f")] + rng.normal(size=4) * 0.3 > 0.8
        readings = [
            {"features": row.tolist(), "right": bool(is_right), "stated": bool(is_right)}
            for row, is_right in zip(values, right, strict=True)
        ]
        about = {"id": f"q{number}", "collection": collection, "file": collection.partition("-")[0], "left_out": False}
        yield about | {"answerable": bool(right.any()), "expected": 0.0, "readings": readings}


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(own_probability, "TREES", 15)


def test_the_threshold_is_found_on_collections_that_the_trees_have_not_seen():
    default = Trees(0.0, ())
    found = fitted(looked([one for number in range(4) for one in lines(f"nq-{number}", seed=number)]), default)
    ticked = found.across.probability >= found.threshold
    assert ticked.sum() > 20
    assert found.across.probability[ticked].mean() >= 0.9
    assert found.across.right[ticked].mean() > 0.8
    features = {split[0] for tree in found.trees.trees for split in tree.splits}
    assert features.isdisjoint(NAMES.index(name) for name in ENCYCLOPEDIC)
    unseen = looked(list(lines("nq-9", seed=9)))
    choice = judged(unseen, found.trees)
    assert choice.right[choice.probability >= found.threshold].mean() > 0.8
    heading, total, _, of_kind = figures(choice, np.array(["nq"] * 40), found.threshold)
    assert total.split()[1:] == of_kind.split()[1:]


def test_a_third_of_the_collections_of_each_kind_is_kept_apart():
    every = [Collection(f"{kind}-{number}", kind, {}, ()) for kind in ("nq", "squad") for number in range(6)]
    apart = kept_apart(every)
    assert [sum(name.startswith(kind) for name in apart) for kind in ("nq", "squad")] == [2, 2]
    assert apart == kept_apart(every[::-1])


def test_collections_are_made_of_questions_that_the_readers_have_not_seen(tmp_path, monkeypatch):
    def record(number, source, answer):
        text = f"The {source} tower number {number} was built in 19{number:02}."
        answers = [{"text": f"19{number:02}", "start": text.index("19")}] if answer else []
        title = f"Tower {number}" if source != "squad" else "Towers"
        about = {"question": f"When was tower {number} built?", "title": title, "text": text, "answers": answers}
        return about | {"id": f"{source}-{number}", "source": source}

    monkeypatch.setattr(own_collections, "_asked_documents", lambda: Collection("kinds", "kinds", {}, ()))
    monkeypatch.setattr(own_collections, "_conflicts", lambda folder: Collection("conflicts", "conflicts", {}, ()))
    monkeypatch.setattr(own_collections, "_mtrag", lambda folder: [])
    monkeypatch.setattr(own_collections, "natural", list)
    write_lines(tmp_path / "corpus/wiki.jsonl.gz", [record(number, "wikipedia", False) for number in range(99)])
    nq, squad = [record(n, "nq", True) for n in range(10, 40)], [record(n, "squad", n % 2) for n in range(10, 40)]
    write_lines(tmp_path / "reader/dev.jsonl.gz", [*nq, *squad])
    write_lines(tmp_path / "everyday/train.jsonl.gz", [record(n, "webquestions", True) for n in range(50, 80)])
    found = {one.name: one for one in collections(tmp_path)}
    assert len(found) == 1 + 2 * own_collections.IN_ALL + 2
    squad = found["squad-Towers"]
    assert sum(asked.without for asked in squad.asked) == own_collections.LEFT_OUT
    assert sum(not asked.example.answerable for asked in squad.asked) == own_collections.UNANSWERED
    with_file = [asked for asked in squad.asked if asked.example.answers and not asked.without]
    assert all(asked.example.answers[0].encode() in squad.files[asked.file] for asked in with_file)
    assert len(squad.files) >= own_collections.SIZES[0]
    assert isinstance(with_file[0], Asked)
    name, passage = passages(squad, tmp_path)[0]
    assert passage.text.encode() in squad.files[name]
    assert passage.place is not None
