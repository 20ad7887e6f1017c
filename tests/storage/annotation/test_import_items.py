"""Replies onto the desk and labels out of it, by the command line; broken files change nothing."""

import gzip
import json
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest

from searchain.annotation.protocol import Backing, ItemMark, Origin
from searchain.annotation.study import Study
from searchain.events import fold
from searchain.language.descriptions import described
from storage.annotation import import_items, items
from storage.annotation.desk import Desk
from storage.annotation.gold import adjudicate, gold
from storage.annotation.history import history, labels
from storage.annotation.progress import progress
from storage.database import Database
from tests.support.judged_replies import desk_database, judge, uniform_labels
from tests.support.shell import annotate as run
from tests.support.stories import NINTENDO, nintendo
from tests.support.story_runs import database_with

FOREIGN = {
    "question": "Where is Nintendo?",
    "system": "a search engine",
    "answer": "In Kyoto [1]. Since 1889.",
    "citations": [{"number": 1, "title": "Nintendo", "text": NINTENDO.text, "url": "https://x.example/n"}],
}
CHECK = {
    "question": "Where is Kyoto?",
    "answer": "Kyoto lies on Honshu [1][2].",
    "citations": [{"number": 1, "title": "About Kyoto", "text": "Honshu."}, {"number": 2, "title": "2", "text": "x"}],
    "gold": {"k1": "supported"},
    "source": "a judged set",
}


def write(path, *values):
    text = "".join(json.dumps(value) + "\n" for value in values)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def desk_items(path):
    with closing(Database(path)) as store:
        desk, found = Desk(store), []
        while task := desk.next_item("ann"):
            desk.skip("ann", task.item.id, "seen")
            found.append(task.item)
        return found


def exported(path, *options):
    done = run("export", *options, db=path)
    assert done.exit_code == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_stored_turns_and_foreign_answers_side_by_side(tmp_path):
    path = tmp_path / "chat.db"
    database_with(path, nintendo()).close()
    file = write(tmp_path / "foreign.jsonl", FOREIGN)
    assert run("import", "--from-turns", db=path).stderr == "1 imported\n"
    assert run("import", file, db=path).stderr == "1 imported\n"
    assert run("import", file, db=path).stderr == "0 imported, 1 there already\n"
    assert run("import", "--from-turns", db=path).stderr == "0 imported, 1 there already\n"
    own, foreign = sorted(desk_items(path), key=lambda item: item.origin, reverse=True)
    found = [(item.origin, item.system, item.task) for item in (own, foreign)]
    assert found == [(Origin.TURN, "searchain", "multihop"), (Origin.FOREIGN, "a search engine", None)]
    assert foreign.marks == (ItemMark(0, 1, 9, 12),)
    assert set(own.blind()) == set(foreign.blind()) == set("id question answer sentences marks sources uncited".split())
    assert set(own.blind()["sources"][0]) == {"number", "title", "text", "url"}


def test_documents_do_not_tell_this_programs_replies_apart():
    """The label of a description is cut with the span moved, and uncited documents are hidden by default."""
    turn = fold(nintendo())
    first = turn.sources[0]
    text = described("Company in Kyoto", first.passage.text)
    by = len(text) - len(first.passage.text)
    span = replace(first.span, start=first.span.start + by, end=first.span.end + by)
    changed = replace(first, passage=replace(first.passage, text=text), span=span)
    turn = replace(turn, sources=(changed, *turn.sources[1:]))
    item = items.of_record(SimpleNamespace(turn="t", state=lambda: turn))
    [source, *_], [span, *_] = item.sources, item.machine.spans
    assert source.text == f"Company in Kyoto.\n{first.passage.text}"
    assert source.text[span.start : span.end] == first.passage.text[first.span.start : first.span.end]
    assert item.uncited
    assert Study().blind(item)["uncited"] == []
    assert len(Study(show_uncited=True).blind(item)["uncited"]) == len(item.uncited)


def test_the_conditions_of_logs_list_choose_turns(tmp_path):
    path = tmp_path / "chat.db"
    database_with(path, nintendo(), nintendo("And who founded Nintendo?")).close()
    assert run("import", "--from-turns", "--text", "nobody said it", db=path).stderr == "0 imported: none were found\n"
    assert run("import", "--from-turns", "--text", "founded", "--quota", "3", db=path).stderr == "1 imported\n"
    assert [item.question for item in desk_items(path)] == ["And who founded Nintendo?"]
    assert exported(path)[0]["quota"] == 3


def test_known_replies_are_hidden_checks(tmp_path):
    write(tmp_path / "sets.jsonl.gz", CHECK, {**CHECK, "answer": "Kyoto is new [1]", "gold": {"k1": "not_supported"}})
    done = run("import", "--practice", tmp_path, db=tmp_path / "desk.db")
    assert done.stderr == "2 imported\n"
    one, two = sorted(desk_items(tmp_path / "desk.db"), key=lambda item: item.answer)
    assert [(item.answer, item.origin, item.machine.known[0].right) for item in (one, two)] == [
        ("Kyoto is new [1]", Origin.PRACTICE, ("none", "contradicts")),
        ("Kyoto lies on Honshu [1][2].", Origin.PRACTICE, ("complete",)),
    ]
    assert (two.question, [source.title for source in two.sources]) == ("Where is Kyoto?", ["About Kyoto", "2"])
    assert "complete" not in json.dumps(two.blind())


def test_an_export_is_imported_with_everything(tmp_path):
    store = desk_database(tmp_path / "one.db", number=2)
    desk = Desk(store)
    for name, support in (("ann", Backing.COMPLETE), ("bob", Backing.PARTIAL)):
        task = desk.next_item(name)
        desk.submit(name, task.item.id, uniform_labels(task.item, support, comment=f"says {name}"), seconds=30)
    desk.submit("bob", task.item.id, uniform_labels(task.item, Backing.NONE), seconds=45.5)
    skipped = desk.next_item("bob")
    desk.skip("bob", skipped.item.id, "in French")
    adjudicate(store, task.item.id, uniform_labels(task.item), "eve", [("ann", 1), ("bob", 2)], "guideline gap")
    before = [labels(store), history(store), gold(store), progress(store, "bob")]
    store.close()
    text = run("export", db=tmp_path / "one.db").stdout
    pair = json.dumps({"format": "searchain-annotation", "version": 1, "pair": {}})  # as earlier versions wrote
    assert run("import", "-", db=tmp_path / "two.db", input=f"{text}{pair}\n").stderr == "7 imported\n"
    assert gold(Database(tmp_path / "two.db"))[0].reason == "guideline gap"
    assert run("import", "-", db=tmp_path / "two.db", input=text).stderr == "0 imported, 7 there already\n"
    copy = Database(tmp_path / "two.db")
    assert [labels(copy), history(copy), gold(copy), progress(copy, "bob")] == before
    assert Desk(copy).next_item("ann").item.id != task.item.id
    copy.close()
    assert run("export", db=tmp_path / "two.db").stdout == text


def test_an_id_says_nothing_of_who_wrote_the_reply(tmp_path):
    """Whoever knows what is judged, and guesses the system, cannot compute the id that annotators see."""
    file, database_of = write(tmp_path / "foreign.jsonl", FOREIGN, {**FOREIGN, "system": "another"}), []
    write(tmp_path / "sets.jsonl.gz", CHECK)
    for name in ("one.db", "two.db"):
        assert run("import", file, db=tmp_path / name).stderr == "2 imported\n"
        assert run("import", "--practice", tmp_path, db=tmp_path / name).stderr == "1 imported\n"
        database_of.append({line["item"]["id"]: line for line in exported(tmp_path / name)})
    one, two = database_of
    assert len(one) == len(two) == 3
    assert not set(one) & set(two)
    assert {line["digest"] for line in one.values()} == {line["digest"] for line in two.values()}
    assert not {line["digest"] for line in one.values()} & set(one)
    for name in ("one.db", "two.db"):
        assert run("import", file, db=tmp_path / name).stderr == "0 imported, 2 there already\n"
        assert run("import", "--practice", tmp_path, db=tmp_path / name).stderr == "0 imported, 1 there already\n"


def test_labels_of_the_same_reply_on_two_desks_come_together(tmp_path):
    file = write(tmp_path / "foreign.jsonl", FOREIGN)
    for name, annotator in (("one.db", "ann"), ("two.db", "bob")):
        assert run("import", file, db=tmp_path / name).stderr == "1 imported\n"
        store = Database(tmp_path / name)
        item = judge(store, annotator, comment=f"says {annotator}")
        adjudicate(store, item.id, uniform_labels(item), "eve", [(annotator, 1)])
        store.close()
    text = run("export", db=tmp_path / "two.db").stdout
    assert run("import", "-", db=tmp_path / "one.db", input=text).stderr == "2 imported, 1 there already\n"
    assert run("import", "-", db=tmp_path / "one.db", input=text).stderr == "0 imported, 3 there already\n"
    both = Database(tmp_path / "one.db")
    found = labels(both)
    assert [(one.annotator, one.labels.comment) for one in found] == [("ann", "says ann"), ("bob", "says bob")]
    assert len({one.item.id for one in found}) == 1
    assert [(one.adjudicator, one.based_on) for one in gold(both)] == [("eve", (("bob", 1),))]
    both.close()


def test_the_database_is_free_for_others_while_lines_are_read(tmp_path):
    source = desk_database(tmp_path / "one.db")
    item = judge(source, "ann")
    adjudicate(source, item.id, uniform_labels(item), "eve", [("ann", 1)])
    source.close()
    lines = run("export", db=tmp_path / "one.db").stdout.encode().splitlines()
    store, other = Database(tmp_path / "two.db"), Database(tmp_path / "two.db")

    def slowly():
        for line in (*lines, json.dumps(FOREIGN).encode()):
            yield line
            with other.writing() as db:  # waits for nobody
                items.add(db, items.identified(item))

    assert import_items.file(store, slowly()).added == 4
    other.close()
    store.close()


def test_a_comment_of_a_label_has_one_place_and_a_limit(tmp_path):
    store = desk_database(tmp_path / "one.db")
    item = judge(store, "ann", comment="in its column")
    adjudicate(store, item.id, uniform_labels(item, comment="in its column"), "eve", [("ann", 1)])
    store.close()
    item, label, decision = exported(tmp_path / "one.db")
    for row in (label["label"], decision["gold"]):
        row["labels"] = {**row["labels"], "comment": "Zebediah says so", "more": "Zebediah"}
    file = write(tmp_path / "file.jsonl", item, label, decision)
    assert run("import", file, db=tmp_path / "two.db").stderr == "3 imported\n"
    copy = Database(tmp_path / "two.db")
    stored = [copy.row(f"SELECT labels, comment FROM annotation_{table}") for table in ("labels", "gold")]
    assert [comment for _, comment in stored] == ["in its column"] * 2
    assert "Zebediah" not in json.dumps(stored)
    copy.close()
    label["label"]["comment"] = "x" * 4_001
    done = run("import", write(tmp_path / "long.jsonl", item, label), db=tmp_path / "three.db")
    assert (
        done.stderr
        == "error: line 2 cannot be imported: its comment has 4,001 characters; 4,000 are the most; nothing was imported\n"
    )


def test_half_characters_are_replaced(tmp_path):
    broken = {**FOREIGN, "answer": "In Kyoto \ud83d [1].", "system": "s\ud83d"}
    assert run("import", write(tmp_path / "foreign.jsonl", broken), db=tmp_path / "desk.db").stderr == "1 imported\n"
    write(tmp_path / "sets.jsonl.gz", {**CHECK, "answer": "Kyoto \ud83d lies there [1]."})
    assert run("import", "--practice", tmp_path, db=tmp_path / "desk.db").stderr == "1 imported\n"
    said = sorted((item.system, item.answer) for item in desk_items(tmp_path / "desk.db"))
    assert said == [("a judged set", "Kyoto \ufffd lies there [1]."), ("s\ufffd", "In Kyoto \ufffd [1].")]


BROKEN = {
    "no JSON": (b"{", "it is no JSON"),
    "no object": (b"[1]", "it is no JSON object"),
    "no text": (b"\xff\xfe", "can't decode byte"),
    "something else": (
        b'{"x": 1}',
        "it is no other system's answer (question, system, answer, citations), no turn of `export",
    ),
    "no answer": (json.dumps({**FOREIGN, "answer": " "}).encode(), "its question or its answer is empty"),
    "a citation without a number": (
        json.dumps({**FOREIGN, "citations": [{"title": "x", "text": "y"}]}).encode(),
        "no number of a citation",
    ),
    "a label without an item": (
        b'{"format": "searchain-annotation", "version": 1, "label": {"item": "i", "annotator": "a", '
        b'"version": 1, "action": "skipped", "guidelines": "1.0", "labels": null, "seconds": 1, '
        b'"comment": "", "created": "2026-01-01T00:00:00.000+00:00"}}',
        "there is no item 'i'",
    ),
    "a new version": (b'{"format": "searchain-annotation", "version": 2}', "a newer version of this program wrote it"),
    "nothing of ours": (b'{"format": "searchain-annotation", "version": 1}', "it holds no item, no label and no gold"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_line_is_named_and_nothing_is_imported(tmp_path, what):
    line, message = BROKEN[what]
    path = tmp_path / "file.jsonl"
    path.write_bytes(json.dumps(FOREIGN).encode() + b"\n\n" + line + b"\n")
    done = run("import", path, db=tmp_path / "desk.db")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("error: line 3 cannot be imported: ")
    assert message in done.stderr
    assert done.stderr.endswith("; nothing was imported\n")
    assert desk_items(tmp_path / "desk.db") == []


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "say what to import"),
        (("--practice", ".", "--since", "7d"), "add --from-turns"),
        (("--from-turns", "--since", "soon"), "'soon' is no time"),
        (("none.jsonl",), "does not exist"),
        (("-", "--from", "acme"), "error: 'acme' is no form; `annotate import --list-forms` names them\n"),
        (("--quota", "0", "--from-turns"), "0 is not in the range"),
    ],
)
def test_wrong_use_is_one_line(tmp_path, args, message):
    done = run("import", *args, db=tmp_path / "desk.db")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr


def test_labels_that_do_not_fit_are_refused(tmp_path):
    store = desk_database(tmp_path / "one.db")
    judge(store, "ann")
    store.close()
    item, label = exported(tmp_path / "one.db")
    label["label"]["labels"]["marks"][0]["place"] = None
    done = run("import", write(tmp_path / "file.jsonl", item, label), db=tmp_path / "two.db")
    assert done.stderr == (
        "error: line 2 cannot be imported: the place of mark 1, [1] is not judged yet; nothing was imported\n"
    )
