"""Read the amounts and days that cells and sentences give, with their units, and write the result of a calculation.

Units are equal, or converted into one another (``quantities``), or they do not agree. An amount is a decimal number as
exact as it is written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Self

from babel.numbers import list_currencies

from searchain.language import text
from searchain.language.values import quantities

_NUMBER = re.compile(
    r"(?P<before>[€$£¥]|\b[A-Z]{3}\b)?\s?(?<![\w.,])(?P<number>[-−]?(?:\d{1,3}(?:[,.'’\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?))(?![\d.,]*\d)"
    r"[ \u00a0\u202f]?(?P<after>[%€$£¥]|[^\W\d_]+[²³23]?(?:/[a-z]+)?)?"
)
_CODES = {"€": "EUR", "euro": "EUR", "$": "USD", "dollar": "USD", "£": "GBP", "¥": "JPY", "yen": "JPY"}
_CURRENCIES = frozenset(list_currencies())
_DAYS = ("%d.%m.%Y", "%d/%m/%Y", "%Y/%m/%d", "%d-%m-%Y")
_MOST_WORDS = 4
"""Most words that may stand around the number of a cell."""


@dataclass(frozen=True, slots=True)
class Value:
    """An amount or a day, and where it stands in its text."""

    amount: Decimal
    """The number; of a day its ordinal."""
    unit: str
    """The unit as it is written, ``""`` without one."""
    start: int
    end: int
    day: date | None = None
    is_before: bool = False
    """Whether the unit stands before the number."""
    is_year: bool = False
    """Whether it may be a year: it has four digits and no unit."""

    @property
    def is_time(self) -> bool:
        return self.is_year or self.day is not None

    @property
    def is_money(self) -> bool:
        return self.measure[0] in _CURRENCIES

    @property
    def measure(self) -> tuple[str, Decimal]:
        """The name of the currency, dimension or unit, and the factor into its base unit."""
        if self.day is not None:
            return "day", Decimal(1)
        plain = self.unit.casefold().removesuffix("s")
        code = _CODES.get(plain, self.unit)
        if code in _CURRENCIES:
            return code, Decimal(1)
        found = quantities(f"1 {self.unit}") if self.unit else ()
        if found and found[0].dimension != "temperature":
            return found[0].dimension, Decimal(str(found[0].value))
        return plain, Decimal(1)

    def converted(self, other: Self) -> Decimal | None:
        """Return the amount of ``other`` in this unit; ``None`` if the units do not agree."""
        (name, factor), (other_name, other_factor) = self.measure, other.measure
        return other.amount * other_factor / factor if name == other_name else None

    def written(self, amount: Decimal) -> str:
        """Write ``amount`` in this value's unit."""
        number = as_written(amount)
        if not self.unit:
            return number
        if self.is_before:
            return f"{self.unit}{' ' if self.unit.isalpha() else ''}{number}"
        return f"{number} {self.unit}"


def as_written(amount: Decimal) -> str:
    """Write a number with commas and no more than two decimals, or as many as it has in money.

    >>> as_written(Decimal("1234.5")), as_written(Decimal("1234.50")), as_written(Decimal(1) / 3)
    ('1,234.5', '1,234.50', '0.33')
    """
    exponent = amount.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -2:
        amount = amount.quantize(Decimal("0.01"), ROUND_HALF_UP).normalize()
    return f"{amount:,f}"


def values_in(passage: str) -> Iterator[Value]:
    """Yield the whole dates of a text, then its amounts.

    >>> [(str(one.amount), one.unit) for one in values_in("On 2 May 2024 the rent was 1,450.50 euros, or €29 a day.")]
    [('739008', ''), ('1450.50', 'euros'), ('29', '€')]
    """
    dates = list(text.dated(passage))
    years = {start for start, _, (_, month, _) in dates if month is None}
    dates = [one for one in dates if one[0] not in years]
    yield from (value for one in dates if (value := _day(*one)) is not None)
    for match in _NUMBER.finditer(passage):
        if not any(first < match.end("number") and match.start("number") < last for first, last, _ in dates):
            yield _amount(match, may_be_year=match.start("number") in years)


def _day(start: int, end: int, found: tuple[int, int | None, int | None]) -> Value | None:
    year, month, day = found
    try:
        whole = date(year, month or 0, day or 0)
    except ValueError:
        return None
    return Value(Decimal(whole.toordinal()), "", start, end, whole)


def _amount(match: re.Match[str], *, may_be_year: bool) -> Value:
    before, after = match["before"], match["after"]
    amount = _decimal(match["number"])
    if before:
        return Value(amount, before, match.start("before"), match.end("number"), is_before=True)
    if after and after not in text.STOPWORDS:
        return Value(amount, after, match.start("number"), match.end("after"))
    return Value(amount, "", *match.span("number"), is_year=may_be_year)


def value_of_cell(cell: str) -> Value | None:
    """Return the one value that a cell begins with, else ``None``; "Day 4" is a name.

    >>> value_of_cell("1.234,50 €").amount, value_of_cell("05.01.2024").day, value_of_cell("2 or 3")
    (Decimal('1234.50'), datetime.date(2024, 1, 5), None)
    """
    for form in _DAYS:
        try:
            found = datetime.strptime(cell.strip(), form).date()
        except ValueError:
            continue
        return Value(Decimal(found.toordinal()), "", 0, len(cell), found)
    values = list(values_in(cell))
    if len(values) != 1:
        return None
    rest = cell[values[0].end :]
    is_alone = (
        not cell[: values[0].start].strip() and not any(map(str.isdigit, rest)) and len(rest.split()) <= _MOST_WORDS
    )
    return values[0] if is_alone else None


def _decimal(number: str) -> Decimal:
    """Read a number with either sign for the decimals.

    The last of two different signs is that of the decimals, and so is one before other than three digits.
    """
    plain = number.replace("−", "-")
    point, comma = plain.rfind("."), plain.rfind(",")
    if comma > point and (point >= 0 or len(plain) - comma != 4):
        plain = plain.replace(".", "").replace(",", ".")
    elif plain.count(".") > 1:
        plain = plain.replace(".", "")
    return Decimal("".join(sign for sign in plain if sign in "-." or sign.isdigit()))
