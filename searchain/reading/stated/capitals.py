"""Answer questions for a capital with the article of the country or state: "Its capital and largest city is Nuuk"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from searchain.language import text
from searchain.language.fact_questions import Asked, Fact, asked_fact
from searchain.reading.articles import Match, matched, sentences_of, subject
from searchain.types import Hit, Passage, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right: of the 135 capitals that the embedded corpus gives so 133 are right."""
_NAME = (
    r"(?P<answer>[^\W\da-z_][\w.'’-]*(?: (?:(?:de|da|do|la|of|del|el|al|the) ){0,2}[^\W\da-z_][\w.'’-]*){0,3})"
    r"(?= (?:is|in|on|which|with|and|near|where|followed|while|at|lies|located|has|as|being)\b|[,.;:()]|$)"
)
_LARGEST = (
    r"(?:,? (?:and )?(?:also )?(?:the |its )?(?:country's |nation's )?(?:largest|most populous|most populated|main)"
    r"[\w ,]{0,60}?)?"
)
_OWN = r"(?:[Ii]ts|[Tt]he|(?:[Tt]he )?[\w -]{2,30}['’]s?)"
_KIND = r"(?: (?:national|state|provincial|federal|political|territorial|regional|official))?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"^{_OWN}{_KIND} capital(?: city)?{_LARGEST} is (?:the city of )?{_NAME}",
        rf"(?:^|; |, and ){_OWN}{_KIND} capital(?: city)?{_LARGEST}, {_NAME}(?=, (?:is|and|which|has)\b)",
        rf"^{_NAME}(?:, [^,.;]{{3,60}},| \([^()]{{2,40}}\))? is {_OWN}{_KIND} capital(?: city)?"
        r"(?= (?:and|of)\b|[,.;]|$)",
        rf"\bwith {_NAME} (?:as|being) (?:its|the){_KIND} capital\b",
        rf"\bwith (?:its|the){_KIND} capital(?: city)?{_LARGEST} being {_NAME}",
    )
)
_OWNER = re.compile(r"\b(?P<name>[A-Z][\w-]*(?: [A-Z][\w-]*){0,3})['’]s? ")
_PAST = re.compile(
    r"\b(?:was|were|until|former|formerly|historical|ancient|winter|summer|legislative|judicial|administrative|executive|"
    r"de facto|claimed|disputed|first|old|moved|served|economic|commercial|financial|cultural)\b"
)


def capital(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the article of a country or state that names its capital, read as what ``query`` asks; ``None`` without.

    >>> lead = "Greenland is an island. The capital and largest city is Nuuk."
    >>> hits, nothing = [Hit(Passage("g", "Greenland", lead), 1.0, 1)], [Reading("", None, 0.5)]
    >>> queries = ("capital of greenland", "nuuk is the capital of which country")
    >>> [capital(query, hits, nothing)[1].answer for query in queries]
    ['Nuuk', 'Greenland']
    """
    asked = asked_fact(query)
    if asked is None:
        return None
    found = list(_found(asked, hits, readings))
    return found[0] if len(found) == 1 else None


def _found(asked: Asked, hits: Sequence[Hit], readings: Sequence[Reading]) -> Iterator[tuple[Hit, Reading]]:
    asks_city = asked.fact is Fact.ROLE and asked.what.lower() in ("capital", "capital city")
    for hit, reading in zip(hits, readings, strict=True):
        span = capital_of(hit.passage)
        if span is None:
            continue
        city = hit.passage.text[span.start : span.end]
        if asked.fact is Fact.CAPITAL_OF:
            span = subject(hit.passage) if text.tokens(city) == text.tokens(asked.thing) else None
        elif not asks_city or (matched(asked.thing, hit.passage) or 0) < Match.ALIAS:
            span = None
        if span is not None:
            answer = hit.passage.text[span.start : span.end]
            yield hit, Reading(answer, span, reading.confidence, probability=PROBABILITY)


def capital_of(passage: Passage) -> Span | None:
    """Return where the article names the one capital of its subject; ``None`` where it names none, or several."""
    spans = []
    for sentence in sentences_of(passage):
        said = passage.text[sentence.start : sentence.end]
        if "capital" not in said or _PAST.search(said):
            continue
        for form in _FORMS:
            own = (found for found in form.finditer(said) if not _is_of_other(found[0], passage.title))
            spans += [_placed(sentence.start, found) for found in own]
    names = {passage.text[span.start : span.end] for span in spans}
    is_itself = any(name == "It" or text.content_words(name) <= text.content_words(passage.title) for name in names)
    return spans[0] if len(names) == 1 and not is_itself else None


def _is_of_other(said: str, title: str) -> bool:
    """Tell whether the words speak of the capital of another: "Indonesia's capital city" in the article Java."""
    owner = _OWNER.search(said)
    return owner is not None and not text.content_words(owner["name"]) <= text.content_words(title)


def _placed(start: int, found: re.Match[str]) -> Span:
    """Return where the name stands in the article, without a full stop behind it."""
    return Span(start + found.start("answer"), start + found.end("answer") - found["answer"].endswith("."))
