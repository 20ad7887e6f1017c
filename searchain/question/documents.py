"""Recognise questions about a set of documents: what they are about, how many there are, which mention something."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

ABOUT_DOCUMENTS = "What are these documents about?"
"""A question that every set of documents answers."""


class About(StrEnum):
    """The kinds of questions about a set of documents."""

    TOPICS = "topics"
    NUMBER = "number"
    MENTIONS = "mentions"


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """A question about documents; ``words`` are the words that they may mention, ``""`` for other kinds."""

    kind: About
    words: str = ""


_MENTIONED = re.compile(r"\b(?:is|are) (.{1,100}?) (?:mentioned|discussed|described|named)\b", re.IGNORECASE)
_MENTION = re.compile(
    r"\b(?:mention|contain|discuss|cover|name|describe|about|(?:refer|say \w+|talk|deal) (?:to|about|with))s? (.+)",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"^(?:(?:the|an?|any|words?|terms?|names?|something|anything|about) )+", re.IGNORECASE)
_POINTING = frozenset("it he she they them this that him her these those there".split())


def document_question(question: str, kind: About) -> DocumentQuestion | None:
    """Return the question with the words whose mentions it asks for; ``None`` if it names no such words.

    >>> document_question("Which documents mention the “relief valve”?", About.MENTIONS).words
    'relief valve'
    >>> document_question("In which files is Mr Hansen mentioned?", About.MENTIONS).words
    'Mr Hansen'
    >>> document_question("Which documents mention it?", About.MENTIONS) is None
    True
    """
    if kind is not About.MENTIONS:
        return DocumentQuestion(kind)
    asked = " ".join(question.split()).rstrip(" ?.!")
    found = _MENTIONED.search(asked) or _MENTION.search(asked)
    words = _BEFORE.sub("", found[1].strip()).strip(" \"'“”‘’«»") if found else ""
    return DocumentQuestion(kind, words) if words and words.casefold() not in _POINTING else None
