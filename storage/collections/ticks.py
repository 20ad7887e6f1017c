"""The tick of a collection, calibrated by people's judgements on replies over this collection alone.

Until ``NEEDED`` replies are judged, the tick is that of all own documents. Then the collection gets a threshold of its
own: the least probability from which on nine in ten of the judged replies are right. Judgements of its owner and its
editors count, on rated replies that no second model has read.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from searchain.types import is_own
from storage.collections.access import Collection, collection_of, index_of
from storage.database import Database
from storage.log.conversations import KEPT

NEEDED = 30
PRECISION = 0.9
LIKELY = 0.5
"""No threshold is lower: a reply that is as likely wrong as right bears no tick."""
FEWEST = 10
"""Fewest judged replies that a threshold rests on."""
NEVER = 2.0
"""The threshold that no reply reaches: enough likely replies were judged, and too many of them are wrong."""
_RATED = """t.index_name = :index AND t.probability IS NOT NULL AND t.final_answer != ''
    AND t.outcome IN ('supported', 'unsure')
    AND NOT EXISTS (SELECT 1 FROM events e WHERE e.turn = t.id AND e.type = 'reply_reviewed')"""
_SAID = """(SELECT f.value FROM feedback f WHERE f.turn = t.id AND f.source IS NULL AND f.owner = c.owner
    ORDER BY f.number DESC LIMIT 1)"""

_COUNTS = """c.owner IN (SELECT owner FROM collections WHERE id = :collection
    UNION SELECT user FROM collection_members WHERE collection = :collection AND role = 'editor')"""


@dataclass(frozen=True, slots=True)
class Tick:
    """What the judgements on a collection's replies say."""

    judged: int
    threshold: float | None
    """The least probability of a tick in this collection; ``None``: that of all own documents."""
    ticked: int = 0
    """How many judged replies reach the threshold."""
    right: int = 0
    """How many of these are right."""

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval (95 %) for the share of right replies among those that reach the threshold."""
        if not self.ticked:
            return 0.0, 1.0
        share, spread = self.right / self.ticked, 1.96**2 / self.ticked
        middle, half = share + spread / 2, math.sqrt(spread * (share * (1 - share) + spread / 4))
        return (middle - half) / (1 + spread), (middle + half) / (1 + spread)


def described(tick: Tick) -> str:
    """Say in words what the judgements say.

    >>> described(Tick(12, None)), described(Tick(41, 0.7, 30, 27))
    ('12 of 30 judged; at 30 the tick is yours', '41 judged; ✓ here: 27 of 30 were right [74, 97]')
    """
    if tick.judged < NEEDED:
        return f"{tick.judged} of {NEEDED} judged; at {NEEDED} the tick is yours"
    if not tick.ticked:
        return f"{tick.judged} judged; too few of the likely replies were judged, or were right"
    low, high = (round(100 * end) for end in tick.interval)
    return f"{tick.judged} judged; ✓ here: {tick.right} of {tick.ticked} were right [{low}, {high}]"


def supported(judgements: Iterable[tuple[float, bool]]) -> Tick:
    """Return the least threshold that the judgements (probability, whether the reply is right) support."""
    likeliest = sorted(judgements, key=lambda one: -one[0])
    if len(likeliest) < NEEDED:
        return Tick(len(likeliest), None)
    likely = [one for one in likeliest if one[0] >= LIKELY]
    best = Tick(len(likeliest), NEVER if len(likely) >= FEWEST else None)
    right = 0
    for number, (probability, is_right) in enumerate(likely, 1):
        right += is_right
        is_last = number == len(likely) or likely[number][0] < probability
        if is_last and number >= FEWEST and right >= PRECISION * number:
            best = Tick(len(likeliest), probability, number, right)
    return best


def tick(store: Database, collection: str) -> Tick:
    """Return what the judgements on the replies over a collection say now."""
    query = f"""SELECT probability, said FROM (
            SELECT t.probability, {_SAID} AS said
            FROM turns t JOIN conversations c ON c.id = t.conversation WHERE {_RATED} AND {_COUNTS}
        ) WHERE said IS NOT NULL"""
    rows = store.rows(query, {"index": index_of(collection), "collection": collection})
    return supported((probability, said == "up") for probability, said in rows)


def renew(store: Database, collection: str) -> Tick:
    """Store the threshold that the judgements support, if there are enough of them; return what they say."""
    found = tick(store, collection)
    if found.judged >= NEEDED:
        store.write("UPDATE collections SET threshold = ? WHERE id = ?", (found.threshold, collection))
    return found


def renew_after(store: Database, turn: str) -> None:
    """Renew the threshold of the collection that the turn searched, if it searched one collection alone."""
    row = store.row("SELECT index_name FROM turns WHERE id = ?", (turn,))
    if row and is_own(row[0] or ""):
        renew(store, collection_of(row[0]))


def threshold(store: Database, index: str) -> float | None:
    """Return the threshold of the collection whose index is searched alone; ``None`` without one."""
    if not is_own(index):
        return None
    row = store.row("SELECT threshold FROM collections WHERE id = ?", (collection_of(index),))
    return row[0] if row else None


def to_judge(store: Database, user: str, collection: Collection) -> str | None:
    """Return a rated turn of ``user`` over the collection without a judgement; likely and unlikely ones in turn."""
    query = f"""SELECT id, probability >= {LIKELY}, said FROM (
            SELECT t.id, t.probability, {_SAID} AS said
            FROM turns t JOIN conversations c ON c.id = t.conversation WHERE {_RATED}
                AND c.owner = :user AND {KEPT}
        ) ORDER BY random()"""
    rows = store.rows(query, {"index": collection.index, "user": user})
    likely_judged = sum(1 if is_likely else -1 for _, is_likely, said in rows if said)
    waiting = sorted((is_likely == (likely_judged > 0), id) for id, is_likely, said in rows if not said)
    return waiting[0][1] if waiting else None
