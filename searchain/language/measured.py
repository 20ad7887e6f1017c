"""Ask the same about each of two things that a question compares by a measure.

A small model repeats "is the danube longer than the rhine" as its only step, and no passage answers that. How long each
of the two is stands in an article of its own.
"""

from __future__ import annotations

import re

from searchain.language import text
from searchain.language.ages import BORN, DIED, who_died
from searchain.language.comparison import alternatives, beside_than

_ASKED = (
    (r"(?:more|fewer|less|greater|larger|bigger|smaller|higher|lower|most|largest|smallest)(?: \w+)? "
     r"(?:population|people|inhabitants|residents)|(?:more|less|most|least) populous", "What is the population of {}?"),
    (r"longer|longest|shorter|shortest", "How long is {}?"),
    (r"taller|tallest", "How tall is {}?"),
    (r"higher|highest", "How high is {}?"),
    (r"deeper|deepest", "How deep is {}?"),
    (r"heavier|heaviest", "How heavy is {}?"),
    (r"larger|largest|bigger|biggest|smaller|smallest", "How large is {}?"),
    (r"hotter|hottest|colder|coldest|warmer|warmest|cooler|coolest", "What is the temperature of {}?"),
)  # fmt: skip
"""A word of the comparison → the question about one of the things; the first that matches."""
_PLAIN = frozenset(
    "which what who one of these the two is are was were do does has have had than or between it a more most less "
    "fewer least greater number populous population people inhabitants residents".split()
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
)
_ORDER = re.compile(r"\b(?:first|earlier|later|last|before|after|older|younger|sooner)\b", re.IGNORECASE)
_LIFE = re.compile(r"\b(?:live[ds]?|living|reign\w*|rule[ds]?|serve[ds]?|last(?:s|ed)|career|age|run(?:s|time)?)\b")
"""Durations are written as two dates, which none of the questions asks for."""


def two_questions(question: str) -> tuple[str, str] | None:
    """Return what to ask about each of the two things that ``question`` compares; ``None`` if it names no such measure.

    >>> two_questions("is the danube longer than the rhine")
    ('How long is the danube?', 'How long is the rhine?')
    >>> two_questions("Who was born first, Ada Lovelace or Charles Babbage?")
    ('When was Ada Lovelace born?', 'When was Charles Babbage born?')
    >>> two_questions("Who is older, Kant or Hegel?")[0], two_questions("Which is better, tea or coffee?")
    ('When was Kant born?', None)
    """
    if (who := who_died(question)) is not None:
        return BORN.format(who), DIED.format(who)
    things = compared(question)
    if things is None or _LIFE.search(question):
        return None
    rest = question
    for thing in things:
        rest = rest.replace(thing, " ")
    is_timed = _ORDER.search(rest) is not None
    forms = _TIMED if is_timed else _ASKED
    asked = next((form for words, form in forms if re.search(rf"\b(?:{words})\b", rest, re.IGNORECASE)), None)
    if asked is None and re.match(r"who\b.*\b(?:older|younger)\b", question, re.IGNORECASE):
        asked = "When was {} born?"
    words = [word for word in text.tokens(_TYPE.sub(r"\1", rest)) if word not in _PLAIN]
    if asked is None or (not is_timed and any(not re.fullmatch(r"\w+(?:er|est)", word) for word in words)):
        return None
    one, other = (f"the {thing}" if f"the {thing}" in question else thing for thing in things)
    return asked.format(one), asked.format(other)


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
