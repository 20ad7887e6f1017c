"""Read the value that an answer gives: a date as far as it is known, an amount with its unit, a count, or words."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from searchain.language import text
from searchain.language.quantities import Quantity, quantities, without_quantities
from searchain.language.same_answer import agreement
from searchain.types import Passage

NEAR = 1e-3
"""How far two amounts lie apart at least, relative to the larger one; nearer ones are not ordered."""
_OTHER_ERAS = frozenset("bc bce ad ce century centuries millennium millennia".split())
_YEARS = range(1500, 2101)
"""What a whole number beside another number is read as: "522,250 in 2021"."""
_ANYWHERE = Passage("", "", "")


class Kind(Enum):
    """What is compared."""

    DATE = "date"
    AMOUNT = "amount"
    COUNT = "count"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Date:
    """A day, or the month or the year alone."""

    year: int
    month: int | None = None
    day: int | None = None


Value = Date | Quantity | float | str


def value_of(answer: str, kind: Kind, dimensions: Collection[str] = (), *, takes_last: bool = False) -> Value | None:
    """Return the value of ``kind`` that ``answer`` gives; ``None`` if it gives none.

    An amount must have one of ``dimensions``. Of several dates the first is taken, or the last.

    >>> value_of("born 2 May 1901", Kind.DATE), value_of("Kyoto", Kind.DATE), value_of("about 300 BC", Kind.DATE)
    (Date(year=1901, month=5, day=2), None, None)
    >>> value_of("82 km", Kind.AMOUNT, ["length"]), value_of("82 km", Kind.AMOUNT, ["mass"])
    (Quantity(value=82000.0, dimension='length'), None)
    >>> value_of("522,250 in 2021", Kind.COUNT), value_of("1957", Kind.WORDS)
    (522250.0, None)
    """
    match kind:
        case Kind.DATE:
            found = text.dates(answer) if _OTHER_ERAS.isdisjoint(text.tokens(answer)) else ()
            return Date(*found[-1 if takes_last else 0]) if found else None
        case Kind.AMOUNT:
            return next((one for one in quantities(answer) if one.dimension in dimensions), None)
        case Kind.COUNT:
            return _count(without_quantities(answer))
        case Kind.WORDS:
            written = "United States" if answer.replace(".", "") in ("US", "USA") else answer
            return written if written and not text.numbers(written) else None


def _count(answer: str) -> float | None:
    """Return the first number that is no year; a year alone counts nothing either."""
    numbers = text.numbers(answer)
    return next((number for number in numbers if number not in _YEARS or "," in answer and len(numbers) == 1), None)


def order(one: Value, other: Value) -> int | None:
    """Return -1 if ``one`` is less or earlier, 1 if it is more or later; ``None`` if the two do not tell.

    Where one date is a year alone, years are compared.

    >>> order(Date(1914), Date(1913, 5, 10)), order(Date(1913), Date(1913, 5, 10)), order(Date(1913, 4), Date(1913, 5))
    (1, None, -1)
    >>> order(Quantity(3.0, "length"), Quantity(4.0, "mass")), order(3.0, Date(1914))
    (None, None)
    """
    match one, other:
        case Date(), Date():
            for a, b in zip((one.year, one.month, one.day), (other.year, other.month, other.day), strict=True):
                if a is None or b is None or a != b:
                    return None if a is None or b is None else -1 if a < b else 1
        case (Quantity(), Quantity()) if one.dimension == other.dimension:
            return order(one.value, other.value)
        case (float(), float()) if not math.isclose(one, other, rel_tol=NEAR):
            return -1 if one < other else 1
    return None


def are_same(one: str, other: str) -> bool | None:
    """Tell whether two answers name the same; ``None`` if that is not clear.

    >>> are_same("American", "the United States"), are_same("Greek", "Italy")
    (True, False)
    """
    return {"agree": True, "disagree": False}.get(agreement(one, other, _ANYWHERE)[0])
