"""Answer questions for a measure with the figure that the thing's own article gives beside the name of the measure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from searchain.language import text
from searchain.language.fact_questions import Fact, asked_fact
from searchain.language.quantities import quantities
from searchain.reading.articles import (
    DEPTH,
    Match,
    begins_with_title,
    description_span,
    matched,
    put_first,
    sentences_of,
)
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Passage, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right."""
_ABOUT = (
    r"(?:(?:an estimated|estimated|about|around|approximately|roughly|nearly|almost|over|more than|just over|"
    r"just under|some|exactly|only) ){0,2}"
)
_NUMBER = rf"(?P<answer>{_ABOUT}(?<![\d.,–-])\d[\d,]*(?:\.\d+)?(?: ± \d{{1,3}})?"
_METRES = r"(?:km|mi|ft|m|kilomet(?:re|er)s?|met(?:re|er)s?|miles?|feet)\b"
_COUNT = rf"{_NUMBER}(?: (?:million|billion))?)(?<!,)(?![\d%]| ?%| per| km)"
_LENGTH = rf"{_NUMBER}[ -]{_METRES}(?: \([\d,.]+ {_METRES}\))?)"
_AREA = (
    rf"{_NUMBER}(?: million)? (?:km2|km²|mi2|sq mi|sq km|square (?:kilomet(?:re|er)s|miles))(?: \([^()]{{3,30}}\))?)"
    r"(?! in [A-Z][\w-]+['’]s )"
)
_IS = r"(?:,? (?:of|at|is|was|reaches|reaching|reached|exceeding|exceeds))"
_FORMS = {
    "population": (
        rf"\bpopulation(?: of [A-Z]\w+)?(?: (?:as of|in) \d{{4}})?{_IS} {_COUNT}",
        rf"(?<![\w,.]){_COUNT} (?:inhabitants|residents)\b(?! per)",
        rf"\bhome to {_COUNT} people\b",
    ),
    "height": (
        rf"{_LENGTH} above sea level",
        rf"{_LENGTH} (?:tall|high)\b",
        rf"\b(?:height|elevation|altitude){_IS} {_LENGTH}",
        rf"\bheight was [^.;]{{0,100}} as {_LENGTH}",
    ),
    "length": (
        rf"{_LENGTH}[ -]long\b",
        rf"\blength(?: of [A-Z][\w ]{{2,30}})?{_IS} {_LENGTH}",
        rf"\b(?:flows|flowing|travels|extending|spanning|extends|spans)(?: [a-z]+){{0,4}}? {_LENGTH}"
        r"(?! (?:north|south|east|west|wide|above|from|of)\w*)",
    ),
    "depth": (
        rf"\b(?:maximum|greatest)(?: known| recorded)? depth{_IS} {_LENGTH}",
        rf"{_LENGTH} deep\b",
        rf"\bdepth{_IS} {_LENGTH}",
    ),
    "area": (
        rf"\barea{_IS} {_AREA}",
        rf"\b(?:covers|covering|occupies|occupying|spanning|spans|comprises|comprising)(?: a total of)? {_AREA}",
    ),
    "symbol": (r"^Chemical element with atomic number \d{1,3} \((?P<answer>[A-Z][a-z]?)\)",),
    "atomic number": (r"^Chemical element with atomic number (?P<answer>\d{1,3})\b",),
}
"""The first form that the article has counts; where it has it with other figures as well, none does."""
_SIZES = {"size": "area"}
"""What a rank is by → the measure of the same things."""
_SORTS = {
    "length": ("river", "canal"),
    "height": ("mountain",),
    "depth": ("ocean", "sea", "lake"),
    "area": ("desert", "ocean", "sea"),
}
"""What stands in titles behind the names of things that have the measure."""
_CLAUSE = re.compile(r"[;:]|, (?:and|while|with|but|where)\b")
_OF_OTHERS = re.compile(
    r"\b(?:metropolitan|metro|agglomeration|urban|greater|surrounding|built-up|conurbation|diaspora|speak\w*|students?|"
    r"average|mean|visitors?|capital|its|whose|their|after|than|other|each|every|drainage|catchment|basin|combined|can|"
    r"may|could|individual|males?|females?|up to|(?:highest|deepest|lowest|tallest)[\w -]{0,20} (?:point|peak)|"
    r"separated|zones?|waters|coastlines?|shores?|slopes?|referred|departments?|originat\w+|forests?|districts|stele|pedestal)\b"
    r"|(?:\d|\bbetween \S+) (?:to|and) $|(?<!\bis )\b(?:this|the|an?) $",
    re.IGNORECASE,
)
"""Before a figure, these words say that it measures something else, or is one end of a range."""
_WIDER = re.compile(r".{0,40}\b(?:urban|metropolitan|greater|agglomeration)\b", re.IGNORECASE)
_WITH_MORE = re.compile(r"[^,;:]{2,60}\band (?:the|its) (?:surrounding|neighbou?ring|adjacent)\b")
"""A sentence about more than the thing: "Daegu and the surrounding province"."""
_LONG_AGO = re.compile(r"In (?:\w+ )?1\d{3}\b")
"""Begins a sentence whose figures are not those of today."""
_BEGINS = re.compile(
    r"(?:It|With|At|Approximately|About|Standing|Covering|Spanning|Having|Home to|As of|In (?:\w+ )?\d{4}|According to|"
    r"The "
    r"(?:city|country|river|mountain|lake|island|islands|state|province|town|region|range|canal|building|tower|bridge|sea|"
    r"volcano|canyon|territory|nation|kingdom|republic|county|district|municipality|prefecture|population|continent)"
    r"|Its (?:population|area|height|elevation|length|(?:greatest |maximum )?depth|summit|peak)"
    r"|The (?:maximum|greatest)(?: known| recorded)? depth)\b"
)
"""How a sentence begins that is about the article's subject, unless it begins with the title."""
_OPENING = re.compile(r"(?:[A-Z][a-z]+(?:ing|ed)|Born|From|Known|Built) [^,;:]{2,60}, ")
"""What may stand before the subject: "Originating in Germany, the Danube flows …"."""


def measured(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the article of the thing whose measure ``query`` asks for, read as the figure; ``None`` without one.

    >>> peru = Passage("p", "Peru", "Peru is a country. Peru has a population of over 32 million.")
    >>> measured("how many people live in peru", [Hit(peru, 1.0, 1)], [Reading("", None, 0.5)])[1].answer
    'over 32 million'
    """
    asked = asked_fact(query)
    if asked is None or asked.fact is not Fact.MEASURE:
        return None
    for hit, reading in zip(hits, readings, strict=True):
        span = _figure(asked.what, hit.passage) if is_meant(asked.thing, asked.what, hit.passage) else None
        if span is not None:
            answer = hit.passage.text[span.start : span.end]
            return hit, Reading(answer, span, reading.confidence, probability=PROBABILITY)
    return None


def with_measured(query: str, hits: Sequence[Hit], retriever: Retriever) -> tuple[Hit, ...]:
    """Return the hits, the article of the thing whose measure is asked for first where none of them is about it.

    It takes the place of the last hit. "The Amazon" whose length is asked for is a river, and is searched as one.

    Raises:
        RetrievalError.
    """
    asked = asked_fact(query)
    if asked is None or asked.fact not in (Fact.MEASURE, Fact.RANK):
        return tuple(hits)
    thing, measure = asked.thing, asked.what
    if any(is_meant(thing, measure, hit.passage) for hit in hits):
        return tuple(hits)
    found = (hit for sort in _sorts(measure) for hit in retriever.search(f"{thing} {sort}".strip(), DEPTH))
    article = next((hit for hit in found if is_meant(thing, measure, hit.passage)), None)
    if article is None:
        return tuple(hits)
    return put_first(article, hits)


def is_meant(thing: str, measure: str, passage: Passage) -> bool:
    """Tell whether the article is about the thing, whose title may have the sort of such things behind the name."""
    names = [thing, *(f"{thing} {sort}".strip() for sort in _sorts(measure))]
    return any((matched(name, passage) or 0) >= Match.ALIAS for name in names)


def _sorts(measure: str) -> tuple[str, ...]:
    return _SORTS.get(_SIZES.get(measure, measure), ("",))


def _figure(measure: str, passage: Passage) -> Span | None:
    for form in map(re.compile, _FORMS[measure]):
        spans = list(_figures(form, passage))
        if spans:
            answers = [passage.text[span.start : span.end] for span in spans]
            return spans[0] if all(_same(answers[0], answer) for answer in answers) else None
    return None


def _figures(form: re.Pattern[str], passage: Passage) -> Iterator[Span]:
    description = description_span(passage)
    for sentence in (*filter(None, [description]), *sentences_of(passage)):
        said = passage.text[sentence.start : sentence.end]
        opening = _OPENING.match(said)
        main = said[opening.end() :] if opening else said
        first = " ".join(main.split()[:3])
        is_named = begins_with_title(passage, main) or begins_with_title(passage, said)
        is_of_thing = sentence == description or _BEGINS.match(said) or is_named
        if not is_of_thing or _WIDER.search(first) or _WITH_MORE.match(said) or _LONG_AGO.match(said):
            continue
        for found in form.finditer(said):
            start, end = found.span("answer")
            before = _CLAUSE.split(said[opening.end() if opening else 0 : start])[-1].removeprefix("Its ")
            if not _OF_OTHERS.search(before) and not _WIDER.match(_behind(said[end:])):
                yield Span(sentence.start + start, sentence.start + end)


def _behind(rest: str) -> str:
    """Return what follows a figure, up to the next one."""
    return re.split(r"\d|\band\b|[;.]", rest)[0]


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    values = [quantities(each) or text.numbers(each) for each in (one, other)]
    return bool(values[0]) and values[0] == values[1]
