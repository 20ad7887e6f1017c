"""Lists of all owners' turns, for the person at the machine."""

from dataclasses import dataclass, replace

from searchain.errors import NotFound
from storage.database import Database
from storage.history.selection import EVERYTHING, Selection, as_they_stand, parts_of
from storage.log.conversations import HIDDEN, TURNS, TurnRow, turn_row

FOUND = "«", "»"
"""The opening and the closing mark around a matched word."""
RANKED = 5_000
"""The most matches that are ranked: ranking a hundred thousand would take too long."""


def latest(store: Database, limit: int, selection: Selection = EVERYTHING) -> list[TurnRow]:
    """Return the latest selected turns, the newest first; ``limit`` below 0 returns all."""
    where, values = selection.where()
    # the inner query reads the index alone, not the long rows
    query = (
        f"{TURNS} WHERE number IN (SELECT number FROM turns t WHERE {where} ORDER BY created DESC, "
        "number DESC LIMIT :limit) ORDER BY created DESC, number DESC"
    )
    return [turn_row(row) for row in store.named_rows(query, {**values, "limit": limit})]


@dataclass(frozen=True, slots=True)
class Match:
    """A turn that contains the words."""

    turn: TurnRow
    question: str
    """The question, or its part around the words, each word between the marks in ``FOUND``."""
    answer: str
    """The reply, shortened and marked in the same way."""


def find(store: Database, text: str, limit: int, selection: Selection = EVERYTHING) -> list[Match]:
    """Return up to ``limit`` selected turns that contain all words of ``text``, the best match first.

    Of very common words, only the latest ``RANKED`` matches are ranked. Raises ``UsageError`` if ``text`` has no word
    to search for.
    """
    words, parts = parts_of(text)
    if not words:  # nothing that the index ranks
        return [Match(turn, turn.question, turn.answer) for turn in latest(store, limit, replace(selection, text=text))]
    where, values = selection.where()
    part, more = as_they_stand(parts)
    # the plus keeps SQLite from asking the search index for every selected turn
    among = f"AND +rowid IN (SELECT number FROM turns t WHERE {where} AND {part})"
    if selection == EVERYTHING and part == "1":  # there are few hidden turns, and many others
        among = f"AND +rowid NOT IN (SELECT number FROM turns WHERE conversation IN {HIDDEN})"
    found = f"FROM turns_fts WHERE turns_fts MATCH :words AND rowid >= :oldest {among}"
    shown = ", ".join(f"snippet(turns_fts, {column}, char(2), char(3), '…', 16)" for column in (0, 1))
    values |= {**more, "words": words, "limit": limit, "ranked": RANKED, "oldest": 0}
    with store.reading() as db:
        oldest = db.execute(f"SELECT rowid {found} ORDER BY rowid DESC LIMIT 1 OFFSET :ranked", values).fetchone()
        values["oldest"] = oldest[0] if oldest else 0
        ranked = db.execute(f"SELECT rowid, {shown} {found} ORDER BY rank, rowid DESC LIMIT :limit", values).fetchall()
        return [
            Match(
                turn_row(next(db.query(f"{TURNS} WHERE number = ?", (number,)))),
                *((text or "").replace("\2", FOUND[0]).replace("\3", FOUND[1]) for text in texts),
            )
            for number, *texts in ranked
        ]


def named(store: Database, id: str) -> list[tuple[str, str]]:
    """Return (conversation, turn) for a turn's ID, or for each turn of the conversation with this ID, in order.

    Raises ``NotFound`` if no turn and no conversation has this ID.
    """
    query = "SELECT conversation, id FROM turns WHERE id = :id OR conversation = :id ORDER BY position"
    rows = store.rows(query, {"id": id})
    if not rows:
        raise NotFound(f"there is no turn or conversation {id!r}", hint="see: python assistant.py logs list")
    return rows
