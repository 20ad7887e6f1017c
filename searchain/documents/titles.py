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
        "powerpoint presentation",
        "presentation",
        "slide 1",
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
    if title := own_title(stated):
        return title
    block = next((block for block in writer.blocks if block.kind is BlockKind.HEADING), None)
    return writer.text[block.start : block.end] if block else None


def own_title(stated: str | None) -> str | None:
    """Return a stated title; ``None`` if a program wrote it."""
    plain = one_line(stated or "")
    is_own = plain.casefold() not in _POOR and any(map(str.isalpha, plain)) and "://" not in plain
    return plain if is_own else None
