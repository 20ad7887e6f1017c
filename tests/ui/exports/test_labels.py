"""The desk as CSV: what was said stands where it belongs, and nothing in it does harm."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from searchain.annotation.protocol import Backing, Evidence, Labels, MarkJudgement, Place
from storage.annotation import import_items
from storage.annotation.desk import Desk
from storage.annotation.gold import adjudicate
from storage.annotation.history import labels
from storage.database import Database
from storage.removal import delete
from tests.support.hostile import CORPUS
from tests.support.judged_replies import desk_database, uniform_labels
from tests.support.shell import annotate
from ui.exports.labels_csv import COLUMNS


@pytest.fixture
def store(tmp_path):
    store = desk_database(tmp_path / "desk.db")
    yield store
    store.close()


def submit(store, name, change=lambda labels: labels, **kwargs):
    desk = Desk(store)
    task = desk.next_item(name)
    desk.submit(name, task.item.id, change(uniform_labels(task.item, **kwargs)), seconds=30)
    return task.item


def moved(labels):
    """The second mark belongs to the first knowledge item, and the third item lacks one; words decided."""
    one, two, three = labels.knowledge_items
    two = replace(two, support=Backing.NONE)
    return Labels(
        (replace(one, evidence=(Evidence(1, 0, 8),)), two, replace(three, missing=True)),
        (labels.marks[0], MarkJudgement(1, Place.ELSEWHERE, "k1")),
        labels.comment,
    )


def export(store, *args):
    done = annotate("export", *args, db=store.path)
    assert done.exit_code == 0
    return done.stdout


def table(store, *args):
    return list(csv.DictReader(io.StringIO(export(store, "--format", "csv", *args), newline="")))


def test_a_row_for_each_mark_and_annotator(store):
    item = submit(store, "ann", moved, support=Backing.PARTIAL, comment="hm")
    submit(store, "bob")
    adjudicate(store, item.id, uniform_labels(item), "eve", [("ann", 1), ("bob", 1)])
    rows = table(store)
    assert list(rows[0]) == list(COLUMNS)
    of = "kind annotator knowledge_item support is_mark_missing mark citation place belongs_to evidence".split()
    assert [tuple(row[name] for name in of) for row in rows] == [
        ("label", "ann", "k1", "partial", "", "1", "1", "right", "", "[1] Nintendo"),
        ("label", "ann", "k2", "none", "", "2", "2", "elsewhere", "k1", ""),
        ("label", "ann", "k3", "", "1", "", "", "", "", ""),
        ("label", "bob", "k1", "complete", "", "1", "1", "right", "", ""),
        ("label", "bob", "k2", "complete", "", "2", "2", "right", "", ""),
        ("label", "bob", "k3", "", "0", "", "", "", "", ""),
        ("gold", "eve", "k1", "complete", "", "1", "1", "right", "", ""),
        ("gold", "eve", "k2", "complete", "", "2", "2", "right", "", ""),
        ("gold", "eve", "k3", "", "0", "", "", "", "", ""),
    ]


def test_a_mark_at_no_item_and_a_comment_alone_are_not_lost(store):
    def nothing(labels):
        return Labels((), tuple(replace(mark, place=Place.SUPERFLUOUS) for mark in labels.marks), "none")

    item = submit(store, "ann", nothing)
    told = [(row["knowledge_item"], row["mark"], row["place"], row["comment"]) for row in table(store)]
    assert told == [("", "1", "superfluous", "none"), ("", "2", "superfluous", "none")]
    assert [one.item for one in labels(store)] == [item]


def test_pseudonyms_in_every_format_and_what_was_removed_without_its_text(store):
    item = submit(store, "annabel")
    adjudicate(store, item.id, uniform_labels(item), "isabel", [("annabel", 1)])
    for name in ("csv", "jsonl"):
        assert "annabel" in export(store, "--format", name)
        hidden = export(store, "--format", name, "--pseudonyms")
        assert "annabel" not in hidden
        assert "annotator-" in hidden
    submit(store, "ann")
    [(turn,)] = store.rows("SELECT id FROM turns")
    delete.delete(store, [turn])
    assert [row["text"] for row in table(store)][0] == "████████ ███ ███ ████████████ ██ █████"


def test_no_cell_runs_in_a_spreadsheet(tmp_path):
    store = Database(tmp_path / "desk.db")
    texts = [text for text in CORPUS if text.strip()][::6] + ["=cmd|'/c calc'!A1", "+1", "@SUM(1)", "\t=1", "-2+3"]
    lines = []
    for text in texts:
        source = {"number": 1, "title": text, "text": text + "x"}
        reply = {"question": text, "system": text[:200], "answer": f"{text} [1].", "citations": [source]}
        lines.append(json.dumps(reply).encode())
    import_items.file(store, lines, quota=1)
    desk = Desk(store)
    while task := desk.next_item("=ann"):
        desk.submit("=ann", task.item.id, uniform_labels(task.item, Backing.NONE, comment="=HYPERLINK(1)"))
    rows = table(store)
    assert {row["comment"] for row in rows} == {"'=HYPERLINK(1)"}
    assert {row["annotator"] for row in rows} == {"'=ann"}
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell.lstrip()[:1] in set("=+@") or re.match(r"-\D|-$", cell)]
    store.close()
