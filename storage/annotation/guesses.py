"""Annotators' guesses which system wrote a reply: asked after all replies are judged, then compared with the truth."""

import hashlib
from collections.abc import Mapping
from typing import Any

from searchain.annotation.annotators import Blinding, blinding
from searchain.errors import UsageError
from storage.annotation import items, studies
from storage.annotation.pseudonyms import Names
from storage.database import Database, now

MOST = 10
"""The most replies that one annotator is asked about."""


def asked(store: Database, annotator: str) -> dict[str, Any] | None:
    """Return the replies to ask ``annotator`` about, and the systems to choose from; ``None`` if nothing is asked.

    Each annotator is asked once, about a sample of their own replies, if the study says so and has two systems.
    """
    if not studies.current(store).ask_for_systems:
        return None
    if store.row("SELECT 1 FROM annotation_guesses WHERE annotator = ?", (annotator,)):
        return None
    systems, own = (
        _systems(store),
        store.rows(
            "SELECT t.item, i.content FROM annotation_tasks t JOIN annotation_items i ON i.id = t.item "
            "WHERE t.annotator = ? AND t.state = 'submitted' AND i.origin != 'practice' AND i.withdrawn IS NULL",
            (annotator,),
        ),
    )
    if len(systems) < 2 or not own:
        return None
    drawn = sorted(own, key=lambda row: hashlib.blake2b(f"{annotator} {row[0]}".encode(), digest_size=8).digest())
    found = [items.decoded(content) for _, content in drawn[:MOST]]
    return {
        "systems": systems,
        "replies": [{"item": one.id, "question": one.question, "answer": one.answer} for one in found],
    }


def keep(store: Database, annotator: str, said: Mapping[str, str | None]) -> int:
    """Store the guesses, with ``None`` for "I do not know"; return their number.

    Raises:
        UsageError: the annotator did not submit labels of one of these replies.
    """
    with store.writing() as db:
        for item, guess in said.items():
            if not db.execute(
                "SELECT 1 FROM annotation_tasks WHERE annotator = ? AND item = ? AND state = 'submitted'",
                (annotator, item),
            ).fetchone():
                raise UsageError("this reply is none that you judged; reload the page")
            db.execute(
                "INSERT OR IGNORE INTO annotation_guesses (annotator, item, guess, created) VALUES (?, ?, ?, ?)",
                (annotator, item, guess, now()),
            )
    return len(said)


def result(store: Database, names: Names = str) -> Blinding | None:
    """Compute how well annotators know who wrote the replies; ``None`` if nobody was asked."""
    rows = store.rows(
        "SELECT g.annotator, i.system, g.guess FROM annotation_guesses g JOIN annotation_items i ON i.id = g.item "
        "ORDER BY g.annotator, i.number"
    )
    guesses = [(names(annotator), system, guess) for annotator, system, guess in rows]
    return blinding(guesses, len(_systems(store))) if guesses else None


def _systems(store: Database) -> list[str]:
    """Return the systems whose replies are on the desk, by name."""
    rows = store.rows(
        "SELECT DISTINCT system FROM annotation_items WHERE origin != 'practice' AND withdrawn IS NULL "
        "ORDER BY system COLLATE NOCASE"
    )
    return [system for (system,) in rows]
