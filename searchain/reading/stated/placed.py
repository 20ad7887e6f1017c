"""Answer "How does X rank by size?" with the place in an order that the article X gives its subject."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from searchain.language.fact_questions import Fact, asked_fact
from searchain.language.places_in_order import SUPERLATIVES, is_by, standing
from searchain.language.qualifiers import ranks
from searchain.reading.articles import begins_with_title, description_span, sentences_of
from searchain.reading.stated.measures import is_meant
from searchain.reading.stated.superlatives import is_of_subject
from searchain.types import Hit, Passage, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right."""
_MAKING_IT = re.compile(r"\bmaking it (?:the |the world['’]s )?$")
_STARTS_WITH_SUBJECT = re.compile(r"(?:It|Its|With) ")
_OWNER = re.compile(r"(?<![\w.-])(?:[A-Z][\w-]{1,30} ){0,2}[\w-]{1,30}['’]s? $")
_TAIL = re.compile(
    r"(?: and (?:most )?\w+(?= of\b))?[^,;:.()–—]*?"
    r"(?=[,;:.()–—]|$| (?:and|with|but|at|after|behind|as|while|where|followed|located|having|is|was|that|which|or)\b)"
)


def placed(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the article of the thing whose place is asked for, read as that place; ``None`` without one.

    >>> lead = "Canada is wide, making it the second-largest country by total area."
    >>> canada = Passage("c", "Canada", f"Short description: Country in North America.\\n{lead}")
    >>> placed("How does canada rank by size?", [Hit(canada, 1.0, 1)], [Reading("", None, 0.5)])[1].answer
    'second-largest country by total area'
    """
    asked = asked_fact(query)
    if asked is None or asked.fact is not Fact.RANK or asked.what not in SUPERLATIVES:
        return None
    for hit, reading in zip(hits, readings, strict=True):
        spans = list(_places(asked.what, hit.passage)) if is_meant(asked.thing, asked.what, hit.passage) else []
        if spans:
            body = hit.passage.text
            of_all = (one for one in spans if not _regions(hit.passage, one))
            span = next(of_all, spans[0])
            return hit, Reading(body[span.start : span.end], span, reading.confidence, probability=PROBABILITY)
    return None


def _regions(passage: Passage, span: Span) -> frozenset[str]:
    found = standing(passage.text[span.start : span.end], passage)
    return found.regions if found else frozenset()


def _places(measure: str, passage: Passage) -> Iterator[Span]:
    """Yield the places in orders by ``measure`` that the article gives its subject."""
    described = description_span(passage)
    for sentence in (*filter(None, [described]), *sentences_of(passage)):
        said = passage.text[sentence.start : sentence.end]
        for rank in ranks(said):
            before, behind = said[: rank.start], said[rank.end :]
            tail = _TAIL.match(behind)
            if behind.startswith(" or ") or before.endswith(" or "):
                continue  # "the second-longest or longest river"
            if tail is None or not is_by(measure, rank, tail[0]):
                continue
            is_own = sentence == described or is_of_subject(passage.title, before)
            is_made = _MAKING_IT.search(before) and (
                _STARTS_WITH_SUBJECT.match(said) or begins_with_title(passage, said)
            )
            if is_own or is_made:
                owner = _OWNER.search(before)
                start = owner.start() if owner else rank.start
                span = Span(sentence.start + start, sentence.start + rank.end + tail.end())
                if standing(passage.text[span.start : span.end], passage) is not None:
                    yield span
