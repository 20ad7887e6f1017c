"""Changes that migration steps make to existing rows; like their SQL, they are never edited once released."""

import hashlib
import json

import sqlite_utils


def index_texts(db: sqlite_utils.Database) -> None:
    """Build the search index of questions and replies."""
    db.table("turns").enable_fts(["question", "answer"], fts_version="FTS5", create_triggers=True)


def add_digests(db: sqlite_utils.Database) -> None:
    """Store the digest of each event's row."""

    def digest(turn: str, seq: int, time: str, payload: str) -> str:
        return hashlib.blake2b("\n".join((turn, str(seq), time, payload)).encode(), digest_size=16).hexdigest()

    db.conn.create_function("event_digest", 4, digest, deterministic=True)
    db.execute("UPDATE events SET digest = event_digest(turn, seq, time, payload)")


def hide_cookies(db: sqlite_utils.Database) -> None:
    """Replace each visitor's cookie by its hash, so that a reader of the file cannot pose as the visitor."""
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
    """Clear ``missing`` in drafts: they said "needs none" although the annotator had not been asked."""
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
