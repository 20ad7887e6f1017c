"""What kind of answer a query wants, as far as its words tell, and whether a span can be one.

A small Reader sometimes points at a name where a date is asked for. ``fits`` is a filter, not a judge: it only rejects
what cannot be the answer, and lets everything pass where the query does not tell.
"""

from __future__ import annotations

import re

from searchain import text

_DATE = re.compile(
    r"^(?:when|since when|until when)\b|\b(?:what|which) (?:year|date|day|month|decade|century)\b|\bdate of\b"
    r"|\bbirthday\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow (?:many|much|long|tall|high|deep|far|old|large|big|wide|fast|heavy)\b|\bwhat (?:is|was) the "
    r"(?:\w+ )?(?:population|height|length|depth|area|capacity|elevation|distance|speed|age) of\b|\bnumber of\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"^(?:who|whom|whose|where)\b|\b(?:in|on|at|of|from|to|by)? ?(?:what|which) (?:country|city|town|state|county|island"
    r"|river|continent|actor|actress|author|writer|director|singer|person|nationality|company|university|band|team)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|"
    r"winter|century|bc|bce|ad|monday|tuesday|wednesday|thursday|friday|saturday|sunday|ago|era|age|dynasty|war)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|eighteen|"
    r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen|half|several|few|"
    r"single|double|twice|once|no|none|zero)\b",
    re.IGNORECASE,
)


def fits(query: str, answer: str) -> bool:
    """Whether ``answer`` can answer ``query``: of the kind that is asked for, and not what the query says itself.

    >>> fits("When was Isaac Newton born?", "English"), fits("When was Isaac Newton born?", "1643")
    (False, True)
    >>> fits("Who is the husband of Mary Shelley?", "Mary Shelley")
    False
    """
    if not re.search(r"\bor\b", query) and text.contains(answer, query) and not text.is_yes_no_question(query):
        return False
    if _DATE.search(query):
        return bool(_TIME.search(answer))
    if _NUMBER.search(query):
        return bool(_COUNT.search(answer))
    if _NAME.search(query):
        return not re.fullmatch(r"[\d\s.,/–-]+", answer)
    return True
