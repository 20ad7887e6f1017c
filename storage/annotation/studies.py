"""The study that the desk follows. Every version is kept; a change after the freeze needs a reason."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from searchain.annotation.study import Study, differences, from_json
from searchain.errors import UsageError
from storage.database import Database, now


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the study's history."""

    number: int
    action: str
    """set; frozen; or changed, which means set after the freeze."""
    study: Study
    hash: str
    reason: str
    by: str
    created: str


def history(store: Database) -> list[Entry]:
    """Return every version of the study, in order."""
    with store.reading() as db:
        return [
            Entry(number, action, from_json(json.loads(content)), digest, reason, by, created)
            for number, action, content, digest, reason, by, created in db.execute(
                "SELECT number, action, content, hash, reason, changed_by, created FROM annotation_studies ORDER BY "
                "number"
            )
        ]


def current(store: Database) -> Study:
    """Return the newest study; if the desk has none, one with default values."""
    with store.reading() as db:
        row = db.execute("SELECT content FROM annotation_studies ORDER BY number DESC LIMIT 1").fetchone()
    return from_json(json.loads(row[0])) if row else Study()


def is_frozen(store: Database) -> bool:
    with store.reading() as db:
        return db.execute("SELECT 1 FROM annotation_studies WHERE action = 'frozen'").fetchone() is not None


def change(store: Database, study: Study, by: str, reason: str = "") -> list[str]:
    """Let the desk follow ``study`` from now on; return the names of the entries that changed.

    Raises:
        UsageError: the study is frozen, and no reason is given.
    """
    changed = differences(current(store), study)
    if not changed:
        return []
    frozen = is_frozen(store)
    if frozen and not reason.strip():
        raise UsageError(
            f"the study is frozen; a change of {', '.join(changed)} is logged and printed in the report: say why "
            "(--because TEXT)"
        )
    _append(store, "changed" if frozen else "set", study, by, reason.strip())
    return changed


def freeze(store: Database, by: str) -> str:
    """Freeze the study and return its hash.

    Raises:
        UsageError: the study is frozen already.
    """
    if is_frozen(store):
        raise UsageError("the study is frozen already; later changes are made with: annotate study FILE --because TEXT")
    study = current(store)
    _append(store, "frozen", study, by, "")
    return study.hash


def _append(store: Database, action: str, study: Study, by: str, reason: str) -> None:
    with store.writing() as db:
        db.execute(
            "INSERT INTO annotation_studies (action, content, hash, reason, changed_by, created) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (action, json.dumps(asdict(study), ensure_ascii=False), study.hash, reason, by, now()),
        )
