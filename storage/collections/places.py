"""Finds the words of a citation in the original document, and what became of them in its present version."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from searchain.errors import DocumentRefused, SearChainError
from searchain.events import Turn
from searchain.safe_text import COVER
from searchain.types import Passage, Place, Source, Span
from storage.collections import access, documents
from storage.collections.documents import Document
from storage.collections.files import Files
from storage.database import Connection, Database, first, now
from storage.log import event_log

if TYPE_CHECKING:
    from searchain.documents import ParsedDocument
    from searchain.documents.recheck import Comparison, Version

log = logging.getLogger(__name__)
_CITING = "passage_id >= :document AND passage_id < :document || '~'"
"""Passages of own documents have ids that begin with their document's."""


class Places:
    """The places of citations, for one person.

    The cited words are stored with the reply. Their place is shown only if the person may search the collection and the
    document still has the version that was quoted.
    """

    def __init__(self, store: Database, user: str) -> None:
        self._store, self._user, self._files = store, user, Files(store)

    def __call__(self, source: Source) -> dict[str, Any] | None:
        """Return the ``place`` in the source's JSON; ``None`` if the source is not from a user's document."""
        return self.of(source.passage, source.span)

    def of(self, passage: Passage, span: Span | None = None) -> dict[str, Any] | None:
        """Return the place of ``span`` in a passage, or of the whole passage, as ``place`` in a source's JSON."""
        place = passage.place
        if place is None:
            return None
        start = place.start + span.start if span else place.start
        end = place.start + span.end if span else place.end
        found: dict[str, Any] = {"document": place.document, "version": place.version, "name": None, "type": None}
        found |= {"start": start, "end": end, "regions": [], "page_label": None, "anchor": None}
        document = self.document(place)
        if document is None:
            return found
        found |= {"name": document.name, "type": document.type}
        if document.sha256 != place.version and (moved := self._moved(document, passage, span)):
            start, end = moved
            found |= {"version": document.sha256, "start": start, "end": end}
        if document.removed is None and document.sha256 == found["version"] and document.type is not None:
            original = self._files.original(document.sha256)
            found |= _shown(original, self._files.text(document.sha256, document.type), start, end)
        return found

    def _moved(self, document: Document, passage: Passage, span: Span | None) -> tuple[int, int] | None:
        """Return where the words of an earlier version stand in the present one; ``None`` if that is not known."""
        query = """SELECT c.start, c."end" FROM sources s JOIN changed_citations c USING (turn, number)
            WHERE s.passage_id = ? AND s.span_start IS ? AND s.span_end IS ? AND c.version = ? AND c.state = 'there'
            LIMIT 1"""
        start, end = (span.start, span.end) if span else (None, None)
        return self._store.row(query, (passage.id, start, end, document.sha256))

    def document(self, place: Place) -> Document | None:
        """Return the document of a place; ``None`` if it was erased, or the person may not search its collection."""
        found = documents.find(self._store, place.document)
        is_seen = found is not None and access.index_of(found.collection) in access.allowed(self._store, self._user)
        return found if is_seen else None

    def state(self, source: Source) -> str:
        """Describe what happened to the quoted document since; ``""`` if nothing changed."""
        place = source.passage.place
        if place is None:
            return ""
        document = documents.find(self._store, place.document)
        if document is None or document.removed is not None:
            return "document removed"
        is_there = document.sha256 == place.version or self._moved(document, source.passage, source.span)
        return "" if is_there else "quoted from an earlier version"


@lru_cache(maxsize=512)
def _shown(original: Path, text: Path, start: int, end: int) -> dict[str, Any]:
    """Return bounding boxes, page label and anchor. They can be cached, because files are named by their content."""
    from searchain.documents import ParsedDocument, regions

    try:
        parsed = ParsedDocument.from_json(text.read_text(encoding="utf-8"))
        found = regions(original, parsed, start, end) if parsed.pages else []
    except (OSError, ValueError, DocumentRefused):
        return {}
    page, block = parsed.page_of(start), parsed.block_at(start)
    return {
        "regions": [asdict(region) for region in found],
        "page_label": parsed.pages[page - 1].label if page else parsed.label_of(start, end),
        "anchor": block.anchor if block else None,
    }


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
            same = "SELECT 1 FROM documents WHERE id = ? AND sha256 = ? AND removed IS NULL"
            if not first(db, same, document.id, document.sha256):
                return  # it was replaced again, or removed
            db.execute("DELETE FROM changed_citations WHERE turn = ? AND document = ?", (id, document.id))
            if first(db, "SELECT 1 FROM turns WHERE id = ?", id):
                db.table("changed_citations").insert_all({"turn": id, **row} for row in rows)


def note_removed(db: Connection, document: str) -> None:
    """Record that the document was removed, and forget words of it, inside the caller's transaction."""
    db.execute("DELETE FROM changed_citations WHERE document = ?", (document,))
    query = f"""INSERT INTO changed_citations (turn, number, document, state, time)
        SELECT turn, number, :document, 'removed', :time FROM sources WHERE {_CITING}"""
    db.execute(query, {"document": document, "time": now()})


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
