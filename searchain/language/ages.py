"""Work out how old somebody became, from the years of birth and death."""

from __future__ import annotations

import re

from searchain.language import text

_AGE = re.compile(
    r"(?:how old was|at what age did|what age (?:was|did)) (?P<who>(?:(?!and\b)[\w'’.-]+ ){0,5}(?!and\b)[\w'’.-]+) "
    r"(?:when (?:he|she|they) (?:died|passed away)|at (?:(?:his|her|their) )?death|when dying|die|pass away)",
    re.IGNORECASE,
)
BORN, DIED = "When was {} born?", "When did {} die?"
OLDEST = 122
"""Years; more were never shown to have been reached."""


def who_died(question: str) -> str | None:
    """Return whose age at death ``question`` asks for; ``None`` for any other question.

    >>> who_died("how old was mozart when he died"), who_died("How old is Mozart?")
    ('mozart', None)
    """
    found = _AGE.fullmatch(question.strip().rstrip("?!. "))
    return found["who"] if found else None


def age(born: str, died: str) -> str | None:
    """Return the age at death in years; two years where the days are not known. ``None`` where the dates do not tell.

    >>> age("27 January 1756", "5 December 1791"), age("1756", "1791"), age("1756", "no date")
    ('35', '34 or 35', None)
    """
    births, deaths = text.dates(born), text.dates(died)
    if not births or not deaths:
        return None
    (year, *day), (last, *last_day) = births[0], deaths[-1]
    if not 0 <= last - year <= OLDEST:
        return None
    first_part, last_part = [one for one in day if one], [one for one in last_day if one]
    if len(first_part) == len(last_part) == 2 or (first_part and last_part and first_part[0] != last_part[0]):
        return str(last - year - (last_part < first_part))
    return f"{last - year - 1} or {last - year}" if last > year else "0"
