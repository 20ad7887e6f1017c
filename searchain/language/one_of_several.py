"""Find an answer that is a part of what is asked for: one of two dates, of several makers, metals or countries."""

from __future__ import annotations

import re

from searchain.language.descriptions import LABEL
from searchain.language.fact_questions import Asked, Fact, asked_fact
from searchain.types import Passage, Span

LIVED = re.compile(rf"{LABEL}[^\n]*\((?:born |c\. )?\d{{3,4}}")
"""How the article of a person begins: its short description gives the years of the life."""
_OF_ONE = ("direct", "sing", "compose")
"""Deeds of one, whose text goes on with others: "directed by John Ford, Ward Bond …"."""
_BY = re.compile(r"\bby (?:(?:the )?(?:[\w’'-]+ ){0,6})?$")
_SEVERAL = re.compile(r",| and | & ")
_ANOTHER = re.compile(
    r"(?: \([^()]*\))?(?:,? (?:and|&) (?:(?![a-z-]+(?:ed|ing|en|ilt|ade|ung|ew)\b)[a-z-]+,? ){0,4}[A-Z][\w.]"
    r"|, [A-Z][\w.'’-]+ [A-Z][\w'’-]+(?: \(|,| and))"
)
"""Behind one maker, the next: "and artist Bob Kane"."""
_TOGETHER = re.compile(r",? (?:along|together) with\b|,? alongside\b")
_CO = {
    "found": "found(?:ed|er|ing)",
    "invent": "invent(?:ed|or|ing)",
    "discover": "discover(?:ed|er|ing)",
    "make": "(?:creat|develop)(?:ed|or|er|ing)",
    "write": "(?:wrote|writ(?:ten|er|ing))",
}
"""How the deed goes on behind "co-", where one did it with others."""
_ONE_BEFORE = re.compile(r"\b[A-Z][\w.'’-]+,? (?:and|&) (?:[a-z-]+ ){0,2}$")
_TWO = re.compile(
    r"^(?:when|what (?:year|date)s?)\b.{1,80}\b(?:start|begin|began|started)\w* and (?:end|finish|stop)\w*"
    r"|\bborn and (?:die|died|dead)\b"
    r"|^(?:when|where|who|what|how|which|why)\b.{1,120}?\band (?:when|where|who|what|how|which|why)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?:\b(?:which|what|who (?:are|were) the) |^(?!.*\b(?:which|what|third|other)\b)(?:(?:name|list) (?:the )?)?)"
    r"(?:two|three|four|five|six) (?!(?:letter|word|digit|year|syllable|act)s?\b)",
    re.IGNORECASE,
)
_LIST = re.compile(r", | and | & | or |/|;| plus |(?:^the .*|\b[a-z]\w*)s$")
"""What may name several: a list, or a plural."""
_PARTS = re.compile(r"[–—]|\d ?- ?\d|\b(?:and|to|until|in|by|for|from)\b|[,;]")
_MADE_OF = re.compile(r"\b(?:made (?:up )?(?:of|from|out of)|consists? of|composed of)\W*$", re.IGNORECASE)
_AND_MORE = re.compile(r" (?:and/or|and|or) (?:[a-z]+ )?[a-z]|, [a-z]+(?: [a-z]+)?,? and ")
_MAIN_PART = re.compile(r"\b(?:primarily|mainly|mostly|largely|chiefly) (?:of|from) (?:the )?$")
_PLAYED_IN = re.compile(
    r"who (?:all )?(?:played|plays|starred|stars|acted|acts|sang|sings|performed) (?:in|at)\b", re.IGNORECASE
)
_NEXT_NAME = re.compile(r"(?: as [\w. ]{1,40})?(?:, [A-Z][\w.'’-]+ [A-Z]|,? and [A-Z])")
_WHICH_PLACES = re.compile(
    r"\b(?:which|what) (?:[a-z]+an )?(?:countries|cities|continents|oceans|states (?!that))", re.IGNORECASE
)


def is_half(query: str, answer: str) -> bool:
    """Tell whether ``query`` asks for two things or more, and ``answer`` can only be one.

    >>> query = "when did the war start and end"
    >>> [is_half(query, answer) for answer in ("1918", "1914–1918")], is_half("when did the war end", "1918")
    ([True, False], False)
    >>> [is_half("which two authors wrote it", answer) for answer in ("Engels", "Marx and Engels", "the Coen brothers")]
    [True, False, False]
    """
    if _COUNTED.search(query) or _WHICH_PLACES.search(query):
        return _LIST.search(answer) is None
    return bool(_TWO.search(query.strip()) and not _PARTS.search(answer))


def is_one_of_makers(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``query`` asks who made something, and ``span`` is one of several who did.

    The passage names another before or behind it, or says that it was done together with others. One person may
    have several names there, so that in the article of a person only these words count.

    >>> duo = Passage("b", "Batman", "Batman was created by writer Bill Finger and artist Bob Kane.")
    >>> [is_one_of_makers("who created batman", duo, span) for span in (Span(29, 40), Span(29, 60))]
    [True, False]
    """
    asked = asked_fact(query)
    if asked is None or asked.fact is not Fact.MAKER or asked.what in _OF_ONE:
        return False
    before, behind = passage.text[: span.start], passage.text[span.end :]
    if LIVED.match(passage.text):
        return _ONE_BEFORE.search(before) is not None or made_together(asked, passage)
    if _SEVERAL.search(passage.text[span.start : span.end]):
        return False
    if _BY.search(before) and _ANOTHER.match(behind) or _TOGETHER.match(behind) or _ONE_BEFORE.search(before):
        return True
    return made_together(asked, passage)


def made_together(asked: Asked, passage: Passage) -> bool:
    """Tell whether ``passage`` says that somebody made the thing asked about together with others.

    >>> bill = Passage("b", "Bill Gates", "He co-founded the software company Microsoft in 1975.")
    >>> [made_together(Asked(Fact.MAKER, thing, "found"), bill) for thing in ("microsoft", "breakthrough energy")]
    [True, False]
    """
    deed = _CO.get(asked.what)
    if deed is None:
        return False
    thing = rf"\b{re.escape(asked.thing)}\b"
    if asked.thing in passage.title.casefold():
        forms = rf"\bco-?{deed}\b"
    else:
        forms = rf"\bco-?{deed}\b[^.;]{{0,80}}{thing}|{thing}[^.;,]{{0,30}}\bco-?{deed}\b"
    return re.search(forms, passage.text, re.IGNORECASE) is not None


def has_more_behind(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``query`` asks for all that something is made of or who played, and more stands behind ``span``.

    >>> steel = Passage("s", "Steel", "Steel is an alloy of iron and carbon.")
    >>> [has_more_behind("what is steel made of", steel, span) for span in (Span(21, 25), Span(21, 36))]
    [True, False]
    """
    behind = passage.text[span.end :]
    if _MADE_OF.search(query):
        is_main = _MAIN_PART.search(passage.text[: span.start]) is not None
        return is_main or _AND_MORE.match(behind) is not None
    return _PLAYED_IN.match(query) is not None and _NEXT_NAME.match(behind) is not None
