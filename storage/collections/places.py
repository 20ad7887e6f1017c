"""Finds the words of a citation in the original document: pages with bounding boxes, or a block."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from searchain.errors import DocumentRefused
from searchain.types import Passage, Place, Source, Span
from storage.collections import access, documents
from storage.collections.documents import Document
from storage.collections.files import Files
from storage.database import Database


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
        return self._store.row(
            """SELECT c.start, c."end" FROM sources s JOIN changed_citations c USING (turn, number)
            WHERE s.passage_id = ? AND s.span_start IS ? AND s.span_end IS ? AND c.version = ? AND c.state = 'there'
            LIMIT 1""",
            (passage.id, span.start if span else None, span.end if span else None, document.sha256),
        )

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
