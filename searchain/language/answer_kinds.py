"""Tell from the words of a query what it asks for: the kind of answer, the noun for it, and whether it wants several.

``fits`` tells whether a span can be such an answer. It helps to choose between spans that the Reader rates about
equally, and is a feature of the probability. It rejects only spans that can hardly be the answer. Queries may be typed
in lower case and without a question mark.
"""

import re
from enum import StrEnum

from searchain.language import text


class AnswerKind(StrEnum):
    """The kind of answer that a query asks for."""

    DATE = "date"
    NUMBER = "number"
    PERSON = "person"
    """A person or an organisation: "who" made a product may be a company."""
    PLACE = "place"
    NAMED_PLACE = "named_place"
    """A place with a proper name, such as a country, a city or a river."""
    OTHER = "other"


_PLACES = (
    "countr(?:y|ies)|nations?|cit(?:y|ies)|capitals?|towns?|villages?|states?|provinces?|count(?:y|ies)|regions?|islands?|"
    "rivers?|lakes?|continents?|oceans?|seas?|mountains?|deserts?|peninsulas?"
)
_PEOPLE = (
    "person|man|woman|king|queen|emperor|president|prime minister|pope|author|writer|poet|artist|painter|composer|"
    "singer|actor|actress|director|scientist|philosopher|inventor|explorer|general|leader|ruler|politician|god|goddess"
)
_MEASURES = "population|height|length|depth|area|distance|age|speed|diameter|mass|weight|temperature"
_WHICH = r"\b(?:what|which|name (?:the|an?))(?: (?:is|was|are) (?:the|\w+['’]s))?(?: [\w'’-]+)?? (?:{})\b(?!-)"
_ASKED = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (AnswerKind.NUMBER, r"\bhow (?:many|much|tall|high|deep|far|old|large|big|wide|heavy|long|fast|hot|cold)\b"),
        (AnswerKind.NUMBER, rf"\bwhat(?:['’]s| is| was) the (?:\w+ )?(?:number|{_MEASURES}) of\b"),
        (AnswerKind.DATE, r"\bwhen (?:was|were|did|is|does|do|will|has|had)\b|^(?:since |until |from )?when\b"),
        (AnswerKind.DATE, r"\b(?:what|which) (?:\w+ )?(?:year|date|day|month|decade|century)\b(?!-)"),
        (AnswerKind.NAMED_PLACE, _WHICH.format(_PLACES)),
        (AnswerKind.PERSON, _WHICH.format(_PEOPLE)),
        (AnswerKind.PLACE, r"^(?:from )?where\b|\bwhere (?:is|are|was|were|did|do|does|can)\b"),
        (AnswerKind.PERSON, r"\b(?:who|whom|whose)\b"),
    )
)
_CLAUSE = frozenset("who whom whose when where".split())
"""Question words that may also open a relative clause."""
_WH = re.compile(r"\b(?:who|whom|whose|which|what|when|where|how)\b|^(?:name|identify|the)\b", re.IGNORECASE)
_CLAUSE_MAY_BEGIN = re.compile(r"(?:[,.:;]|\b(?:by|for|from|of|to|with|and))\s*$")
_TIME = re.compile(
    r"\d|(?i:centur|decade|year|month|week|\bday|night|morning|spring|summer|autumn|winter|\bage\b|\bera\b|period|"
    r"dynasty|\bwar\b|before|after|during|since|until|january|february|march|april|\bmay\b|june|july|august|september|"
    r"october|november|december|antiquity|easter|christmas)"
)
_COUNT = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|several|no|none|zero)\b",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"[\d\s.,/–-]+|(?:the )?\w*(?:\dst|\dnd|\drd|\dth|first|second|third)", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:1\d{3}|20\d\d)\b")


def kind_asked(query: str) -> AnswerKind:
    """Tell what kind of answer a query wants, by its words; ``OTHER`` if they do not show it.

    >>> kind_asked("when did the war end").value, kind_asked("Name the artist who painted it").value
    ('date', 'person')
    >>> kind_asked("Kyoto lies on Honshu.").value, kind_asked("What is a monsoon?").value
    ('other', 'other')
    """
    if _is_open(query):
        return AnswerKind.OTHER
    found = [
        (match.start(), number, kind)
        for number, (kind, pattern) in enumerate(_ASKED)
        if (match := pattern.search(query)) and not _is_relative(query, match)
    ]
    return min(found)[2] if found else AnswerKind.OTHER


def _is_open(query: str) -> bool:
    """Tell whether a query is a claim or a yes/no question, for which any kind of answer fits."""
    return text.is_yes_no_question(query) or (text.is_statement(query) and not _WH.search(query))


def _is_relative(query: str, match: re.Match[str]) -> bool:
    """Tell whether "who", "when" or "where" opens a relative clause, as in "the man who wrote it"."""
    if match.start() == 0 or match[0].split()[0].lower() not in _CLAUSE:
        return False
    before = query[: match.start()]
    return bool(_WH.search(before)) or not _CLAUSE_MAY_BEGIN.search(before)


def fits(query: str, answer: str) -> bool:
    """Tell whether ``answer`` can answer ``query``: it is of the kind asked for and adds to the query's words.

    >>> fits("When was Isaac Newton born?", "English"), fits("when was isaac newton born", "1643")
    (False, True)
    >>> fits("Which river flows through Cairo?", "River"), fits("Which is larger, Peru or Chile?", "Peru")
    (False, True)
    """
    if _is_open(query):
        return True
    words = text.content_words(answer)
    if words and words <= text.content_words(query) and " or " not in query:
        return False
    answer = answer.strip()
    match kind_asked(query):
        case AnswerKind.DATE:
            return bool(_TIME.search(answer))
        case AnswerKind.NUMBER:
            return bool(_COUNT.search(answer))
        case AnswerKind.NAMED_PLACE:
            return any(letter.isupper() for letter in answer) and not _YEAR.search(answer)
        case AnswerKind.PLACE | AnswerKind.PERSON:
            return not _BARE_NUMBER.fullmatch(answer)
        case _:
            return True


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
