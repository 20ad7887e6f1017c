"""Read the value that an answer gives: a date as far as it is known, an amount with its unit, a count, or words."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from enum import Enum

from searchain.language import text
from searchain.language.quantities import Quantity, quantities, without_quantities

NEAR = 1e-3
"""Least relative difference of two amounts that are ordered; closer ones count as equal."""
_OTHER_ERAS = frozenset("bc bce ad ce century centuries millennium millennia".split())
_YEAR = re.compile(r"\d{4}")
_YEARS = range(1500, 2101)
Value = tuple[int, int | None, int | None] | Quantity | float | str
"""A date is a year, a month and a day, of which the last two may be unknown."""
Kind = Enum("Kind", "DATE AMOUNT COUNT WORDS")


def value_of(answer: str, kind: Kind, dimensions: Collection[str] = (), *, takes_last: bool = False) -> Value | None:
    """Return the value of ``kind`` that ``answer`` gives, an amount in one of ``dimensions``; ``None`` without one.

    >>> value_of("born 2 May 1901", Kind.DATE), value_of("Kyoto", Kind.DATE), value_of("about 300 BC", Kind.DATE)
    ((1901, 5, 2), None, None)
    >>> value_of("October 4, 1916May 5, 2002", Kind.DATE)
    >>> value_of("82 km", Kind.AMOUNT, ["mass"]), value_of("522,250 in 2021", Kind.COUNT), value_of("7", Kind.WORDS)
    (None, 522250.0, None)
    """
    match kind:
        case Kind.DATE:
            dates = text.dates(answer) if _OTHER_ERAS.isdisjoint(text.tokens(answer)) else ()
            is_whole = len(_YEAR.findall(answer)) <= len(dates)  # "October 4, 1916May 5, 2002" cannot be told apart
            return dates[-1 if takes_last else 0] if dates and is_whole else None
        case Kind.AMOUNT:
            return next((one for one in quantities(answer) if one.dimension in dimensions), None)
        case Kind.COUNT:  # a number that may be a year counts nothing
            return next((one for one in text.numbers(without_quantities(answer)) if one not in _YEARS), None)
    written = "United States" if answer.replace(".", "") in ("US", "USA") else answer
    return written if written and not text.numbers(written) else None


def order(one: Value, other: Value) -> int | None:
    """Return -1 if ``one`` is less or earlier, 1 if it is more or later; ``None`` if they cannot be ordered.

    >>> order((1914, None, None), (1913, 5, 10)), order((1913, None, None), (1913, 5, 10))
    (1, None)
    >>> order(Quantity(3.0, "length"), Quantity(4.0, "mass")), order(3.0, 4.0)
    (None, -1)
    """
    match one, other:
        case tuple(), tuple():
            a, b = next(((a, b) for a, b in zip(one, other, strict=True) if a != b), (None, None))
            return None if a is None or b is None else -1 if a < b else 1
        case (Quantity(), Quantity()) if one.dimension == other.dimension:
            return order(one.value, other.value)
        case (float(), float()) if not math.isclose(one, other, rel_tol=NEAR):
            return -1 if one < other else 1
    return None
