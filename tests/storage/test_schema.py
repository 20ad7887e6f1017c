"""The schema: upgraded from every earlier one, documented, and readable through its views."""

import gzip
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from lab.schema import page as schema
from lab.schema.descriptions import TABLES
from searchain.errors import StorageError
from searchain.events import NodeJudged, fold
from searchain.types import Outcome, Status
from storage.database import Database
from storage.history import finished_turns, listing
from storage.history.selection import Selection
from storage.log import runs, verify
from storage.log.event_log import digest
from storage.log.runs import Process
from storage.migrations import KNOWN
from storage.transfer import import_turns, jsonl
from tests.support.stories import nintendo, unrated
from tests.support.story_runs import database_with, store_run

DATA = Path(__file__).parents[1] / "data"
RELEASED = {file.name.partition(".")[0]: file for file in DATA.glob("m*.db.gz")}


@pytest.fixture
def store(tmp_path):
    store = database_with(tmp_path / "chat.db", nintendo())
    yield store
    store.close()


def contents(store):
    with store.reading() as db:
        names = [name for name in db.table_names() + db.view_names() if not name.startswith("sqlite_")]
        sql = "SELECT sql FROM sqlite_master WHERE name = ?"
        return {name: db.execute(sql, (name,)).fetchone()[0] for name in names}


def as_it_was_told(question):
    """``nintendo`` with the rules as these files name them, and without an outcome."""
    names = {"different": "spans differ", "read": "completed above θ"}
    return [
        replace(event, rule=names[event.rule]) if isinstance(event, NodeJudged) else event
        for event in unrated(nintendo(question))
    ]


@pytest.mark.parametrize("name", RELEASED)
def test_a_file_of_an_earlier_schema_is_brought_up_to_date(tmp_path, store, name):
    path = tmp_path / "old.db"
    path.write_bytes(gzip.decompress(RELEASED[name].read_bytes()))
    old = Database(path)
    try:
        assert contents(old) == contents(store)
        assert len(runs.interrupt_abandoned(old, Process())) == 1
        told = {record.question: record for record in finished_turns.records(old)}
        assert told["And whose island is it?"].state() == fold(as_it_was_told("And whose island is it?"))
        assert told["Was this ever answered?"].state().status is Status.INTERRUPTED
        rows = old.rows("SELECT turn, seq, time, payload, digest FROM events")
        assert len(rows) > 80
        assert all(digest(*row[:4]) == row[4] for row in rows)
        assert old.row("SELECT count(*) FROM tree_view")[0] > 10
        assert {record.state().outcome for record in told.values()} == {None}
        assert {(row.outcome, row.probability) for row in listing.latest(old, -1)} == {(None, None)}
        assert list(verify.verify(old)) == []
        new = store_run(old)
        assert len(list(finished_turns.records(old))) == len(told) + 1
        assert [row.id for row in listing.latest(old, -1, Selection(outcome=Outcome.SUPPORTED))] == [new.turn]
    finally:
        old.close()


@pytest.fixture
def older(tmp_path):
    """What the version before outcomes left: conversations, an annotated snapshot and another system's answer."""
    path = tmp_path / "older.db"
    path.write_bytes(gzip.decompress(RELEASED["m006"].read_bytes()))
    return path


def test_what_people_judge_stays_as_it_was_frozen(older):
    with sqlite3.connect(older) as db:
        before = db.execute("SELECT id, digest, content FROM annotation_items ORDER BY number").fetchall()
    store = Database(older)
    assert store.rows("SELECT id, digest, content FROM annotation_items ORDER BY number") == before
    assert len(before) == 2
    store.close()


def test_an_export_of_the_version_before_is_what_this_one_exports(older):
    told = gzip.decompress((DATA / "m006.jsonl.gz").read_bytes())
    store = Database(older)
    runs.interrupt_abandoned(store, Process())
    with_ends = [line for line in told.splitlines(keepends=True) if b"the process that worked on" not in line]
    assert import_turns.import_lines(store, with_ends) == import_turns.Imported(0, 6)
    other = Database(older.with_name("other.db"))
    assert import_turns.import_lines(other, told.splitlines(keepends=True)).added == 7
    assert "".join(jsonl.write(finished_turns.records(other))).encode() == told
    assert {record.state().outcome for record in finished_turns.records(other)} == {None}
    assert list(verify.verify(other)) == []
    store.close()
    other.close()


def test_an_earlier_file_that_cannot_be_written_is_refused_in_one_line(older):
    with pytest.raises(StorageError, match="made by an earlier version and cannot be brought up to date") as caught:
        Database(older, read_only=True)
    assert "\n" not in str(caught.value)


def test_every_schema_up_to_the_last_one_that_was_in_use_has_its_file():
    assert sorted(RELEASED) == sorted(name.partition("_")[0] for name in KNOWN)[: len(RELEASED)]
    assert len(RELEASED) >= 3


def test_the_documents_are_those_of_the_schema(store):
    with store.reading() as db:
        assert (schema.DOCS / "schema.md").read_text(encoding="utf-8") == schema.schema_page(db)
        assert (schema.DOCS / "datasette.json").read_text(encoding="utf-8") == schema.datasette(db)
        names = set(db.table_names() + db.view_names())
    assert set(TABLES) == {name for name in names if not name.startswith(("sqlite_", "_", "turns_fts_"))}


def test_tables_with_secrets_and_identities_are_closed_to_datasette(store):
    tables = json.loads((schema.DOCS / "datasette.json").read_text())["databases"]["searchain"]["tables"]
    secret = {name for name, about in tables.items() if {"hash", "identity", "token"} & set(about["columns"])}
    secret -= {"annotation_studies", "passages"}  # hashes of what stands beside them
    assert secret >= {"tokens", "crowd_links", "crowd_people"}
    assert [name for name in sorted(secret) if tables[name].get("allow") is not False] == []


def test_the_queries_for_datasette_run(store):
    [turn] = [record.turn for record in finished_turns.records(store)]
    queries = json.loads((schema.DOCS / "datasette.json").read_text())["databases"]["searchain"]["queries"]
    with store.reading() as db:
        found = {name: list(db.query(q["sql"], {"words": "headquarters", "turn": turn})) for name, q in queries.items()}
    assert [row["final_answer"] for row in found["search"]] == ["Honshu"]
    assert [row["outline"] for row in found["tree"]] == [
        "↻ Where is the headquarters of Nintendo? → Kyoto (off the path)",
        "   – On which island is Tokyo? → Honshu (off the path)",
        "↻ Where is the headquarters of Nintendo? → Kyoto",
        "   + On which island is Kyoto? → Honshu",
    ]
    assert [(row["turns"], row["rounds"], row["seconds"]) for row in found["usage"]] == [(1, 2, 3.2)]
    assert [(row["llm"], row["corrected"], row["completed"]) for row in found["knowledge_sources"]] == [(0, 1, 1)]


def test_a_circle_of_nodes_does_not_hang_the_tree(store):
    store.write("UPDATE nodes SET parent = 'n2' WHERE id = 'n1'")
    assert store.row("SELECT count(place) FROM tree_view") == (4,)
