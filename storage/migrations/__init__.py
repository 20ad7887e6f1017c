"""The schema as migration steps. A released step is never edited; a change is a new step.

A step runs the SQL in the file of its name, then its function in ``_ROWS``; one of the two may be missing.

``events`` is the source of the derived tables (``storage.log.derived_tables``). ``conversations``, ``runs``,
``tombstones``, users, annotation, ``feedback``, shares and the first columns of ``turns`` (up to the question as asked)
are written directly and not derived.
"""

import sqlite3
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import sqlite_utils
from sqlite_utils import Migrations

from storage.migrations import rows

_INDENT = " " * 8
"""The indent of the first released steps. SQLite stores the text of a statement, so all databases contain it."""
_SQL = {
    file.stem: textwrap.indent(file.read_text(encoding="utf-8"), _INDENT)
    for file in Path(__file__).parent.glob("*.sql")
}
_ROWS: dict[str, Callable[[sqlite_utils.Database], None]] = {
    "m001_conversations_and_traces": rows.index_texts,
    "m002_views_digests_and_tombstones": rows.add_digests,
    "m010_visitors": rows.hide_cookies,
    "m011_studies_practice_and_adjudicators": rows.reopen_unasked,
}

migrations = Migrations("searchain")


class Script(sqlite_utils.Database):
    """A connection for migrations that splits SQL faster than ``sqlite_utils``, which tests after every character."""

    def executescript(self, sql: str) -> sqlite3.Cursor:
        """Run ``sql`` in the open transaction, which ``executescript`` of ``sqlite3`` would end."""
        cursor = self.conn.cursor()
        for statement in statements(sql):
            cursor.execute(statement)
        return cursor


def statements(sql: str) -> Iterator[str]:
    """Yield each statement of ``sql`` with its semicolon; a trigger with the statements of its body is one."""
    statement = ""
    for piece in sql.split(";"):
        statement += f"{piece};"
        if sqlite3.complete_statement(statement):
            if piece.strip():  # else nothing but space follows the last statement
                yield statement.strip()
            statement = ""


def _add(name: str) -> None:

    @migrations(name=name)
    def step(db: sqlite_utils.Database) -> None:
        if name in _SQL:
            db.executescript(_SQL[name])
        if name in _ROWS:
            _ROWS[name](db)


for _name in sorted(_SQL.keys() | _ROWS.keys()):
    _add(_name)

KNOWN = frozenset(migration.name for migration in migrations.pending(sqlite_utils.Database(memory=True)))
"""The names of all steps. A database with other steps was written by a newer version."""
