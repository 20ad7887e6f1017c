"""Conversations and the list of their turns. Every read checks the owner: an ID is not a secret."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ulid import ULID

from searchain.errors import NotFound, UsageError
from searchain.safe_text import is_plain
from searchain.secrecy import holds_secret
from searchain.types import Exchange, Outcome, Status
from storage.database import Connection, Database, first, insert_row, now

TITLE_LENGTH = 80
_LEAST = 40  # the fewest characters that a title keeps when it is cut at the end of a word
_MOST_LOOKED_AT = 20  # the most conversations whose turns are compared with a client's messages
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


@dataclass(frozen=True, slots=True)
class Conversation:
    id: str
    owner: str
    title: str
    """Taken from the first question, until the owner writes another title."""
    created: str
    updated: str
    """When the last question was asked."""
    settings: str | None = None
    """The owner's settings for the next questions, as JSON; ``None`` if the owner chose nothing."""
    pinned: str | None = None
    """When the owner pinned it; ``None`` if it is not pinned."""
    deleted: str | None = None
    """When the owner deleted it (``storage.removal.deletions``). Nothing but that module reads such a conversation."""
    temporary: int = 0
    """1: it is erased when it is left. Only the page that began it shows it."""


KEPT = "deleted IS NULL AND NOT temporary"
"""SQL for the conversations that are listed, found, exported and shared."""
HIDDEN = "(SELECT id FROM conversations WHERE deleted IS NOT NULL OR temporary)"
"""SQL for the IDs of the others."""


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn in a list; ``storage.log.event_log.turn`` returns the whole turn."""

    id: str
    conversation: str
    created: str
    question: str
    standalone_question: str
    answer: str
    """The reply with its marks; ``""`` while the run goes on."""
    final_answer: str
    status: Status | None
    """``None`` while the run goes on."""
    outcome: Outcome | None = None
    """``None`` if the run did not finish or the reply is not rated."""
    probability: float | None = None
    """How likely the reply is right, 0–1; ``None`` if that was not measured."""
    beside: str | None = None
    """The ID of the turn that this one is compared with."""


def create(db: Connection, owner: str, question: str, *, is_temporary: bool = False) -> str:
    """Create a conversation named after ``question``, inside the caller's transaction; return its ID."""
    id, time = str(ULID()), now()
    row = {"id": id, "owner": owner, "title": title(question), "created": time, "updated": time}
    insert_row(db, "conversations", row | {"temporary": is_temporary})
    return id


def check(db: Connection, id: str, owner: str | None) -> None:
    """Raise ``NotFound`` unless the conversation exists and belongs to ``owner`` (``None``: to anybody)."""
    row = first(db, "SELECT owner FROM conversations WHERE id = ? AND deleted IS NULL", id)
    if row is None or owner not in (None, row[0]):
        raise NotFound(f"there is no conversation {id!r}", hint="see: python assistant.py logs list")


def get(store: Database, id: str, owner: str | None) -> Conversation:
    """Return the conversation; raise ``NotFound`` unless it belongs to ``owner`` (``None``: to anybody)."""
    with store.reading() as db:
        check(db, id, owner)
        return Conversation(**next(db.query("SELECT * FROM conversations WHERE id = ?", (id,))))


def turns(store: Database, id: str, owner: str) -> list[TurnRow]:
    """Return the conversation's turns in order. Raises ``NotFound`` as ``get`` does."""
    with store.reading() as db:
        rows = [turn_row(row) for row in db.query(f"{TURNS} WHERE conversation = ? ORDER BY position", (id,))]
        check(db, id, owner)  # afterwards: a conversation that was deleted meanwhile is not one without turns
        return rows


def choose(store: Database, id: str, owner: str, settings: str) -> None:
    """Store the owner's settings (JSON) for the conversation's next questions. Raises ``NotFound`` as ``get`` does."""
    with store.writing() as db:
        check(db, id, owner)
        db.execute("UPDATE conversations SET settings = ? WHERE id = ?", (settings, id))


def history(store: Database, id: str, owner: str, *, before: str | None = None) -> list[Exchange]:
    """Return the questions in standalone form and their replies so far, for rewriting a follow-up.

    With ``before``, only exchanges before that turn count. If a question was asked again, only its newest reply counts.
    """
    turns = _answered(store, id, owner, before)
    return [Exchange(one.standalone_question, one.answer, one.final_answer, one.outcome) for one in turns]


def continued(store: Database, owner: str, said: Sequence[Exchange]) -> tuple[str, int] | None:
    """Find the owner's newest conversation whose exchanges are the last ones of ``said``, and no others.

    Returns:
        Its ID and the number of its exchanges; ``None`` if there is none, or its last question is being answered.
    """
    if not said:
        return None
    query = f"""SELECT c.id FROM turns t JOIN conversations c ON c.id = t.conversation WHERE owner = ? AND question = ?
        AND {KEPT} AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.conversation = c.id)
        GROUP BY c.id ORDER BY max(t.id) DESC LIMIT ?"""
    found = store.rows(query, (owner, said[-1].question, _MOST_LOOKED_AT))
    for (id,) in found:
        own = [(turn.question, turn.answer.strip()) for turn in _answered(store, id, owner)]
        if own and own == [(one.question, one.answer) for one in said[-len(own) :]]:
            return id, len(own)
    return None


def turn_after(store: Database, turn: str) -> str | None:
    """Return the turn that follows ``turn`` in its conversation; ``None`` for the last one."""
    query = """SELECT b.id FROM turns a JOIN turns b ON b.conversation = a.conversation AND b.position > a.position
        WHERE a.id = ? ORDER BY b.position LIMIT 1"""
    row = store.row(query, (turn,))
    return row and row[0]


def _answered(store: Database, id: str, owner: str, before: str | None = None) -> list[TurnRow]:
    """Return the newest reply to each question; a follow-up goes on from the reply that others were compared with."""
    rows = {turn.id: turn for turn in turns(store, id, owner)}
    query = """SELECT e.turn, json_extract(e.payload, '$.replaces') AS other FROM turns t JOIN events e ON e.turn = t.id
        WHERE t.conversation = ? AND e.type = 'run_started' AND other IS NOT NULL"""
    replaced = store.rows(query, (id,))
    said: list[TurnRow] = []
    for group in versions(rows, dict(replaced)):
        if before in group:
            break
        said += [rows[turn] for turn in group if rows[turn].answer and rows[turn].beside is None][-1:]
    return said


def versions(turns: Iterable[str], replaces: Mapping[str, str | None]) -> list[list[str]]:
    """Group ``turns`` by question, in the order of each question's first turn; the newest turn of a group is last.

    ``replaces`` maps a turn to the turn whose question it asks again.
    """
    groups: dict[str, list[str]] = {}
    first: dict[str, str] = {}
    for turn in turns:
        first[turn] = first.get(replaces.get(turn) or "", turn)
        groups.setdefault(first[turn], []).append(turn)
    return list(groups.values())


TURNS = """SELECT id, conversation, created, question, coalesce(standalone_question, question) AS standalone_question,
    coalesce(answer, '') AS answer, coalesce(final_answer, '') AS final_answer, status, outcome, probability, beside
    FROM turns"""
"""A query for the columns of ``TurnRow``."""


def turn_row(row: dict[str, Any]) -> TurnRow:
    """Convert a row of ``TURNS``."""
    status, outcome = row["status"] and Status(row["status"]), row["outcome"] and Outcome(row["outcome"])
    return TurnRow(**row | {"status": status, "outcome": outcome})


def title(question: str) -> str:
    """Return the title of a conversation: its first question if short, else the short question in it or its beginning.

    >>> title("I read about the tower. It is in Paris, as far as I know, and many people go there. Who built it?")
    'Who built it?'
    """
    line = " ".join(question.split())
    if len(line) <= TITLE_LENGTH:
        return line
    asked = (one for one in _SENTENCE_END.split(line) if one.endswith("?") and len(one) <= TITLE_LENGTH)
    words = line[:TITLE_LENGTH].rpartition(" ")[0]
    return next(asked, (words if len(words) > _LEAST else line[: TITLE_LENGTH - 1]).rstrip() + "…")


def is_title_of(name: str, question: str) -> bool:
    """Return whether ``name`` is the title of ``question``; earlier versions cut long titles inside words."""
    is_cut = name.endswith("…") and len(name) > _LEAST
    return name == title(question) or (is_cut and " ".join(question.split()).startswith(name[:-1]))


MAX_QUESTION = 4_000
"""The most characters of a question: with its history it must fit into the context of a small model."""


def readable(question: str) -> str:
    """Return the question in its stored form: trimmed, with line feeds as line ends.

    Raises ``UsageError`` if it is empty, too long or not text, or contains a secret of this process.
    """
    question = question.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not question:
        raise UsageError("the question is empty; write one, such as: Who founded Nintendo?")
    if len(question) > MAX_QUESTION:
        raise UsageError(f"the question has {len(question):,} characters; ask it in {MAX_QUESTION:,} or fewer")
    if not is_plain(question):
        raise UsageError("the question contains control characters or broken text, like binary data; ask in plain text")
    if holds_secret(question):
        raise UsageError("the question holds the key of the language model; ask it without the key")
    return question
