"""Stored replies looked at again when a document that they cite was replaced or removed.

The work is part of reading the new version: it is done before the document counts as read, so a process that is killed
leaves it to the next one, and doing it again changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from searchain.errors import SearChainError
from searchain.events import Turn
from searchain.types import Source
from storage.collections.documents import Document
from storage.collections.files import Files
from storage.database import Connection, Database, now
from storage.log import event_log

if TYPE_CHECKING:
    from searchain.documents import ParsedDocument
    from searchain.documents.recheck import Comparison, Version

log = logging.getLogger(__name__)
COVER = "█"
_CITING = "passage_id >= :document AND passage_id < :document || '~'"
"""Passages of own documents have ids that begin with their document's."""


def recheck(store: Database, files: Files, document: Document, parsed: ParsedDocument) -> None:
    """Record for each stored citation of ``document`` what became of its words in its present version."""
    from searchain.documents.recheck import Comparison, Version

    turns = store.rows(f"SELECT DISTINCT turn FROM sources WHERE {_CITING}", {"document": document.id})
    if not turns:
        return
    comparison = Comparison(parsed)

    @cache
    def before(version: str) -> Version | None:
        known = files.parsed(version, parsed.type)
        return Version(known.text) if known else None

    for (id,) in turns:
        try:
            rows = list(_rows(event_log.turn(store, id), document, comparison, before))
        except SearChainError:
            raise
        except Exception:  # such as a damaged log, which must not keep the document waiting
            log.exception("turn %s", id)
            continue
        with store.writing() as db:
            if not db.execute(
                "SELECT 1 FROM documents WHERE id = ? AND sha256 = ? AND removed IS NULL",
                (document.id, document.sha256),
            ).fetchone():
                return  # it was replaced again, or removed
            db.execute("DELETE FROM changed_citations WHERE turn = ? AND document = ?", (id, document.id))
            if db.execute("SELECT 1 FROM turns WHERE id = ?", (id,)).fetchone():
                db.table("changed_citations").insert_all({"turn": id, **row} for row in rows)


def note_removed(db: Connection, document: str) -> None:
    """Record that the document was removed, and forget words of it, inside the caller's transaction."""
    db.execute("DELETE FROM changed_citations WHERE document = ?", (document,))
    db.execute(
        f"""INSERT INTO changed_citations (turn, number, document, state, time)
        SELECT turn, number, :document, 'removed', :time FROM sources WHERE {_CITING}""",
        {"document": document, "time": now()},
    )


def _rows(turn: Turn, document: Document, comparison: Comparison, before: Any) -> Iterator[dict[str, Any]]:
    for source in turn.sources:
        place = source.passage.place
        if place is None or place.document != document.id or place.version == document.sha256:
            continue
        if COVER not in source.passage.text:  # what was redacted cannot be compared
            yield {"number": source.number, "document": document.id, "version": document.sha256, "time": now()} | (
                _became(turn, source, comparison, before(place.version))
            )


def _became(turn: Turn, source: Source, comparison: Comparison, before: Version | None) -> dict[str, Any]:
    from searchain.documents.recheck import cited_in

    passage, span = source.passage, source.span
    said = [sentence.said for sentence in turn.sentences if source.number in sentence.citations]
    cited = cited_in(passage, span, said)
    found = [comparison.now(passage, one, before) for one in cited]
    changed = [one for one in found if one.instead is not None]
    if changed:
        instead = " … ".join(filter(None, dict.fromkeys(one.instead for one in changed)))
        return {"state": "differs", "start": changed[0].start, "end": changed[0].end, "now": instead}
    start, end = comparison.span_in(found[0], passage, cited[0], span) if span else (found[0].start, found[0].end)
    return {"state": "there", "start": start, "end": end}
