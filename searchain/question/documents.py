"""Questions about own documents as wholes, such as "How many pages has the contract?": their kinds and parts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ABOUT_DOCUMENTS = "What are these documents about?"
"""A question that every set of documents answers."""


class About(StrEnum):
    """The kinds of questions about documents as wholes."""

    TOPICS = "topics"
    """What they are about, what they say, their main points."""
    FILES = "files"
    """Which there are."""
    NUMBER = "number"
    """How many there are."""
    MENTIONS = "mentions"
    """Which of them mention something, and how often."""
    LENGTH = "length"
    """Their pages, words and sections."""
    PAGE = "page"
    """What one page says."""
    SECTION = "section"
    """What one section says."""
    CONTENTS = "contents"
    """Their headings."""
    TITLE = "title"
    AUTHOR = "author"
    CHANGED = "changed"
    """When they were written or changed."""
    DATES = "dates"
    """All dates in them."""
    COMPARE = "compare"
    """Where two of them differ."""
    AGREE = "agree"
    """Whether they say the same about one thing."""


class Part(StrEnum):
    """What a part of such a question names."""

    OTHER = "other"
    DOCUMENT = "document"
    PLACE = "place"
    """A page or a section."""
    WORDS = "words"
    """The words that documents may mention."""


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """A question about documents as wholes, with the words that name its parts; ``""`` where there are none."""

    kind: About
    words: str = ""
    documents: tuple[str, ...] = ()
    place: str = ""
