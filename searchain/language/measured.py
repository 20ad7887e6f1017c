"""Ask the same about each of two things that a question compares by a measure.

A small model repeats "is the danube longer than the rhine" as its only step, and no passage answers that. How long each
of the two is stands in an article of its own.
"""

from __future__ import annotations

import re

from searchain.language import text
from searchain.language.ages import BORN, DIED, who_died
from searchain.language.competing import alternatives, beside_than
from searchain.language.places_in_order import ASKS_KIND, ASKS_PLACE

_INHABITANTS = "What is the population of {}?"
_ASKED = (
    (r"(?:more|fewer|less|greater|larger|bigger|smaller|higher|lower|most|largest|smallest)(?: \w+)? "
     r"(?:population|people|inhabitants|residents)|(?:more|less|most|least) populous", _INHABITANTS,
     "population"),
    (r"(?:greater|greatest|larger|bigger|smaller|largest|biggest|smallest|more|most|less|least) "
     r"(?:(?:total|land|surface) ){0,2}area",
     "What is the area of {}?", "size"),
    (r"longer|longest|shorter|shortest", "How long is {}?", "length"),
    (r"taller|tallest", "How tall is {}?", "height"),
    (r"higher|highest|lower|lowest", "How high is {}?", "height"),
    (r"deeper|deepest", "How deep is {}?", "depth"),
    (r"heavier|heaviest", "How heavy is {}?", "weight"),
    (r"larger|largest|bigger|biggest|smaller|smallest", "How large is {}?", "size"),
    (r"hotter|hottest|colder|coldest|warmer|warmest|cooler|coolest", "What is the temperature of {}?", "heat"),
)  # fmt: skip
"""A word of the comparison → the question about one of the things, and what ranks them; the first that matches."""
_PLAIN = frozenset(
    "which what who one of these the two is are was were do does has have had than or between it a more most less "
    "fewer least greater number populous population people inhabitants residents area land surface total".split()
)
"""The other words of a question that compares two things.

A further word, such as "coastline", names something else to compare.
"""
_TYPE = re.compile(r"^((?:which|what) )(?:\w+ ){1,2}?(?=(?:is|was|are|were|has|had)\b)", re.IGNORECASE)
"""Matches "which lake " in "which lake is deeper …": the kind of both things."""
_TIMED = (
    (r"born", "When was {} born?"),
    (r"founded|established|created|incorporated|formed|started", "When was {} founded?"),
    (r"built|constructed|completed|finished", "When was {} built?"),
    (r"di(?:e|ed)", "When did {} die?"),
    (r"released|published|written", "When was {} released?"),
    (r"c[oa]me|happen(?:ed)?|occur(?:red)?|beg[ia]n|start(?:ed)?|(?:take|took) place", "When did {} begin?"),
    (r"end(?:ed)?", "When did {} end?"),
)
_AGED = ("When was {} born?", "When was {} founded?", "When was {} built?")
"""What "older" may ask of a person, an institution and a building."""
_OLDER = re.compile(r"\b(?:older|younger|newer|oldest|youngest|newest)\b", re.IGNORECASE)
_LIVED_LONGER = re.compile(r"who (?:has )?lived (?:the )?(?:longer|longest)\b", re.IGNORECASE)
_NAMED_SORT = re.compile(
    r"(?<=\bthe )(\w+(?:er|est)|(?:more|less|most|least) \w+) [a-z]+(?=\s*(?:[,:]|of\b|$))", re.IGNORECASE
)
"""Matches "bigger ocean" in "which is the bigger ocean, …"."""
_ORDER = re.compile(
    r"\b(?:first|earlier|later|last|before|after|older|younger|newer|oldest|youngest|newest|sooner)\b", re.IGNORECASE
)
_TOWN = re.compile(r"\b(?:city|town|village|metropolis)\b", re.IGNORECASE)
"""Of which people count rather than the area makes it large."""
_LIFE = re.compile(r"\b(?:live[ds]?|living|reign\w*|rule[ds]?|serve[ds]?|last(?:s|ed)|career|age|run(?:s|time)?)\b")
"""Durations are written as two dates, which none of the questions asks for."""


def plans(question: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of steps that may decide which of two things ``question`` asks for, the surest first.

    Each pair asks the same about both: a figure or a date, then a place in an order; or a place, and the other's kind.

    >>> plans("is the danube longer than the rhine")[1]
    ('How does the danube rank by length?', 'How does the rhine rank by length?')
    >>> plans("Who was born first, Ada Lovelace or Charles Babbage?")
    (('When was Ada Lovelace born?', 'When was Charles Babbage born?'),)
    >>> plans("Who is older, Kant or Hegel?")[0][0], plans("Which is better, tea or coffee?")
    ('When was Kant born?', ())
    """
    if (who := who_died(question)) is not None:
        return ((BORN.format(who), DIED.format(who)),)
    things = compared(question)
    if things is None:
        return ()
    rest = question
    for thing in things:
        rest = rest.replace(thing, " ")
    one, other = (f"the {thing}" if f"the {thing}" in question else thing for thing in things)
    if _LIVED_LONGER.match(question):
        forms: tuple[str, ...] = ("When did {} live?",)
    elif _LIFE.search(question):
        return ()
    elif _ORDER.search(rest):
        forms = _timed(rest)
    else:
        asked, measure = _measured(rest)
        if not asked:
            return ()
        place = tuple(ASKS_PLACE.format(thing, measure) for thing in (one, other))
        kinds = tuple(ASKS_KIND.format(thing) for thing in (one, other))
        figures = asked.format(one), asked.format(other)
        found = figures, (place[0], place[1]), (place[0], kinds[1]), (kinds[0], place[1])
        if measure != "size" or not _TOWN.search(rest):
            return found
        return *found, (_INHABITANTS.format(one), _INHABITANTS.format(other))
    return tuple((form.format(one), form.format(other)) for form in forms)


def _timed(rest: str) -> tuple[str, ...]:
    """Return what to ask about the date of both things, given the question without them."""
    forms = tuple(form for words, form in _TIMED if re.search(rf"\b(?:{words})\b", rest, re.IGNORECASE))
    if forms or not _OLDER.search(rest):
        return forms
    if re.match(r"who\b", rest, re.IGNORECASE):
        return _AGED[:1]
    return _AGED[1:] if re.match(r"wh", rest, re.IGNORECASE) else _AGED


def _measured(rest: str) -> tuple[str, str]:
    """Return what to ask about the figure of both things and what ranks them, given the question without them."""
    rest = _NAMED_SORT.sub(r"\1", _TYPE.sub(r"\1", rest))
    asked = ((form, by) for words, form, by in _ASKED if re.search(rf"\b(?:{words})\b", rest, re.IGNORECASE))
    is_plain = all(word in _PLAIN or re.fullmatch(r"\w+(?:er|est)", word) for word in text.tokens(rest))
    return next(asked, ("", "")) if is_plain else ("", "")


def compared(question: str) -> tuple[str, str] | None:
    """Return the two things that a question compares, as they are written; ``None`` without such.

    >>> compared("Is Mount Everest higher than K2?"), compared("which is longer the nile or the amazon")
    (('Mount Everest', 'K2'), ('nile', 'amazon'))
    >>> compared("how old was mozart when he died")  # birth and death of one
    ('mozart', 'mozart')
    """
    if (who := who_died(question)) is not None:
        return who, who
    return beside_than(question) or alternatives(question)
