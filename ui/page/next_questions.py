"""Suggest next questions about passages that the turn's searches found, so that each of them has an answer."""

from __future__ import annotations

import re

from searchain.events import Turn
from searchain.language.descriptions import after_description
from searchain.language.text import contains, content_words
from searchain.types import Passage
from ui.page.also_found import uncited

MOST = 3
_PERSON = re.compile(r"\b(he|she|his|her|hers|him)\b", re.IGNORECASE)
_LIVED = re.compile(r"\bborn\b|\b\d{3,4}\b", re.IGNORECASE)
"""People have a date of birth, or live in a year; gods and monsters do not."""
_BEHIND = re.compile(r" ?(?:\([^()]*\) ?)?(?:,(?: (?!(?:is|are|was|were)\b)[\w'’“”\"-]+){1,12}, )?")
"""What may stand between a name and its verb: something in brackets, other names between commas."""
ABOUT_DOCUMENTS = "What are these documents about?"
_LONGEST = 60
"""Most characters of a title in a suggestion."""
_BEGINNING = 300
"""Characters of a passage that are read to find its article and verb."""


def next_questions(turn: Turn) -> list[str]:
    """Return at most three questions, each about a passage that is not cited and was not asked about.

    Such a passage mentions what is cited, or is mentioned there, or its title has a word of the question.
    The title of an own document does not suit "What is …?"; for those the suggestion is about all documents together.
    """
    asked = content_words(turn.standalone_question)
    cited = {source.passage.title: source.passage for source in turn.sources}
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
        if not words & asked and not any(_are_near(each.hit.passage, other) for other in cited.values()):
            continue
        questions.setdefault(title, about(each.hit.passage))
    return list(questions.values())[:MOST]


def _are_near(one: Passage, other: Passage) -> bool:
    """Tell whether one of the passages names the other."""
    titles = without_brackets(one.title), without_brackets(other.title)
    return contains(titles[0], other.text) or contains(titles[1], one.text)


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
