"""Suggest next questions about passages that the turn's searches found, so that each of them has an answer."""

from __future__ import annotations

import re

from searchain.events import Turn
from searchain.language.descriptions import after_description
from searchain.language.text import content_words
from searchain.types import Passage
from ui.page.also_found import uncited

MOST = 3
_PERSON = re.compile(r"\b(he|she|his|her|hers|him)\b", re.IGNORECASE)
ABOUT_DOCUMENTS = "What are these documents about?"
_LONGEST = 60
"""Most characters of a title in a suggestion."""
_BEGINNING = 300
"""Characters of a passage that are read to find its article and verb."""


def next_questions(turn: Turn) -> list[str]:
    """Return at most three questions, each about a passage that is not cited and was not asked about.

    The title of an own document does not suit "What is …?"; for those the suggestion is about all documents together.
    """
    asked = content_words(turn.standalone_question)
    cited = {source.passage.title for source in turn.sources}
    questions: dict[str, str] = {}
    for each in uncited(turn):
        if each.hit.passage.place is not None:
            if turn.standalone_question != ABOUT_DOCUMENTS:
                questions.setdefault("", ABOUT_DOCUMENTS)
            continue
        title = without_brackets(each.hit.passage.title)
        words = content_words(title)
        if not words or words <= asked or each.hit.passage.title in cited or len(title) > _LONGEST:
            continue
        questions.setdefault(title, about(each.hit.passage))
    return list(questions.values())[:MOST]


def about(passage: Passage) -> str:
    """Return a question about the thing of ``passage``, with the article and the verb of its first words.

    >>> about(Passage("1", "Zambezi", "Short description: River.\\nThe Zambezi is a river."))
    'What is the Zambezi?'
    >>> about(Passage("3", "Ada Lovelace", "Augusta Ada King was a mathematician. She wrote."))
    'Who was Ada Lovelace?'
    >>> about(Passage("4", "Nile", "Flows through Egypt."))
    'Tell me about Nile.'
    """
    title, text = without_brackets(passage.title), passage.text[after_description(passage.text) :][:_BEGINNING]
    named = re.match(rf"(?:(The|An?) )?({re.escape(title)})\b", text, re.IGNORECASE)
    verb = re.search(r"\b(is|are|was|were)\b", text)
    if _PERSON.search(passage.text) and verb:
        return f"Who {verb[0]} {title}?"
    if not named or not verb:
        return f"Tell me about {title}."
    thing = f"{named[1]} {named[2]}" if named[1] else title
    return f"What {verb[0]} {re.sub('^(The|An?) ', lambda article: article[0].lower(), thing)}?"


def without_brackets(title: str) -> str:
    """Return ``title`` without its part in brackets: ``Mercury`` for ``Mercury (planet)``."""
    name, _, distinction = title.rpartition(" (")
    return name if name and distinction.endswith(")") else title
