"""Suggestions of next questions, about passages that the turn found, so that each question has an answer."""

from __future__ import annotations

import re

from searchain.events import Turn
from searchain.language.descriptions import about, bare_title
from searchain.language.text import contains, content_words
from searchain.question.documents import ABOUT_DOCUMENTS
from searchain.reply.no_search import OFFER
from searchain.types import Passage
from ui.page.also_found import uncited

MOST = 3
_LONGEST = 60
"""Most characters of a title in a suggestion."""


def next_questions(turn: Turn) -> list[str]:
    """Return at most three questions, each about a passage that is neither cited nor asked about.

    The passage mentions a cited one, is mentioned by a cited one, or its title has a word of the question. The title of
    an own document does not suit "What is …?"; for those the suggestion is about all documents together.
    """
    asked = content_words(turn.standalone_question)
    cited = {source.passage.title: source.passage for source in turn.sources}
    questions: dict[str, str] = {}
    for each in uncited(turn):
        if each.hit.passage.place is not None:
            if turn.standalone_question != ABOUT_DOCUMENTS:
                questions.setdefault("", ABOUT_DOCUMENTS)
            continue
        title = bare_title(each.hit.passage.title)
        words = content_words(title)
        if not words or words <= asked or each.hit.passage.title in cited or len(title) > _LONGEST:
            continue
        if not words & asked and not any(_are_near(each.hit.passage, other) for other in cited.values()):
            continue
        questions.setdefault(title, about(each.hit.passage))
    return list(questions.values())[:MOST]


def offers(turn: Turn) -> list[str]:
    """Return the example questions with which a reply to small talk ends."""
    last = turn.sentences[-1].text if turn.sentences else ""
    return re.findall("“([^“”]+)”", last) if last.startswith(OFFER) else []


def _are_near(one: Passage, other: Passage) -> bool:
    """Tell whether one of the passages names the other."""
    titles = bare_title(one.title), bare_title(other.title)
    return contains(titles[0], other.text) or contains(titles[1], one.text)
