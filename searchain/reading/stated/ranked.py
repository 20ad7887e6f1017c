"""Answer "what is the largest planet" with the title of the article that says this of its subject."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.reading.articles import put_first, subject
from searchain.reading.stated.superlatives import RankAsked, rank_asked, statements
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Passage, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right: 29 of 30 were, to 180 questions that were written for the figure."""
DEPTH = 100
"""Passages that are looked through for one that says it: Greenland is the 32nd for "the biggest island"."""
_AFTER = re.compile(
    r"[^.;:]{0,60}?[ (](?:after|behind|only to) (?:only )?(?:the (?:capital(?: city)?,? |port city |city of )?)?"
    r"(?P<name>[A-Z][\w'’-]{0,40}(?: (?:of (?:the )?)?[A-Z][\w'’-]{0,40}){0,4})"
    r"(?=[,.;:)]|$| (?:and|with|in|by|at|on|to|which|who|ahead)\b)"
)
"""What stands behind the second of an order where its first is named."""
_NO_PLACE = re.compile(r"\b(?:War|World|Greater|Revolution|Independence|January|June|July)\b")
"""Words of names that are events, dates or parts, and not the first of an order."""


def ranked(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the first hit whose article says that its subject is what ``query`` asks for, read as that subject.

    Where none does, one that gives its subject the second place and names the first is read as that name. ``None``
    without one, or where ``query`` does not ask for the first or next of an order.

    >>> lead = "Jupiter is the fifth planet from the Sun, and the largest in the Solar System."
    >>> hits = [Hit(Passage("j", "Jupiter", lead), 1.0, 1)]
    >>> ranked("biggest planet in the solar system", hits, [Reading("Sun", None, 0.5)])[1].answer
    'Jupiter'
    """
    asked = rank_asked(query)
    if asked is None:
        return None
    for find in (_subject, _before):
        for hit, reading in zip(hits, readings, strict=True):
            span = find(asked, hit.passage)
            if span is not None:
                answer = hit.passage.text[span.start : span.end]
                return hit, Reading(answer, span, reading.confidence, probability=PROBABILITY)
    return None


def with_ranked(query: str, hits: Sequence[Hit], retriever: Retriever) -> tuple[Hit, ...]:
    """Return the hits, first the article that says it is the largest of what ``query`` asks for, if none of them does.

    It takes the place of the last hit.

    Raises:
        RetrievalError.
    """
    asked = rank_asked(query)
    if asked is None or any(_subject(asked, hit.passage) for hit in hits):
        return tuple(hits)
    deep = retriever.search(query, DEPTH)
    article = next((hit for find in (_subject, _before) for hit in deep if find(asked, hit.passage)), None)
    return tuple(hits) if article is None or article in hits else put_first(article, hits)


def stated_rank(query: str, passage: Passage) -> Span | None:
    """Return the sentence that gives the subject of the article the rank ``query`` asks for; ``None`` without one."""
    asked = rank_asked(query)
    if asked is None:
        return None
    return next((found.sentence for found in statements(asked, passage, asked.number)), None)


def _subject(asked: RankAsked, passage: Passage) -> Span | None:
    name = subject(passage)
    return name if name and next(statements(asked, passage, asked.number), None) else None


def _before(asked: RankAsked, passage: Passage) -> Span | None:
    """Return the name of the first of an order in the article of the second."""
    for found in statements(asked, passage, asked.number + 1) if asked.number == 1 else ():
        name = _AFTER.match(passage.text, found.end, found.sentence.end)
        if name and not text.content_words(name["name"]) <= asked.wanted and not _NO_PLACE.search(name["name"]):
            return Span(*name.span("name"))
    return None
