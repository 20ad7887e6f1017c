"""Annotators and the pseudonyms that replace their names in exported labels."""

import secrets
from collections.abc import Callable

from searchain.errors import UsageError
from storage.database import Connection, Database, insert_row, now
from storage.people import users

Names = Callable[[str], str]
"""Converts an annotator's name to the one used outside the database."""


def remember_annotator(db: Connection, annotator: str) -> None:
    """Give ``annotator`` a permanent pseudonym, which reveals neither the name nor the order of arrival."""
    row = {"name": annotator, "pseudonym": f"annotator-{secrets.token_hex(4)}", "created": now()}
    insert_row(db, "annotators", row, or_ignore=True)


_OF_ANNOTATORS = {
    "annotation_labels": "annotator",
    "annotation_gold": "adjudicator",
    "annotation_tasks": "annotator",
    "annotation_guesses": "annotator",
    "crowd_people": "annotator",
}
"""The tables whose rows stay, and the column that names the person."""


def forget_annotator(db: Connection, name: str) -> None:
    """Put the pseudonym in the place of ``name``; submitted labels stay without comments, drafts do not.

    Works in the caller's transaction.
    """
    remember_annotator(db, name)
    values = {"name": name}
    values["pseudonym"] = db.execute("SELECT pseudonym FROM annotators WHERE name = :name", values).fetchone()[0]
    db.execute("UPDATE crowd_people SET identity = NULL WHERE annotator = :name", values)
    db.execute("DELETE FROM annotation_practice WHERE annotator = :name", values)
    db.execute("DELETE FROM annotation_tasks WHERE annotator = :name AND state = 'open'", values)
    db.execute("UPDATE annotation_tasks SET draft = NULL WHERE annotator = :name", values)
    for table, column in _OF_ANNOTATORS.items():
        if table in ("annotation_labels", "annotation_gold"):
            db.execute(f"UPDATE {table} SET comment = '' WHERE {column} = :name", values)
        db.execute(f"UPDATE {table} SET {column} = :pseudonym WHERE {column} = :name", values)
    db.execute("UPDATE annotators SET name = :pseudonym WHERE name = :name", values)


def known_as(db: Connection, name: str) -> str:
    """Return the annotator with this name or pseudonym; without such an annotator return ``name``."""
    row = db.execute("SELECT name FROM annotators WHERE name = :name OR pseudonym = :name", {"name": name}).fetchone()
    return row[0] if row else name


def entitled(store: Database, name: str) -> str:
    """Return the stored spelling of a user who may annotate; without users, only ``local`` may.

    Raises ``NotFound`` if there is no such user, and ``UsageError`` if the user's role does not allow annotating.
    """
    if name == users.LOCAL and not users.are_there(store):
        return name
    user = users.get(store, name)
    if not user.role.includes(users.Role.ANNOTATOR):
        raise UsageError(
            f"{user.name} may not annotate (role {user.role}); remove the user and add it with --role annotator"
        )
    return user.name


def pseudonyms_of(store: Database) -> dict[str, str]:
    """Map casefolded names to pseudonyms."""
    return {name.casefold(): pseudonym for name, pseudonym in store.rows("SELECT name, pseudonym FROM annotators")}


def names(store: Database, *, are_hidden: bool) -> Names:
    """Return a function that leaves names as they are, or replaces them by pseudonyms if ``are_hidden``."""
    if not are_hidden:
        return str
    shown = pseudonyms_of(store)
    return lambda name: shown[name.casefold()]
