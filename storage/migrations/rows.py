"""What steps of the schema do to the rows that are there; like their SQL, never edited once released."""

from __future__ import annotations

import hashlib
import json

import sqlite_utils

from storage.digest import digest


def index_texts(db: sqlite_utils.Database) -> None:
    """Make questions and replies searchable."""
    db.table("turns").enable_fts(["question", "answer"], fts_version="FTS5", create_triggers=True)


def add_digests(db: sqlite_utils.Database) -> None:
    """Give each event the digest of its row."""
    db.conn.create_function("event_digest", 4, digest, deterministic=True)
    db.execute("UPDATE events SET digest = event_digest(turn, seq, time, payload)")


def hide_cookies(db: sqlite_utils.Database) -> None:
    """Name each visitor by the digest of the cookie, so that whoever reads the file cannot pose as one."""
    owners = {
        owner: f"visitor:{hashlib.sha256(owner.removeprefix('visitor:').encode()).hexdigest()}"
        for table in ("conversations", "feedback")
        for (owner,) in db.execute(f"SELECT DISTINCT owner FROM {table} WHERE owner GLOB 'visitor:*'").fetchall()
    }
    for old, new in owners.items():
        for table in ("conversations", "feedback"):
            db.execute(f"UPDATE {table} SET owner = ? WHERE owner = ?", (new, old))
    if owners:  # the cookies leave the file like deleted text: when it is rewritten
        removals = db.execute("PRAGMA user_version").fetchone()[0]
        db.execute(f"PRAGMA user_version = {(removals + 1) % 2**31}")


def reopen_unasked(db: sqlite_utils.Database) -> None:
    """Leave open in drafts what is missing: they held "needs none" where nobody had been asked."""
    for annotator, item, text in db.execute(
        "SELECT annotator, item, draft FROM annotation_tasks WHERE draft IS NOT NULL"
    ).fetchall():
        draft = json.loads(text)
        for one in draft["knowledge_items"]:
            one["missing"] = one["missing"] or None
        db.execute(
            "UPDATE annotation_tasks SET draft = ? WHERE annotator = ? AND item = ?",
            (json.dumps(draft, ensure_ascii=False), annotator, item),
        )
