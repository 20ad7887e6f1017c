"""Ask every rule whether the words of an article answer a query."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language.territories import is_other_place
from searchain.reading.articles import description, description_span, sentences_of
from searchain.reading.stated.capitals import capital
from searchain.reading.stated.counted import counted
from searchain.reading.stated.definitions import defined
from searchain.reading.stated.described import described
from searchain.reading.stated.elements import element
from searchain.reading.stated.expansions import expanded
from searchain.reading.stated.firsts import first
from searchain.reading.stated.languages import language
from searchain.reading.stated.made import made
from searchain.reading.stated.makers import maker
from searchain.reading.stated.measures import measured
from searchain.reading.stated.ranked import ranked
from searchain.types import Hit, Passage, Reading, Span

_RULES = (
    expanded,
    defined,
    ranked,
    first,
    described,
    capital,
    language,
    element,
    made,
    maker,
    measured,
    counted,
)
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
_WORKS = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        "films?|movies?",
        "song",
        "album",
        "opera",
        "musical(?! instrument)",
        "video ?game",
        "tv (?:show|series)",
    )
)
"""Words for a kind of work, which an article about another kind of that name does not begin with."""
_NAME_OF = re.compile(r"^(what|which)(?:['’]?s| is| was| are| were) the names? of (?=the )", re.IGNORECASE)


def stated(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the hit whose own words answer ``query`` by their form, read so; ``None`` where no rule knows one.

    ``readings`` are those of the Reader, one for each hit.
    """
    asked = _NAME_OF.sub(r"\1 is ", query)  # the name of the largest ocean is that ocean
    found = filter(None, (rule(asked, hits, readings) for rule in _RULES))
    return next((one for one in found if not is_of_another(query, *one)), None)


def is_of_another(query: str, hit: Hit, reading: Reading) -> bool:
    """Tell whether ``query`` asks about another year, another kind of work or another sort of place than was read.

    >>> japan = Hit(Passage("j", "Japan", "Japan has a population of 123 million as of 2026."), 1.0, 1)
    >>> reading = Reading("123 million", Span(28, 39), 0.5)
    >>> [is_of_another(f"population of japan in {year}", japan, reading) for year in (1945, 2026)]
    [True, False]
    """
    years = _YEAR.findall(query)
    if years and reading.span is not None and not any(year in _around(hit.passage, reading.span) for year in years):
        return True
    if any(sort.search(query) and not sort.search(_lead(hit.passage)) for sort in _WORKS):
        return True
    return is_other_place(query, reading.answer)


def _around(passage: Passage, span: Span) -> str:
    """Return the title, and the sentence or the description that holds ``span``."""
    parts = (*filter(None, [description_span(passage)]), *sentences_of(passage))
    held = (passage.text[one.start : one.end] for one in parts if one.start <= span.start < one.end)
    return f"{passage.title} {next(held, passage.text[span.start : span.end])}"


def _lead(passage: Passage) -> str:
    first = [passage.text[one.start : one.end] for one in sentences_of(passage)[:1]]
    return " ".join((passage.title, description(passage), *first))
