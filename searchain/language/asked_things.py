"""Find the words of a question that name the thing asked for, and whether it asks for several things."""

from __future__ import annotations

import re

from searchain.language.answer_kinds import AnswerKind, kind_asked

_TYPES = {AnswerKind.PERSON: "person", AnswerKind.PLACE: "place", AnswerKind.DATE: "date", AnswerKind.NUMBER: "number"}
_VERBS = (
    "is|was|are|were|did|does|do|has|have|had|can|could|would|will|of|in|on|for|that|who|which|to|from|by|with|came|come|"
    "made|won|wrote|today|called|known|located|found|used|played|belongs?|border|borders|became|began|lies|and|contains?|"
    "founded|invented|discovered|created|built|joined|signed|fought|invaded|hosted|produced|speaks?"
)
_TYPE = re.compile(
    r"\b(?:what|which)(?:['’]?s| (?:is|was|are|were))? "
    r"(?:(?:the|an?|kinds?|types?|sorts?|names?|of|two|three|four|\d+) )*"
    rf"((?!(?:{_VERBS})\b)(?:[\w'’-]+ ){{0,3}}?[\w'’-]+)(?=\s+(?:{_VERBS})\b|\W*$)",
    re.IGNORECASE,
)
_DESCRIBED_TYPE = re.compile(
    r"^(?:name )?(?:the|an?|two|three|\d+) ((?:[\w'’-]+ ){0,2}?[\w'’-]+)"
    r"(?= (?:where|who|which|that|of|whose|in|connected)\b)",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"[^siu\W]s$|^(?:people|men|women|children)$", re.IGNORECASE)
_SEVERAL_ASKED = re.compile(
    r"^who (?:were|are)\b|^(?:what|which|name|the|who|list)?\W*(?:are |were )?(?:all |the )*"
    r"(?:two|three|four|five|six|seven|\d)\b",
    re.IGNORECASE,
)


def type_asked(question: str) -> str:
    """Return the words that name the thing asked for, ``""`` without such words.

    >>> [type_asked(question) for question in (
    ...     "what instrument did louis armstrong play", "Who wrote Emma?", "what is the capital of Italy today?")]
    ['instrument', 'person', 'capital']
    """
    match = _TYPE.search(question) or _DESCRIBED_TYPE.search(question)
    kind = kind_asked(question)
    if match and kind is not AnswerKind.NUMBER:
        return str(match[1]).casefold()
    return _TYPES.get(kind, "")


def asks_several(question: str) -> bool:
    """Tell whether a question asks for several things.

    >>> [asks_several(question) for question in (
    ...     "what countries border switzerland", "which country borders it", "what currency does cyprus use")]
    [True, False, False]
    """
    is_choice = "which of" in question.casefold()
    return not is_choice and bool(_SEVERAL.search(type_asked(question)) or _SEVERAL_ASKED.search(question))
