"""docs/schema.md and docs/datasette.json, made from a fresh database.

Usage:
    python -m lab.schema        # writes both
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.schema.descriptions import TABLES, about
from searchain.files.checkout import ROOT
from storage.database import Database

if TYPE_CHECKING:
    import sqlite_utils

DOCS = ROOT / "docs"
_INTRO = """# The database

Made from the schema by `python -m lab.schema`; a test compares.

`events` is the truth: it only grows, and everything in `turns` after the question, `nodes`, `retrievals`, `sources`,
`sentences` and `marks` is made from it (`python assistant.py logs verify` makes it again and reports any difference).
Offsets count Unicode code points and are half-open. What people said is never made again: `feedback`, and on the
annotation desk `annotation_labels` and `annotation_gold`, which only grow until somebody removes them.
`annotation_items` are frozen copies of replies, so that labels outlive the turns they were made on.

    datasette searchain.db -m docs/datasette.json

shows the file in a browser, if [Datasette](https://datasette.io) is installed: the three views are the place to start.
In a file of this name, users, tokens, sessions, shared links, people of crowd platforms and the audit trail are closed
to it, and so is SQL of the reader's own; in one of another name nothing is. Conversations are open: leave Datasette on
this machine's own address.
"""
_CLOSED = {"hidden": True, "allow": False}
_DATASETTE: dict[str, dict[str, Any]] = {
    "turn_view": {"sort_desc": "created", "facets": ["outcome", "status", "model", "task"]},
    "tree_view": {"sort": "place", "facets": ["turn", "verdict"]},
    "citation_view": {"sort_desc": "created", "facets": ["support", "verdict", "model"]},
    "turns": {"sort_desc": "number", "label_column": "question", "fts_table": "turns_fts", "fts_pk": "number"},
    "conversations": {"sort_desc": "updated", "label_column": "title"},
    "passages": {"label_column": "title"},
    "collections": {"label_column": "name"},
    "documents": {"sort_desc": "created", "facets": ["state", "type"], "label_column": "name"},
    "runs": {"hidden": True},
    "audit": _CLOSED,
    "users": _CLOSED,
    "spending": _CLOSED,
    "tokens": _CLOSED,
    "crowd_links": _CLOSED,
    "crowd_people": _CLOSED,
    "shares": _CLOSED,
    "shared_turns": _CLOSED,
}
_QUERIES = {
    "search": {
        "title": "Search questions and replies",
        "sql": "select t.created, t.id as turn, t.question, t.final_answer, t.answer from turns_fts f "
        "join turns t on t.number = f.rowid where turns_fts match :words order by rank limit 100",
    },
    "tree": {
        "title": "The tree of one turn",
        "sql": "select outline, confidence, passage_title, quote from tree_view where turn = :turn order by place",
    },
    "usage": {
        "title": "Usage per day and model",
        "sql": "select substr(created, 1, 10) as day, model, count(*) as turns, sum(rounds) as rounds, "
        "sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens, "
        "round(sum(seconds), 1) as seconds from turns where status is not null group by day, model "
        "order by day desc",
    },
    "knowledge_sources": {
        "title": "Where the knowledge of the replies is from",
        "sql": "select t.model, sum(n.verdict in ('agreed', 'disputed', 'unconfirmed')) as llm, "
        "sum(n.verdict = 'corrected') as corrected, sum(n.verdict = 'completed') as completed "
        "from nodes n join turns t on t.id = n.turn "
        "where n.on_path and not (n.verdict = 'unconfirmed' and n.model_answer is null) group by t.model",
    },
}


def schema_page(db: sqlite_utils.Database) -> str:
    """docs/schema.md."""
    tables = "".join(_table(db, name) for name in TABLES if not name.endswith(("_view", "_fts")))
    views = "".join(_view(db, name) for name in TABLES if name.endswith("_view"))
    return f"{_INTRO}\n## Tables\n{tables}\n### turns_fts\n\n{TABLES['turns_fts'][0]}\n\n## Views\n{views}"


def datasette(db: sqlite_utils.Database) -> str:
    """docs/datasette.json: what Datasette shows beside the data."""
    tables = {
        name: {
            "description": text,
            **_DATASETTE.get(name, {}),
            "columns": {column: about(name, column) for column in _columns(db, name)},
        }
        for name, (text, _) in TABLES.items()
    }
    metadata = {
        "title": "The SearChain assistant",
        "description": "Questions, trees of reasoning, replies and evidence.",
        "databases": {"searchain": {"allow_sql": False, "tables": tables, "queries": _QUERIES}},
    }
    return json.dumps(metadata, indent=1, ensure_ascii=False) + "\n"


def _table(db: sqlite_utils.Database, name: str) -> str:
    table = db.table(name)
    keys = {key.column: f"{key.other_table}.{key.other_column}" for key in table.foreign_keys if key.column}
    rows = "".join(
        f"| {column.name} | {column.type}{' NOT NULL' if column.notnull else ''} | "
        f"{' '.join(filter(None, [about(name, column.name), _key(keys, column.name)]))} |\n"
        for column in table.columns
    )
    unique = [f"unique ({', '.join(index.columns)})" for index in table.indexes if index.origin == "u"]
    indexes = [f"index {index.name} ({', '.join(index.columns)})" for index in table.indexes if index.origin == "c"]
    primary = f"Primary key ({', '.join(table.pks)})"
    return (
        f"\n### {name}\n\n{TABLES[name][0]}\n\n| column | type | |\n|---|---|---|\n{rows}\n"
        f"{'; '.join([primary, *sorted(unique), *sorted(indexes)])}.\n"
    )


def _key(keys: dict[str, str], column: str) -> str:
    return f"→ {keys[column]}" if column in keys else ""


def _view(db: sqlite_utils.Database, name: str) -> str:
    rows = "".join(f"| {column} | {about(name, column)} |\n" for column in _columns(db, name))
    return f"\n### {name}\n\n{TABLES[name][0]}\n\n| column | |\n|---|---|\n{rows}"


def _columns(db: sqlite_utils.Database, name: str) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA table_info({name})")]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Database(Path(folder) / "searchain.db")
        with store.reading() as db:
            (DOCS / "schema.md").write_text(schema_page(db), encoding="utf-8")
            (DOCS / "datasette.json").write_text(datasette(db), encoding="utf-8")
        store.close()
