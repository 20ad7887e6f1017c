"""Choose the title of a document."""

from __future__ import annotations

from searchain.documents.kinds import kind_of_name
from searchain.documents.parsed import BlockKind
from searchain.documents.writer import Writer
from searchain.safe_text import one_line

_POOR = frozenset(
    (
        "anonymous",
        "blank",
        "book",
        "document",
        "home",
        "index",
        "new document",
        "new page",
        "no title",
        "normal",
        "page",
        "powerpoint presentation",
        "presentation",
        "sheet",
        "slide",
        "title",
        "unknown",
        "unspecified",
        "untitled",
        "word document",
    )
)
"""Stated titles, in lower case and without a number behind them, that programs write by themselves."""
_PROGRAMS = ("microsoft ", "untitled ", "unknown ", "no title ")
"""How other such titles begin."""
_LONGEST_ENDING = 5
_OTHERS = frozenset(("aspx", "doc", "dvi", "indd", "ppt", "qxd", "xls"))
"""Endings of the names of files that are not read."""


def title_of(stated: str | None, writer: Writer) -> str | None:
    """Return the title that the document states, or else its first heading; ``None`` if the file's name says more."""
    if title := own_title(stated):
        return title
    block = next((block for block in writer.blocks if block.kind is BlockKind.HEADING), None)
    return writer.text[block.start : block.end] if block else None


def own_title(stated: str | None) -> str | None:
    """Return a stated title; ``None`` if a program wrote it."""
    plain = one_line(stated or "")
    lower = plain.casefold().strip("()")
    is_poor = lower.rstrip("0123456789 -") in _POOR or lower.startswith(_PROGRAMS) or _is_address(lower)
    return plain if any(map(str.isalpha, plain)) and not is_poor else None


def _is_address(title: str) -> bool:
    """Tell whether a title is the name of a file, such as ``letter final.doc``, or where something is."""
    if "\\" in title or "://" in title or title.startswith("/"):
        return True
    stem, _, ending = title.rpartition(".")
    if " " in title:
        return ending in _OTHERS or kind_of_name(title) is not None
    has_ending = bool(stem) and ending.isalnum() and not ending.isdigit() and len(ending) <= _LONGEST_ENDING
    return has_ending or ":" in title
