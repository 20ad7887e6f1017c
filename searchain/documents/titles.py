"""Choose the title of a document."""

from __future__ import annotations

from searchain.documents.parsed import BlockKind
from searchain.documents.writer import Writer
from searchain.safe_text import one_line

_POOR = frozenset(
    (
        "(anonymous)",
        "about:blank",
        "blank",
        "document",
        "home",
        "index",
        "new document",
        "new page",
        "no title",
        "normal",
        "normal.dotm",
        "title",
        "unknown",
        "untitled",
        "untitled document",
        "untitled page",
        "word document",
    )
)
"""Stated titles, in lower case, that programs write by themselves."""


def title_of(stated: str | None, writer: Writer) -> str | None:
    """Return the title that the document states, or else its first heading; ``None`` if the file's name says more."""
    plain = one_line(stated or "")
    if plain.casefold() not in _POOR and any(map(str.isalpha, plain)) and "://" not in plain:
        return plain
    block = next((block for block in writer.blocks if block.kind is BlockKind.HEADING), None)
    return writer.text[block.start : block.end] if block else None
