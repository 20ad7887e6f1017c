"""Answer "who discovered hydrogen" with the person whose own article says so: "noted for his discovery of hydrogen"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language.fact_questions import Asked, Fact, asked_fact
from searchain.reading.articles import (
    begins_with_title,
    description_span,
    is_person,
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
_WORDS = {
    "invent": ("invented|invent", "inventing", "invention", "inventor"),
    "discover": ("discovered|discover", "discovering", "discovery", "discoverer"),
    "found": ("(?:co-?)?(?:founded|established|found)", "(?:co-?)?founding", "founding", "(?:co-?)?founder"),
}
"""The verb, and its forms as a doing, a deed and a doer."""
_SORT = r"(?:the )?(?:(?:chemical )?elements? )?(?:[a-z]+(?: and |, ))?"
"""What may stand before the thing: "the elements polonium and radium"."""
_COMPANY = r"(?:the )?(?:[a-z]+ )?(?:company|firm|corporation|retailer|manufacturer) "
"""The same before a name: "the software company"."""
_BEHIND = (
    r"(?=[,.;:)\"”]|$| \(| (?:in|and|with|by|as|on|at|from|for|which|who|while|when|after|during|together|alongside)\b)"
)
_DOUBT = re.compile(
    r"\b(?:not|never|no|may|might|possibly|probably|perhaps|believed|thought|said|claim\w*|disputed|one of|false\w*|"
    r"wrong\w*|mistak\w*|alleg\w*|reput\w*|confirm\w*|studied|following|newly|played|praised|met|worked|influence\w*|"
    r"before|after|until|led to|helped|preceded|whose|which|contributed|contributions?|role|attempts?|tried|failed|"
    r"used|their|\w*father|\w*mother|brother|sister|\w*son|\w*daughter|wife|husband|nephew|niece|cousin|student|pupil|child|"
    r"spouse|married)\b|;",
    re.IGNORECASE,
)
"""Words before the verb that give the deed to somebody else, or doubt it."""
_OPENS = re.compile(r"(?P<name>[A-Z](?:(?! (?:is|was) )[^,;:()]){3,60})(?:,[^;:()]{3,80},)? (?:is|was) an? ")
_PRONOUN = re.compile(r"(?:He|She)\b")
_HE = re.compile(r", (?:he|she)\b")
_WITHIN = re.compile(
    r"[a-z], [A-Z][\w’'-]+ [A-Z][\w’'-]+,? "
    r"|\b(?:by|with|of|and) (?:King |Queen |Prince )?[A-Z][\w’'-]+ (?:[IVX]+ )?(?:[A-Z][\w’'-]+ )?(?:of [A-Z]\w+)?, "
)
"""Another name before it, to which a clause behind may belong."""


def maker(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the one person whose article says to have invented, discovered or founded what ``query`` asks for.

    ``None`` without one, where several are said to have done it, and where the one did it with others.

    >>> lead = "Ada King is a chemist. She is noted for her discovery of kryptonium."
    >>> hits = [Hit(Passage("a", "Ada King", "Short description: Chemist (born 1950).\\n" + lead), 1.0, 1)]
    >>> maker("who discovered kryptonium?", hits, [Reading("", None, 0.5)])[1].answer
    'Ada King'
    """
    asked = _asked(query)
    if asked is None:
        return None
    said = [_says(asked, hit.passage) for hit in hits]
    if len(said) - said.count(None) != 1 or True not in said:
        return None
    place = said.index(True)
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
    sentences = sentences_of(passage)
    if described is None or not sentences or not passage.title.strip() or not is_person(passage):
        return None
    thing = re.escape(asked.thing)
    verb, doing, deed, doer = _WORDS[asked.what]
    what = rf"(?:{_SORT}(?i:{thing})|(?:the )?(?=[A-Z])(?i:{thing})|{_COMPANY}(?=[A-Z])(?i:{thing})){_BEHIND}"
    name = re.escape(passage.title.split()[-1])
    form = re.compile(
        rf"(?:(?:\b[Ff]or\]?|\bmade|\bwith|\bby) (?:his|her|the) {deed} of"
        rf"|\b(?:is|was|as|became|and|,) (?:also )?(?:the |an? )?(?:[\w-]+,? ){{0,2}}?{doer}"
        rf"(?: and (?:first )?[a-z]+)? of"
        rf"|^(?:[\w'’-]+,? ){{0,8}}(?i:{doer})(?: and [\w. -]{{3,40}})? of"
        rf"|\b(?:credited with|known for|noted for|for) {doing}"
        rf"|\b(?:he|she|He|She|{name}|was an? [^,;A-Z]{{3,60}} who) (?:also |later |then )?(?:{verb})) {what}"
    )
    for span in (described, *sentences):
        sentence = passage.text[span.start : span.end]
        found = form.search(sentence)
        if found is None or _DOUBT.search(sentence, 0, found.end()) or _WITHIN.search(sentence, 0, found.start()):
            continue
        is_own = span in (described, sentences[0]) or begins_with_title(passage, sentence)
        if is_own or _PRONOUN.match(sentence) or _HE.search(sentence[: found.end()]):
            return "co-" not in found[0] and "cofound" not in found[0]
    return None


def _opening(passage: Passage) -> Span | None:
    """Return the name before "is" or "was" in the first sentence, where it is longer than the title's."""
    first = sentences_of(passage)[0]
    found = _OPENS.match(passage.text, first.start, first.end)
    return Span(*found.span("name")) if found else None
