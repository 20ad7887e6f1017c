"""Put a question about the thing that a passage describes."""

from __future__ import annotations

import re

from searchain.language.descriptions import after_description
from searchain.types import Passage

_PERSON = re.compile(r"\b(he|she|his|her|hers|him)\b", re.IGNORECASE)
_LIVED = re.compile(r"\bborn\b|\b\d{3,4}\b", re.IGNORECASE)
"""People have a date of birth, or live in a year; gods and monsters do not."""
_BEHIND = re.compile(r" ?(?:\([^()]*\) ?)?(?:,(?: (?!(?:is|are|was|were)\b)[\w'’“”\"-]+){1,12}, )?")
"""What may stand between a name and its verb: something in brackets, other names between commas."""
_BEGINNING = 300
"""Characters of a passage that are read to find its article and verb."""


def about(passage: Passage) -> str:
    """Return a question about the thing of ``passage``, with the article and the verb of its first words.

    >>> about(Passage("1", "Zambezi", "Short description: River.\\nThe Zambezi is a river."))
    'What is the Zambezi?'
    >>> about(Passage("3", "Ada Lovelace", "Augusta Ada King (born 1815) was a mathematician. She wrote."))
    'Who was Ada Lovelace?'
    >>> about(Passage("4", "Nile", "Flows through Egypt."))
    'Tell me about Nile.'
    """
    title, text = without_brackets(passage.title), passage.text[after_description(passage.text) :][:_BEGINNING]
    named = re.match(rf"(?:(The|An?) )?({re.escape(title)})\b", text, re.IGNORECASE)
    verb = re.search(r"\b(is|are|was|were)\b", text)
    if _PERSON.search(passage.text) and _LIVED.search(passage.text) and verb:
        return f"Who {verb[0]} {title}?"
    if not named or not verb or not _BEHIND.fullmatch(text[named.end() : verb.start()]):
        return f"Tell me about {title}."
    thing = f"{named[1]} {named[2]}" if named[1] else title
    return f"What {verb[0]} {re.sub('^(The|An?) ', lambda article: article[0].lower(), thing)}?"


def without_brackets(title: str) -> str:
    """Return ``title`` without its part in brackets: ``Mercury`` for ``Mercury (planet)``."""
    name, _, distinction = title.rpartition(" (")
    return name if name and distinction.endswith(")") else title
