"""Turn a yes/no question that proposes an answer into the open question behind it.

"Is Istanbul the capital of Turkey?" proposes Istanbul as the answer to "What is the capital of Turkey?". A Reader
answers the open question more surely than a stance model judges the proposal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from searchain.language import text
from searchain.language.answer_kinds import AnswerKind, kind_asked
from searchain.language.qualifiers import ranks

_DONE = dict(
    pair.split()
    for pair in (
        "invent invented|discover discovered|write wrote|paint painted|compose composed|found founded|build built|"
        "design designed|direct directed|create created|kill killed|assassinate assassinated|develop developed|"
        "formulate formulated|propose proposed|sculpt sculpted|introduce introduced|establish established|"
        "publish published|conquer conquered|unify unified|succeed succeeded|marry married"
    ).split("|")
)
"""Verbs whose subject is the one answer to "who", with their past."""
_HAPPEN = (
    "sink|end|begin|start|happen|occur|open|close|fall|die|become independent|gain independence|take place|erupt|launch"
)
_THE = re.compile(
    r"(?P<be>is|was|are|were) (?P<value>(?:the )?[^,]{1,80}?) the (?P<rest>(?!same\b|only one\b)[^,]+)", re.IGNORECASE
)
_DID = re.compile(rf"did (?P<value>[^,]{{1,80}}?) (?P<verb>{'|'.join(_DONE)}) (?P<rest>[^,]+)", re.IGNORECASE)
_BY = re.compile(r"(?P<be>was|were|is|are) (?P<rest>[^,]{1,120}?) by (?P<value>[^,]+)", re.IGNORECASE)
_SOMEBODY = re.compile(
    r"(?:an?|some|somebody|someone|one of|two|three|several) |(?:accident|hand|chance|mistake|law|\d)", re.IGNORECASE
)
"""How words begin that name nobody: "a German photographer" may be the very person who is found."""
_PARTICIPLES = frozenset({*_DONE.values(), "written"})
_IN_YEAR = re.compile(r"(?:in|on) (?:the year )?(?P<value>(?:[a-z]+ )?(?:\d{1,2},? )?1?\d{3})", re.IGNORECASE)
_DID_IN = re.compile(rf"did (?P<rest>[^,]{{1,120}}? (?:{_HAPPEN})) {_IN_YEAR.pattern}", re.IGNORECASE)
_BE_IN = re.compile(
    rf"(?P<be>was|were) (?P<rest>[^,]{{1,120}}? [a-z]{{1,20}}(?:ed|n|t|ght)) {_IN_YEAR.pattern}", re.IGNORECASE
)
_UNIQUE = re.compile(r"\b(?:of|in|on|at|to|for|behind)\b|'s\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Proposal:
    """An open question, and an answer to it that is to be confirmed."""

    question: str
    value: str


_HEDGED = re.compile(
    r"\b(?:one|some|two|among|hardly|nearly|almost|probably|perhaps|wrongly|falsely|mistakenly|considered|called|only|"
    r"partly|once|formerly|widely|often|sometimes|arguably|merely|still|now)\b",
    re.IGNORECASE,
)
"""Words in a proposed answer that make it say less than that it is the one."""


def proposal(question: str) -> Proposal | None:
    """Return the open question behind a yes/no question, with the answer it proposes; ``None`` without one.

    >>> proposal("is istanbul the capital of turkey?")
    Proposal(question='what is the capital of turkey', value='istanbul')
    >>> proposal("Did Edison invent the telephone?"), proposal("did the titanic sink in 1915").question
    (Proposal(question='who invented the telephone', value='Edison'), 'when did the titanic sink')
    >>> proposal("are bats mammals") is None
    True
    """
    question = re.sub(r"\s+", " ", question.strip().rstrip("?!. "))
    if text.is_comparison(question) or text.has_negation(question):
        return None
    if found := _DID_IN.fullmatch(question):
        return Proposal(f"when did {found['rest']}", found["value"])
    if found := _BE_IN.fullmatch(question):
        return Proposal(f"when {found['be'].lower()} {found['rest']}", found["value"])
    if (found := _DID.fullmatch(question)) and not _SOMEBODY.match(found["value"]):
        return Proposal(f"who {_DONE[found['verb'].lower()]} {found['rest']}", found["value"])
    is_made = (found := _BY.fullmatch(question)) and not _PARTICIPLES.isdisjoint(found["rest"].lower().split()[-1:])
    if found and is_made and not _SOMEBODY.match(found["value"]):
        return Proposal(f"who {_past(found['rest'])}", found["value"])
    found = _THE.fullmatch(question)
    if found and _HEDGED.search(found["value"]):
        return None
    if found and (_UNIQUE.search(found["rest"]) or _is_first(found["rest"])):
        asked = f"{found['be'].lower()} the {found['rest']}"
        is_person = kind_asked(f"which {found['rest']}") is AnswerKind.PERSON
        return Proposal(f"{'who' if is_person else 'what'} {asked}", found["value"])
    return None


def _is_first(phrase: str) -> bool:
    """Tell whether a phrase begins with a superlative: there is one "hottest planet"."""
    return any(rank.start == 0 and rank.number == 1 and rank.superlative for rank in ranks(phrase))


def _past(phrase: str) -> str:
    """Return "wrote hamlet" for "hamlet written"."""
    *rest, verb = phrase.split()
    return " ".join(("wrote" if verb.lower() == "written" else verb, *rest))
