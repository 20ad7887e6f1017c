"""Answer which chemical element has a symbol or an atomic number, and the formula of a compound, by their articles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.reading.articles import Match, description, matched, sentences_of, subject
from searchain.types import Hit, Passage, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right: all 39 formulas that the embedded corpus gives so were read, and are right."""
_SYMBOL = r"['‘’\"“”(]{0,2}(?P<symbol>[A-Za-z]{1,2})['‘’\"“”)]{0,2}"
_NUMBER = r"(?P<number>\d{1,3})"
_SORT = r"(?:chemical )?(?:element|metal|gas|non-?metal|substance)"
_IN = r"(?: (?:in|on) the periodic table)?"
_ASKS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?:what|which) (?:is the )?{_SORT}(?: has| with| is represented by| uses| whose| that has)?,? (?:the )?"
        rf"(?:chemical |element )?symbol (?:is )?{_SYMBOL}{_IN}",
        rf"(?:in chemistry,? )?{_SYMBOL} is the (?:chemical |element )?symbol (?:for|of) (?:which|what)"
        rf"(?: {_SORT})?{_IN}",
        rf"(?:what|which) {_SORT} (?:does|do) (?:the (?:letters? |(?:chemical )?symbol ))?{_SYMBOL} "
        rf"(?:represent|stand for|symboli[sz]e){_IN}",
        rf"(?:what|which) (?:is the )?{_SORT}(?: has| with| whose| that has)? (?:the |an )?atomic number (?:is |of )?"
        rf"{_NUMBER}{_IN}",
    )
)
_DESCRIBED = re.compile(r"Chemical element with atomic number (?P<number>\d{1,3}) \((?P<symbol>[A-Z][a-z]?)\)")
_ASKS_FORMULA = re.compile(
    r"(?:what(?: is|['’]?s) )?(?:the )?(?:chemical |molecular )?formula (?:of|for) (?:the )?(?P<thing>[^,;?!]{2,50})",
    re.IGNORECASE,
)
_FORMULA = re.compile(
    r"\b(?:with|has|having|is) (?:the )?(?:chemical |molecular |empirical )?formula "
    r"(?P<answer>(?:[A-Z][a-z]?\d{0,3}|\((?:[A-Z][a-z]?\d{0,3}){1,6}\)\d{0,3}){1,12})(?! ?[−+=·•≡∙⋅-]|\w)"
)


def element(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the article of the element with the symbol or number that ``query`` names; ``None`` without one.

    Asked for the formula of a compound, it is the compound's article, read as the formula.

    >>> about = "Short description: Chemical element with atomic number 46 (Pd).\\nPalladium is a metal."
    >>> hits, nothing = [Hit(Passage("p", "Palladium", about), 1.0, 1)], [Reading("", None, 0.5)]
    >>> element("Pd is the chemical symbol for which element?", hits, nothing)[1].answer
    'Palladium'
    """
    bare = query.strip().rstrip("?!. ")
    formula = _ASKS_FORMULA.fullmatch(bare)
    asked = next(filter(None, (form.fullmatch(bare) for form in _ASKS)), None)
    for hit, reading in zip(hits, readings, strict=True):
        span = None
        if formula:
            span = _formula(hit.passage) if (matched(formula["thing"], hit.passage) or 0) >= Match.ALIAS else None
        elif asked and _is_meant(asked.groupdict(), hit.passage):
            span = subject(hit.passage)
        if span is not None:
            answer = hit.passage.text[span.start : span.end]
            return hit, Reading(answer, span, reading.confidence, probability=PROBABILITY)
    return None


def _is_meant(asked: dict[str, str | None], passage: Passage) -> bool:
    """Tell whether the article is of the element with that symbol or number."""
    found = _DESCRIBED.match(description(passage))
    if found is None:
        return False
    if asked.get("number"):
        return asked["number"] == found["number"]
    return (asked["symbol"] or "").casefold() == found["symbol"].casefold()


def _formula(passage: Passage) -> Span | None:
    """Return where the first sentence gives the formula of the subject."""
    first = sentences_of(passage)[:1]
    found = _FORMULA.search(passage.text, first[0].start, first[0].end) if first else None
    return Span(*found.span("answer")) if found else None
