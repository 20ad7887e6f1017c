"""What may be asked next: about passages that the searches of a turn found, so that there is something to answer."""

from __future__ import annotations

import re

from searchain.events import Turn
from searchain.language.sentences import split
from searchain.language.text import content_words
from searchain.types import Passage
from ui.page.also_found import uncited

MOST = 3
_PERSON = re.compile(r"\b(he|she|his|her|hers|him)\b", re.IGNORECASE)
ABOUT_DOCUMENTS = "What are these documents about?"
_LONGEST = 60
"""Characters of a title that is asked about."""


def next_questions(turn: Turn) -> list[str]:
    """At most three questions, each about a passage that is not cited; none about what was asked already.

    The title of an own document says nothing that can be asked by "what is"; all of them together can be asked about.
    """
    asked = content_words(turn.standalone_question)
    cited = {source.passage.title for source in turn.sources}
    questions: dict[str, str] = {}
    for each in uncited(turn):
        if each.hit.passage.place is not None:
            if turn.standalone_question != ABOUT_DOCUMENTS:
                questions.setdefault("", ABOUT_DOCUMENTS)
            continue
        title = _without_brackets(each.hit.passage.title)
        words = content_words(title)
        if not words or words <= asked or each.hit.passage.title in cited or len(title) > _LONGEST:
            continue
        questions.setdefault(title, _about(title, each.hit.passage))
    return list(questions.values())[:MOST]


def _about(title: str, passage: Passage) -> str:
    first = next((passage.text[start:end] for start, end in split(passage.text)), "")
    verb = next(iter(re.findall(r"\b(is|are|was|were)\b", first)), "is")
    return f"{'Who' if _PERSON.search(passage.text) else 'What'} {verb} {title}?"


def _without_brackets(title: str) -> str:
    """``title`` without what tells it from others: ``Mercury`` for ``Mercury (planet)``."""
    name, _, distinction = title.rpartition(" (")
    return name if name and distinction.endswith(")") else title
