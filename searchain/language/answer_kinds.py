"""What kind of answer a query wants, as far as its words tell, and whether a span can be one.

A small Reader sometimes points at a name where a date is asked for. ``fits`` is a hint for choosing between spans that
the Reader likes about equally, not a judge: it rejects only what can hardly be the answer, and lets everything pass
where the query does not tell.
"""

from __future__ import annotations

import re

from searchain.language import text

_DATE = re.compile(
    r"^(?:(?:since |until )?when\b|(?:(?:in|on|since|until|during) )?(?:what|which) (?:year|date|day|month|decade|"
    r"century)\b(?!-)|what (?:is|was) (?:the date of\b|the birthday\b|.*'s birthday\b))",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"^(?:(?:in|of|with|for|at|by|about|until|since) )?how (?:many|much|tall|high|deep|far|old|large|big|wide|heavy)\b"
    r"|^what (?:is|was) the (?:number|(?:\w+ )?(?:population|height|length|depth|area|capacity|elevation|distance"
    r"|age)) of\b",
    re.IGNORECASE,
)
_NAMED_PLACE = re.compile(
    r"^(?:(?:in|on|at|from|to|of) )?(?:what|which) (?:[a-z]+ )?(?:country|city|town|state|county|island|river|"
    r"continent|ocean|sea)\b(?!-)",
    re.IGNORECASE,
)  # those have names
_PLACE = re.compile(
    r"^(?:where\b|(?:in|on|at|from|to) (?:what|which) (?:country|city|town|state|county|island|river|continent)\b)",
    re.IGNORECASE,
)
_PERSON = re.compile(r"^(?:by |for |from |of |to |with )?(?:who|whom|whose)\b", re.IGNORECASE)
_COUNT = re.compile(
    r"\d(?!\d*(?:st|nd|rd|th)\b)|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|several|few|many|most|all|both|pair|"
    r"couple|single|double|twice|once|no|none|zero|an?)\b",
    re.IGNORECASE,
)
_BARE_NAME = re.compile(r"(?:[A-Z][\w'’.-]*\s*)+")
_LAST_SENTENCE = re.compile(r"^.*[.!;] (?=[A-Z][^.!;]*\?$)", re.DOTALL)
_TIME = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Spring|Summer|Autumn|Fall|"
    r"Winter|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Easter|Christmas|Age|Ages|Era|Period|Dynasty|War|"
    r"Century|Renaissance|Ramadan|Midnight|Day|Night|Antiquity|Enlightenment|\w+(?:ian|ic|ous|ocene|zoic))\b",
)


def fits(query: str, answer: str) -> bool:
    """Whether ``answer`` can answer ``query``: of the kind that is asked for, and not the thing that is asked about.

    >>> fits("When was Isaac Newton born?", "English"), fits("When was Isaac Newton born?", "1643")
    (False, True)
    >>> fits("Who is the husband of Mary Shelley?", "Mary Shelley")
    False
    """
    query = _LAST_SENTENCE.sub("", query.strip())  # "The emperor was deposed. When?"
    if not query.endswith("?") or text.is_yes_no_question(query):
        return True
    asked, said = text.tokens(query), text.tokens(answer)
    if said and asked[-len(said) :] == said and not re.search(r"\bor\b", query):
        return False
    if _DATE.search(query):
        return not (_BARE_NAME.fullmatch(answer.strip()) and not _TIME.search(answer))
    if _NUMBER.search(query):
        return bool(_COUNT.search(answer))
    if _NAMED_PLACE.search(query):
        return any(letter.isupper() for letter in answer)
    if _PLACE.search(query):
        return not re.fullmatch(r"[\d\s.,/–-]+", answer)
    return True


def asks_for_person(query: str) -> bool:
    """Whether the query asks who somebody is.

    >>> asks_for_person("Who founded Nintendo?"), asks_for_person("Which company makes Mario?")
    (True, False)
    """
    return bool(_PERSON.search(query))


def asks_for_place(query: str) -> bool:
    """Whether the query asks where something is.

    >>> asks_for_place("In which country was Rudyard Kipling born?"), asks_for_place("Who was born in India?")
    (True, False)
    """
    return bool(_PLACE.search(query) or _NAMED_PLACE.search(query))
