"""Tell the date of another event from the one asked for: of the day something was announced for that of its release."""

from __future__ import annotations

import re

from searchain.language import text
from searchain.types import Passage, Span

_EVENTS = (
    (
        "released|release|come out|came out|launch(?:ed)?|on sale|premiered?|available|published",
        "announc\\w+|unveil\\w+|reveal\\w+",
    ),
    (
        "built|construct\\w*|erected|complet\\w*|finished|begun",
        "fell|fall|falling|destroy\\w*|demolish\\w*|dismantl\\w*|collapsed?",
    ),
    (
        "written|wrote|write|drafted|signed",
        "supersed\\w+|took effect|come into force|came into force|ratif\\w+|amended",
    ),
    ("founded|found|established|formed|created|set up", "dissolv\\w*|abolish\\w*|disband\\w*|closed|acquired|renamed"),
    ("start(?:ed)?|begin|began|break out|broke out|outbreak", "end(?:ed|ing)?|surrender\\w*|armistice|until"),
    ("end(?:ed)?|finish(?:ed)?|until|surrender\\w*|armistice|over", "began|begin\\w*|start(?:ed)?|outbreak|broke out"),
    ("die|died|death|killed|assassinat\\w+|executed", "born|birth|married|crowned"),
    ("born|birth", "died|death|killed|married|crowned"),
    ("marry|married|wed|wedding|marriage", "divorc\\w+|died|born|separated"),
)
"""The words for an event that may be asked for, and those for events that it is mistaken for."""
_ASKS_WHEN = re.compile(
    r"\b(?:when|(?:what|which) (?:year|date|day|month|decade|century)|(?:start|end|release) date)\b", re.IGNORECASE
)
_COMPILED = tuple(tuple(re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for words in pair) for pair in _EVENTS)
_BEFORE, _BEHIND = 90, 40
"""Characters around a date in which the word for its event stands."""
_NEXT = re.compile(r"[,;]| and ")
_STOP = re.compile(r"[.;!?\n]")


def is_of_other_event(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``query`` asks for the date of one event, and the words around ``span`` speak of another alone.

    >>> text = "The Pear was announced on May 3, 2007."
    >>> is_of_other_event("when was the first pear released", Passage("p", "Pear", text), Span(26, 37))
    True
    >>> is_of_other_event("when was the pear announced", Passage("p", "Pear", text), Span(26, 37))
    False
    """
    if not _ASKS_WHEN.search(query):
        return False
    start, end = span.start, span.end
    before = _STOP.split(passage.text[max(0, start - _BEFORE) : start])[-1]
    behind = _STOP.split(passage.text[end : end + _BEHIND])[0]
    asked = [(own, other) for own, other in _COMPILED if own.search(query)]
    if any(other.search(before) for _, other in asked):
        behind = _NEXT.split(behind)[0]  # "announced on January 9, at a fair, and launched in June"
    near = f"{before} {passage.text[start:end]} {behind}"
    return (
        bool(asked) and not any(own.search(near) for own, _ in asked) and any(other.search(near) for _, other in asked)
    )


_BEGAN = re.compile(
    r"\b(?:began|begun|begins?|started|starts?|starting|beginning) (?:in|around|about) (?P<year>\d{3,4})\b",
    re.IGNORECASE,
)
_ENDED = re.compile(r"\b(?:ended|ends?|finished|ending) (?:in|around|about) (?P<year>\d{3,4})\b", re.IGNORECASE)


def is_other_end(query: str, sentence: str) -> bool:
    """Tell whether ``sentence`` gives the year in which ``query`` says that something began as its end, or conversely.

    >>> lead = "The Edo period is the period between 1600 or 1603 and 1868."
    >>> is_other_end("what is the name of the period that began in 1868", lead)
    True
    >>> is_other_end("what is the name of the period that ended in 1868", lead)
    False
    """
    if began := _BEGAN.search(query):
        ends = rf"\d{{3,4}}(?:/\d{{1,4}})? ?(?:–|-|to|and|until|till) ?(?:\d{{1,2}} [A-Z]\w+ )?{began['year']}\b"
        return re.search(ends, sentence) is not None
    if ended := _ENDED.search(query):
        starts = rf"\b{ended['year']}(?:/\d{{1,4}})? ?(?:–|-|to|and|until|till) ?(?:\d{{1,2}} [A-Z]\w+ )?\d{{3,4}}\b"
        return re.search(starts, sentence) is not None
    return False


_LIFE = re.compile(
    r"\((?:[^()]{0,60}; )?(?:born |c\. ?|baptised )?(?:\d{1,2} [A-Z][a-z]+ |[A-Z][a-z]+ \d{1,2}, )?(?:c\. ?)?"
    r"\d{3,4}(?: BC)? ?[–-] ?(?:c\. ?)?(?:\d{1,2} [A-Z][a-z]+ |[A-Z][a-z]+ \d{1,2}, )?(?:c\. ?)?\d{3,4}(?: BC| AD)?\)"
)
"""The years of a life behind a name."""
_OF_LIFE = re.compile(
    r"\b(?:born|birth\w*|pass(?:ed)? away|di(?:e|es|ed)|dead|death|kill\w*|execut\w+|assassinat\w+|murder\w*|shot|"
    r"liv\w+|alive|life\w*|age|old|young\w*|century|era|period|time|around|exist\w*|reign\w*|rul\w+|king|queen|"
    r"emperor|pope|president|minister|dates?|begin|began|start\w*|end\w*|last\w*|found\w*|serv\w*|office|govern\w*|"
    r"power|buried|hang\w*|behead\w*|drown\w*)\b",
    re.IGNORECASE,
)


def is_of_life(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``query`` asks when something happened, and ``span`` is when somebody was born or died.

    >>> bell = Passage("b", "Bell", "Short description: Inventor of the telephone (1847–1922).")
    >>> [is_of_life(f"when did bell {what}", bell, Span(51, 55)) for what in ("invent the telephone", "die")]
    [True, False]
    """
    if not _ASKS_WHEN.search(query) or _OF_LIFE.search(query) or re.search("[–-]", passage.text[span.start : span.end]):
        return False
    return any(found.start() < span.start and span.end < found.end() for found in _LIFE.finditer(passage.text))


def is_of_titled_period(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``span`` is the period in brackets behind the title of a passage about something else.

    >>> war = Passage("w", "Edo period", "The Edo period (1603–1868) was peaceful.")
    >>> is_of_titled_period("when was the constitution written", war, Span(16, 25))
    True
    >>> is_of_titled_period("when was the edo period", war, Span(16, 25))
    False
    """
    if not passage.text[: span.start].casefold().endswith(f"{passage.title} (".casefold()):
        return False
    is_whole = passage.text[span.end : span.end + 1] == ")"
    return is_whole and not text.content_words(passage.title) <= text.content_words(query)
