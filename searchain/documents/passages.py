"""Cut a document into passages for reading."""

from __future__ import annotations

from searchain.documents.parsed import ParsedDocument
from searchain.types import Passage


def passages_of(parsed: ParsedDocument, document: str, version: str) -> list[Passage]:
    """Cut ``parsed`` into passages, in order.

    ``passage.text`` is ``parsed.text[place.start:place.end]``, so that a span in a passage maps to the document by
    adding ``place.start``. ``passage.title`` is the document's title and the headings that the passage stands under.

    Args:
        document: ULID of the document; ids of passages begin with it.
        version: SHA-256 of the bytes that were parsed.
    """
    raise NotImplementedError
