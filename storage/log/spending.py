"""Tokens of the language model that users spent by day (UTC). They count until their month is over, whatever is erased.

Visitors and the person at the machine have no budget, so theirs are not counted.
"""

from searchain.types import Usage
from storage.database import Connection, Database

_LAST = 20  # runs of a user that tell what the next one costs


def book(db: Connection, turn: str, usage: Usage, moment: str) -> None:
    """Add what a run cost to its user's day, inside the caller's transaction; a new day ends those of a month ago."""
    day, tokens = moment[:10], usage.prompt_tokens + usage.completion_tokens
    query = """INSERT INTO spending (user, day, tokens)
        SELECT u.name, :day, :tokens FROM turns t JOIN conversations c ON c.id = t.conversation
        JOIN users u ON u.name = c.owner WHERE t.id = :turn
        ON CONFLICT (user, day) DO UPDATE SET tokens = tokens + excluded.tokens RETURNING tokens"""
    booked = db.execute(query, {"turn": turn, "day": day, "tokens": tokens}).fetchone()
    if booked == (tokens,):  # the user's first of this day
        db.execute("DELETE FROM spending WHERE day < date(?, '-31 days')", (day,))


def of_day(store: Database, day: str) -> dict[str, int]:
    """Return the tokens of each user who spent some on this day."""
    return dict(store.rows("SELECT user, tokens FROM spending WHERE day = ?", (day,)))


def of_user(store: Database, user: str, day: str) -> int:
    """Return the tokens that the user spent on this day."""
    found = store.row("SELECT tokens FROM spending WHERE user = ? AND day = ?", (user, day))
    return found[0] if found else 0


def at_work(store: Database, user: str) -> tuple[int, int | None]:
    """Return how many runs of the user go on, and what the dearest of the last cost; ``None`` if there were none."""
    going = store.rows("SELECT 1 FROM runs r JOIN conversations c ON c.id = r.conversation WHERE c.owner = ?", (user,))
    query = """SELECT t.prompt_tokens + t.completion_tokens FROM turns t JOIN conversations c ON c.id = t.conversation
        WHERE c.owner = ? AND t.prompt_tokens > 0 ORDER BY t.created DESC LIMIT ?"""
    costs = store.rows(query, (user, _LAST))
    return len(going), max((cost for (cost,) in costs), default=None)
