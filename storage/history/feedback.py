"""People's feedback on replies and citations. Rows are only added; an owner's newest feedback counts.

It is not derived from events. ``logs delete`` deletes it with its turn, ``logs redact`` covers its comments, and
``export --format jsonl`` includes it.
"""

import json
from dataclasses import dataclass
from typing import Literal, cast, get_args

from searchain.errors import NotFound, UsageError
from searchain.safe_text import without_surrogates
from storage.database import Connection, Database, first, insert_row, now
from storage.log import conversations, event_log

Value = Literal["up", "down"]
MAX_COMMENT = 2_000
"""The most characters of a comment."""
_MAX_CHANGES = 100  # of one mind about one thing: a program that never stops must not fill the disk
_COLUMNS = "turn, source, value, comment, settings, time"


@dataclass(frozen=True, slots=True)
class Feedback:
    turn: str
    source: int | None
    """The number of a citation; ``None`` for the whole reply."""
    value: Value | None
    """``down`` for a citation: the passage does not support the sentence. ``None``: earlier feedback is taken back."""
    comment: str
    settings: str
    """Model, index and settings of the run that wrote the reply, as JSON."""
    time: str


def give(
    store: Database, turn: str, owner: str, value: str | None, *, source: int | None = None, comment: str = ""
) -> None:
    """Store ``owner``'s feedback on a reply, or on its citation ``source``, unless it repeats their last one.

    Raises:
        NotFound: there is no such turn or citation, or another owner has the turn.
        UsageError: the run is not over, the value is unknown, or the comment is too long.
    """
    if value not in get_args(Value) and value is not None:
        raise UsageError(f"{value!r} is no judgement; say up, down or nothing")
    judged = cast(Value | None, value)
    comment = without_surrogates(comment.strip())
    if len(comment) > MAX_COMMENT:
        raise UsageError(f"the comment has {len(comment):,} characters; say it in {MAX_COMMENT:,} or fewer")
    event_log.check(store, turn, owner)
    with store.writing() as db:
        found = db.query("SELECT status, model, index_name, task, profile, settings FROM turns WHERE id = ?", (turn,))
        row = next(found, None)
        if row is None or row["status"] is None:
            raise UsageError(f"turn {turn} is still being answered; judge its reply when it is there")
        there = first(db, "SELECT 1 FROM sources WHERE turn = ? AND number = ?", turn, source)
        if source is not None and not there:
            raise NotFound(f"the reply of turn {turn} has no citation {source}")
        own = "FROM feedback WHERE turn = ? AND source IS ? AND owner = ? ORDER BY number DESC"
        said = db.execute(f"SELECT value, comment {own}", (turn, source, owner)).fetchall()
        if (said[0] if said else (None, "")) == (judged, comment):
            return
        if len(said) >= _MAX_CHANGES:
            raise UsageError(f"this was judged {_MAX_CHANGES} times; that is enough")
        settings = {"model": row["model"], "index": row["index_name"], "task": row["task"], "profile": row["profile"]}
        settings |= json.loads(row["settings"] or "{}")
        add(db, owner, Feedback(turn, source, judged, comment, json.dumps(settings, ensure_ascii=False), now()))


def add(db: Connection, owner: str, feedback: Feedback) -> None:
    """Insert one row of feedback, inside the caller's transaction."""
    insert_row(db, "feedback", {"owner": owner, **{name: getattr(feedback, name) for name in _COLUMNS.split(", ")}})


def current(store: Database, conversation: str, owner: str) -> list[Feedback]:
    """Return the owner's newest feedback in the conversation. Raises ``NotFound`` if another owner has it."""
    with store.reading() as db:
        conversations.check(db, conversation, owner)
        query = f"""SELECT {_COLUMNS} FROM feedback WHERE number IN (
                SELECT max(f.number) FROM feedback f JOIN turns t ON t.id = f.turn
                WHERE t.conversation = ? AND f.owner = ? GROUP BY f.turn, f.source)
            AND value IS NOT NULL ORDER BY turn, source"""
        return [Feedback(**row) for row in db.query(query, (conversation, owner))]


def history(store: Database, turn: str) -> list[Feedback]:
    """Return all feedback on the turn, the oldest first."""
    with store.reading() as db:
        return feedback_of(db, turn)


def feedback_of(db: Connection, turn: str) -> list[Feedback]:
    """Return what ``history`` does, over an open connection."""
    rows = db.query(f"SELECT {_COLUMNS} FROM feedback WHERE turn = ? ORDER BY number", (turn,))
    return [Feedback(**row) for row in rows]
