"""What an annotator has had in hand: the list they go back to."""

from __future__ import annotations

import json
from dataclasses import dataclass

from storage.database import Database

LIMIT = 200
"""Items listed, those touched last first."""


@dataclass(frozen=True, slots=True)
class Mine:
    """One item that an annotator began, submitted, skipped or was assigned."""

    item: str
    question: str
    state: str
    """open, submitted or skipped."""
    is_begun: bool
    """There is a draft that was not submitted."""
    is_assigned: bool
    seconds: float
    changed: str | None
    """When it was saved, submitted or skipped last; UTC, ISO 8601."""


def mine(store: Database, annotator: str, limit: int = LIMIT) -> list[Mine]:
    """The annotator's items; those that were removed meanwhile, or were only looked at, are left out."""
    with store.reading() as db:
        rows = db.execute(
            """
            SELECT t.item, i.content, t.state, t.draft IS NOT NULL, t.assigned IS NOT NULL, t.seconds,
                coalesce(t.saved, (SELECT max(l.created) FROM annotation_labels l
                    WHERE l.item = t.item AND l.annotator = t.annotator), t.assigned) AS changed
            FROM annotation_tasks t JOIN annotation_items i ON i.id = t.item
            WHERE t.annotator = ? AND i.withdrawn IS NULL
                AND (t.state != 'open' OR t.draft IS NOT NULL OR t.assigned IS NOT NULL)
            ORDER BY changed DESC, t.item LIMIT ?""",
            (annotator, limit),
        )
        return [
            Mine(item, json.loads(content)["question"], state, bool(draft), bool(assigned), seconds, changed)
            for item, content, state, draft, assigned, seconds, changed in rows
        ]
