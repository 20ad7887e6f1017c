"""What became of a turn's citations since: their document was replaced and says otherwise, or was removed.

``storage.collections.places`` writes the rows. The words of a later version are read only where the owner of the
conversation may search the collection now.
"""

import re

from searchain.types import ChangedCitation
from storage.database import Connection

_NOTES = """SELECT c.turn, c.number, c.state, d.name, CASE WHEN d.id IS NOT NULL THEN c.now END AS now
    FROM changed_citations c JOIN turns t ON t.id = c.turn JOIN conversations v ON v.id = t.conversation
    LEFT JOIN documents d ON d.id = c.document AND d.removed IS NULL AND EXISTS (
        SELECT 1 FROM collections l WHERE l.id = d.collection AND (l.owner = v.owner OR l.is_public OR EXISTS (
            SELECT 1 FROM collection_members m WHERE m.collection = l.id AND m.user = v.owner)))
    WHERE c.state != 'there'"""


def of_turn(db: Connection, turn: str) -> tuple[ChangedCitation, ...]:
    """Return the changed citations of a turn, by number."""
    rows = db.execute(f"{_NOTES} AND c.turn = ? ORDER BY c.number", (turn,)).fetchall()
    return tuple(ChangedCitation(number, state == "removed", name or "", now) for _, number, state, name, now in rows)


def of_collection(db: Connection, collection: str, owner: str, limit: int) -> list[tuple[str, str, str]]:
    """Return the newest turns of ``owner`` with changed citations of a collection: conversation, turn, question."""
    return db.execute(
        "SELECT t.conversation, t.id, t.question FROM turns t JOIN conversations v ON v.id = t.conversation "
        "WHERE v.owner = ? AND t.id IN (SELECT c.turn FROM changed_citations c JOIN documents d ON d.id = c.document "
        "WHERE d.collection = ? AND c.state != 'there') ORDER BY t.created DESC LIMIT ?",
        (owner, collection, limit),
    ).fetchall()


def cover(db: Connection, turn: str, found: re.Pattern[str]) -> int:
    """Forget the words of later versions that match, inside the caller's transaction; return how many there were."""
    rows = db.execute("SELECT number, now FROM changed_citations WHERE turn = ? AND now != ''", (turn,)).fetchall()
    numbers = [number for number, now in rows if found.search(now)]
    for number in numbers:
        db.execute("UPDATE changed_citations SET now = NULL WHERE turn = ? AND number = ?", (turn, number))
    return len(numbers)
