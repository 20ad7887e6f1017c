"""Answer "who discovered hydrogen" with the person whose own article says so: "noted for his discovery of hydrogen"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language.fact_questions import Asked, Fact, asked_fact
from searchain.reading.articles import (
    begins_with_title,
    description,
    description_span,
    put_first,
    sentences_of,
    subject,
)
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Passage, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right."""
DEPTH = 100
"""Passages that are looked through for such a person."""
_AND = r"(?: and (?:first )?[a-z]+)?"
_WORDS = {
    "invent": rf"invented|invent|inventing|(?:invention|inventor){_AND} of",
    "discover": rf"discovered|discover|discovering|(?:discovery|discoverer){_AND} of",
    "found": rf"(?P<several>co-?)?(?:founded|found|founding|(?:founding|founder){_AND} of)",
}
_SORT = r"(?:the )?(?:(?:chemical )?elements? )?(?:[a-z]+(?: and |, ))?"
"""What may stand before the thing: "the elements polonium and radium"."""
_COMPANY = r"(?:the )?(?:[a-z]+ ){0,3}?"
"""The same before a name: "the software company"."""
_BEHIND = (
    r"(?=[,.;:)\"”]|$| \(| (?:in|and|with|by|as|on|at|from|for|which|who|while|when|after|during|together|alongside)\b)"
)
_DOUBT = re.compile(
    r"\b(?:not|never|no|may|might|possibly|probably|perhaps|believed|thought|said|claimed|claims|disputed|one of|"
    r"before|after|until|led to|helped|preceded|whose|which|contributed|contributions?|role|attempts?|tried|failed|"
    r"used|their|father|mother|brother|sister|son|daughter|wife|husband)\b|;",
    re.IGNORECASE,
)
"""Words before the verb with which somebody else did it, or hardly."""
_LIVED = re.compile(r"\((?:[^()]{0,40}\b\d{3,4}\b|born )")
"""In the short description of a person."""
_OPENS = re.compile(r"(?P<name>[A-Z][^,;:()]{3,60}?)(?:,[^;:()]{3,80},)? (?:is|was) an? ")
_PRONOUN = re.compile(r"(?:He|She)\b")
_HE = re.compile(r", (?:he|she) (?:also |later |then |is known for |is noted for )?$")


def maker(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the one person whose article says to have invented, discovered or founded what ``query`` asks for.

    Of several founders the first is read. ``None`` without one, and where several are said to have done it alone.

    >>> lead = "Ada King is a chemist. She is noted for her discovery of kryptonium."
    >>> hits = [Hit(Passage("a", "Ada King", "Short description: Chemist (born 1950).\\n" + lead), 1.0, 1)]
    >>> maker("who discovered kryptonium?", hits, [Reading("", None, 0.5)])[1].answer
    'Ada King'
    """
    asked = _asked(query)
    if asked is None:
        return None
    said = [_says(asked, hit.passage) for hit in hits]
    alone, people = said.count(True), len(said) - said.count(None)
    if not people or alone and people > 1:
        return None
    place = next(place for place, is_one in enumerate(said) if is_one is not None)
    hit, reading = hits[place], readings[place]
    name = subject(hit.passage) or _opening(hit.passage)
    if name is None:
        return None
    return hit, Reading(hit.passage.text[name.start : name.end], name, reading.confidence, probability=PROBABILITY)


def with_maker(query: str, hits: Sequence[Hit], retriever: Retriever) -> tuple[Hit, ...]:
    """Return the hits, those first whose articles say that their subject made what ``query`` asks for.

    They take the places of the last hits.

    Raises:
        RetrievalError.
    """
    asked = _asked(query)
    if asked is None or any(_says(asked, hit.passage) is not None for hit in hits):
        return tuple(hits)
    found = [hit for hit in retriever.search(query, DEPTH) if _says(asked, hit.passage) is not None]
    kept = tuple(hits)
    for hit in reversed(found[: len(hits)]):
        kept = put_first(hit, kept)
    return kept


def _asked(query: str) -> Asked | None:
    asked = asked_fact(query)
    return asked if asked is not None and asked.fact is Fact.MAKER and asked.what in _WORDS else None


def _says(asked: Asked, passage: Passage) -> bool | None:
    """Tell whether the person of the article made the thing alone; ``None`` where the article does not say it."""
    described = description_span(passage)
    if described is None or not _LIVED.search(description(passage)):
        return None
    thing = re.escape(asked.thing)
    form = re.compile(rf"\b(?i:{_WORDS[asked.what]}) (?:{_SORT}(?i:{thing})|{_COMPANY}(?=[A-Z])(?i:{thing})){_BEHIND}")
    first, *others = sentences_of(passage)
    for span in (described, first, *others):
        sentence = passage.text[span.start : span.end]
        found = form.search(sentence)
        if found is None or _DOUBT.search(sentence, 0, found.start()):
            continue
        is_own = span in (described, first) or begins_with_title(passage, sentence)
        if is_own or _PRONOUN.match(sentence) or _HE.search(sentence, 0, found.start()):
            return not found.groupdict().get("several")
    return None


def _opening(passage: Passage) -> Span | None:
    """Return the name before "is" or "was" in the first sentence, where it is longer than the title's."""
    first = next(iter(sentences_of(passage)))
    found = _OPENS.match(passage.text, first.start, first.end)
    return Span(*found.span("name")) if found else None
