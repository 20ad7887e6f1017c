"""Annotators and their pseudonyms, under which labels can be handed on."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from storage.database import Database, now

if TYPE_CHECKING:
    import sqlite_utils


def know(db: sqlite_utils.Database, annotator: str) -> None:
    """Give ``annotator`` a pseudonym, once and for all; it says nothing of the name or of who came first."""
    db.execute("INSERT OR IGNORE INTO annotators (name, pseudonym, created) VALUES (?, ?, ?)",
               (annotator, f"annotator-{secrets.token_hex(4)}", now()))


def pseudonyms(store: Database) -> dict[str, str]:
    """Name → pseudonym, of everybody who ever had an item."""
    with store.reading() as db:
        return dict(db.execute("SELECT name, pseudonym FROM annotators ORDER BY name").fetchall())
