"""Every sentence of methods.md over scripted studies, compared with recorded ones.

Usage:
    UPDATE_CONTRACT=1 pytest tests/ui/exports/test_methods.py     # records again: look at each figure that changes
"""

import io
import json
import os
import re
import sqlite3
import time
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from searchain.annotation.guided_practice import examples
from searchain.annotation.guided_practice import item as known_item
from searchain.annotation.machines import from_check
from searchain.annotation.protocol import Backing, Labels, Place
from searchain.annotation.study import Exclusions, Study
from storage.annotation import gold, guided, import_items, items, machines, studies, tasks, withdrawing
from storage.annotation.desk import Desk
from storage.annotation.pseudonyms import pseudonyms_of
from storage.database import Database
from storage.people import users
from tests.support.judged_replies import right_labels, uniform_labels
from ui.exports import methods, protocol

STUDY = Study(title="T", quota=3, hypotheses=("AMP differs",), primary="amp", hide_addresses=True)


@dataclass
class Round:
    """A desk that a script fills."""

    path: Path
    number: int = 0

    def __post_init__(self):
        self.store = Database(self.path)
        self.desk = Desk(self.store)

    def put(self, replies=2, system="one", stop=False, is_again=False):
        answer = "Kyoto is old. [1] It is big [2]." if stop else "Kyoto is old [1]. It is big [2]."
        sources = [{"number": at, "title": "K", "text": "Kyoto is old."} for at in (1, 2)]
        reply = {"system": system, "answer": answer, "citations": sources}
        first = self.number - replies * is_again + 1
        self.number = first + replies - 1
        lines = [reply | {"question": f"Number {number}?"} for number in range(first, first + replies)]
        import_items.file(self.store, [json.dumps(line).encode() for line in lines], quota=4)

    def check(self, number=1):
        for _ in range(number):
            self.number += 1
            source = {"number": 1, "title": "K", "text": "It is."}
            gold = {"k1": "not_supported"}
            known = known_item({"answer": f"It is {self.number} [1].", "citations": [source], "gold": gold})
            with self.store.writing() as db:
                items.add(db, items.identified(known), quota=9)

    def judge(self, name, number=99, support=Backing.COMPLETE, seconds=9.0, is_divided=False):
        for id in self.left(name)[:number]:
            task = self.desk.open_item(name, id)
            labels = uniform_labels(task.item, support)
            if is_divided:
                first, second = labels.marks
                labels = Labels(labels.knowledge_items[:1], (first, replace(second, place=Place.SUPERFLUOUS)))
            self.desk.submit(name, task.item.id, labels, seconds=seconds)

    def again(self, name):
        [item, *_] = [one for (one,) in self.sql("SELECT item FROM annotation_labels WHERE annotator = ?", name)]
        self.desk.submit(name, item, self.labels(item, Backing.NONE))

    def labels(self, item, support=Backing.COMPLETE):
        return uniform_labels(next(one for one in items.items(self.store) if one.id == item), support)

    def skip(self, name):
        self.desk.skip(name, self.desk.open_item(name, self.left(name)[0]).item.id, "in French")

    def left(self, name):
        """Return what ``name`` has not judged, in an order that is the same in every run."""
        judged = "SELECT item FROM annotation_labels WHERE annotator = ?"
        asked = f"SELECT id FROM annotation_items WHERE withdrawn IS NULL AND id NOT IN ({judged}) ORDER BY number"
        return [id for (id,) in self.sql(asked, name)]

    def study(self, value=STUDY):
        time.sleep(0.003)  # labels submitted before are older by their times too
        studies.change(self.store, value, "admin", "it was wrong")
        time.sleep(0.003)  # times have milliseconds

    def freeze(self):
        time.sleep(0.003)
        studies.freeze(self.store, "admin")
        time.sleep(0.003)

    def remove(self, at=0, with_labels=False):
        rows = self.sql("SELECT id FROM annotation_items WHERE withdrawn IS NULL ORDER BY number")
        with self.store.writing() as db:
            withdrawing.remove(db, rows[at][0], with_labels=with_labels)

    def decide(self, by="judge", at=0):
        [item] = self.sql("SELECT DISTINCT item FROM annotation_labels ORDER BY item")[at]
        gold.adjudicate(self.store, item, self.labels(item), by, gold.basis(self.store, item))

    def guess(self, name, guess):
        [item] = self.sql("SELECT item FROM annotation_labels WHERE annotator = ? AND action = 'submitted'", name)[0]
        guided.keep(self.store, name, {item: guess})

    def practise(self, name, wrong_first=False):
        guided.record(self.store, name, "read", 60)
        for number, example in enumerate(examples(), 1):
            if wrong_first:
                guided.tried(self.store, name, number, Labels(), 5)
            guided.tried(self.store, name, number, right_labels(example), 5)

    def assign(self, name):
        users.add(self.store, users.new(name, "annotator", "correct horse"))
        tasks.assign(self.store, None, [name])

    def sql(self, text, *values):
        with sqlite3.connect(self.path) as db:
            return db.execute(text, values).fetchall()

    def one(self, text, *values):
        return self.sql(text, *values)[0][0]


OUT = replace(STUDY, exclusions=Exclusions(annotators=("ben",)))
CHECKED = replace(STUDY, exclusions=Exclusions(annotators_below_checks=0.7))
SCRIPTS = {
    "nothing": lambda r: None,
    "no annotator": lambda r: (r.put(), r.study(), r.freeze()),
    "one annotator": lambda r: (r.put(), r.judge("ann")),
    "a frozen study that stays": lambda r: (r.put(), r.study(), r.freeze(), r.judge("ann"), r.judge("ben")),
    "replies added later": lambda r: (r.put(), r.study(), r.freeze(), r.judge("ann"), r.put(3, "two"), r.judge("ben")),
    "changed": lambda r: (r.put(), r.study(), r.freeze(), r.judge("ann"), r.study(replace(STUDY, quota=2, primary="coverage"))),
    "set twice": lambda r: (r.put(), r.study(), r.study(replace(STUDY, title="U")), r.judge("ann")),
    "named after": lambda r: (r.put(), r.judge("ann"), r.study(), r.freeze(), r.judge("ben")),
    "judged before the freeze": lambda r: (r.put(), r.study(), r.judge("ann"), r.freeze(), r.judge("ben")),
    "one excluded": lambda r: (r.put(), r.judge("ann"), r.judge("ben"), r.study(OUT), r.guess("ben", None)),
    "one system excluded": lambda r: (
        r.put(), r.put(2, "two"), r.judge("ann"), r.judge("ben"),
        r.study(replace(STUDY, exclusions=Exclusions(systems=("two",)))),
    ),
    "checks": lambda r: (
        r.put(), r.check(6), r.study(CHECKED), r.judge("ann", support=Backing.CONTRADICTS), r.judge("ben"),
    ),
    "too few checks": lambda r: (r.put(), r.check(2), r.study(CHECKED), r.freeze(), r.judge("ann"), r.check()),
    "removed": lambda r: (r.put(3), r.study(), r.freeze(), r.judge("ann"), r.judge("ben"), r.remove()),
    "removed with labels": lambda r: (r.put(3), r.study(), r.freeze(), r.judge("ann"), r.remove(with_labels=True)),
    "skips and takes back": lambda r: (r.put(4), r.skip("ann"), r.judge("ann"), r.desk.undo("ann"), r.again("ann")),
    "decided": lambda r: (r.put(), r.judge("ann"), r.judge("ben", support=Backing.NONE), r.decide(), r.decide("local", 1)),
    "decided, then judged": lambda r: (r.put(), r.judge("ann"), r.decide(), r.judge("ben"), r.again("ann")),
    "practised": lambda r: (
        r.practise("ann"), r.practise("eve", wrong_first=True), guided.record(r.store, "ben", "left out"), r.put(),
        r.judge("ann"), r.judge("ben"), r.judge("cleo"), r.practise("cleo"),
    ),
    "guessed": lambda r: (
        r.put(), r.put(2, "two"), r.judge("ann"), r.judge("ben"), r.guess("ann", "two"), r.guess("ben", None),
        time.sleep(0.003), r.put(), r.judge("ann"),
    ),
    "marks and places": lambda r: (
        r.put(), r.put(2, "two", stop=True), r.study(replace(STUDY, normalise_marks=True, hide_addresses=False)),
        r.put(1, "three", stop=True), r.judge("ann", is_divided=True),
        tasks.one_more(r.store, r.one("SELECT id FROM annotation_items LIMIT 1")),
    ),
    "compared and assigned": lambda r: (
        r.put(), r.put(2, "two", is_again=True), r.put(1, "three"), r.judge("ann", 3), r.judge("ann", 1, is_divided=True),
        r.judge("ann"), r.assign("ben"), r.judge("ben", 2),
    ),
    "machines and texts": lambda r: (
        r.put(12), r.study(replace(STUDY, guidelines="Own\ntext", hypotheses=("a\nb", "c"))), r.judge("ann", 8),
        machines.judge_all(r.store, "a check", from_check(lambda claim, evidence: "supported")), r.remove(),
        r.judge("ben", 2, seconds=0.0),
    ),
}  # fmt: skip

PROGRAM = Path(methods.__file__).with_name("templates").joinpath("methods.txt").read_text(encoding="utf-8").splitlines()
"""Sentences of the template that have no value describe the program."""
RECORDED = Path(__file__).parents[2] / "data" / "methods.json"
"""The sentences with values of every script: each value was counted again by SQL when they were recorded."""


def sentences(store: Database) -> list[str]:
    """Return the sentences with values of methods.md, without what differs from run to run."""
    with zipfile.ZipFile(io.BytesIO(protocol.packed(store))) as pack:
        text = pack.read("methods.md").decode()
    for name, pseudonym in pseudonyms_of(store).items():
        text = text.replace(pseudonym, name)
    text = re.sub(r"Written by searchain \S+, commit \S+|\b20\d\d-\d\d-\d\d(T[\d:]+)?|\b[0-9a-f]{64}\b", "…", text)
    return [line for line in text.splitlines() if line and line not in PROGRAM]


def test_every_script_leads_to_the_recorded_sentences(tmp_path):
    said = {}
    for name, script in SCRIPTS.items():
        made = Round(tmp_path / f"{name}.db")
        script(made)
        said[name] = sentences(made.store)
        made.store.close()
    if os.environ.get("UPDATE_CONTRACT"):
        RECORDED.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert said == json.loads(RECORDED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["practised", "changed", "removed", "guessed", "checks"])
def test_a_round_that_is_imported_again_has_the_same_methods(name, tmp_path):
    made, texts = Round(tmp_path / "a.db"), []
    SCRIPTS[name](made)
    again = Database(tmp_path / "b.db")
    for store in (made.store, again):
        with zipfile.ZipFile(io.BytesIO(protocol.packed(store))) as pack:
            texts.append(re.sub(r"annotator-\w+", "somebody", pack.read("methods.md").decode()))
            if store is made.store:
                import_items.file(again, pack.read("labels.jsonl").splitlines(keepends=True))
        store.close()
    assert texts[0] == texts[1]
